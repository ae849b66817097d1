"""`nodealer host`: opens a table for friends."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import TYPE_CHECKING

from nodealer.cli.numbers import add_number
from nodealer.cli.output import complain, emit_text
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import (
    add_answers,
    add_lobby,
    add_network,
    add_player,
    add_rules,
    add_screen,
    is_on_page,
    is_program,
)

if TYPE_CHECKING:
    from nodealer.cli.finish import PlayedSitting
    from nodealer.home import HostSession, Shelf
    from nodealer.lobby import Invite, TablePlan
    from nodealer.node import Listening, Node, Room
    from nodealer.store import Identity

DESCRIPTION = """\
Opens a lobby and prints an invite: one line, also as a QR code, for whoever is to come. You see who
comes, with words by which you can tell on the telephone that it is they; you can change the rules,
send somebody away (`help` lists what can be typed), and `start`. When everybody has accepted rules
and seats, the table is founded and the game begins. Nobody but those with the invite gets in; it is
good until then. Friends whom you name come in without it: `nodealer join --from YOU` finds
you on their network. If the program was stopped meanwhile, the same command goes on in that lobby,
or at the table that it has become; without GAME it is the last one, and `--new` opens another.

examples:
  nodealer host macaua --seats 3
  nodealer host macaua --with Bea --with Cleo
  nodealer host                              go on in the lobby that was left open
  nodealer host macaua --seats 2 --clock letters --listen /ip4/192.0.2.7/tcp/4001
"""


def register(commands: Commands) -> None:
    """Describe `host`."""
    host = add_command(commands, "host", "open a table for friends on other machines", DESCRIPTION)
    host.add_argument(
        "game", metavar="GAME", nargs="?", help="the id of a game (default: the last lobby goes on)"
    )
    add_number(host, "--seats", (2, 10), 2, "{} to {}, yours included")
    host.add_argument(
        "--with",
        dest="friends",
        action="append",
        default=[],
        metavar="NAME",
        help="let this friend come in without an invite; several are fine",
    )
    host.add_argument("--new", action="store_true", help="another lobby, whatever is open already")
    host.add_argument("--qr", action=argparse.BooleanOptionalAction, help="show the QR code or not")
    host.add_argument(
        "--watch-invite", action="store_true", help="print an invite to watch as a second line"
    )
    add_lobby(host)
    add_rules(host, "calm")
    add_player(host)
    add_network(host)
    add_answers(host)
    add_screen(host)


def run(args: argparse.Namespace) -> int:
    """Go on in the lobby that the same command has opened, or in the last one, or open a lobby."""
    from nodealer.cli.at_table import account_name, listening
    from nodealer.cli.unlock import shelf_of
    from nodealer.games import registry
    from nodealer.home import expect, friend_called, friends_of, listed, refused

    listening(args)  # what cannot be an address is refused before there is a lobby
    plan = None if args.game is None else _plan(args)
    shelf = shelf_of(args)
    shelf.clean()
    known = friends_of(shelf) if args.friends else ()
    friends = [friend_called(known, one).key for one in args.friends]
    room = None if args.new else shelf.last(hosted=True, plan=plan)
    if room is not None:
        if plan is not None and room.held.founding is None:
            complain("you go on in the lobby that is open; `--new` opens another one")
        expect(room, friends)
        return go_on(args, shelf, room)
    if plan is None:
        games = ", ".join(registry.game_ids())
        raise refused(f"there is no open lobby to go on in; say what to play: {games}")
    if any(one.is_open and one.is_hosted for one in listed(shelf.profile)):
        complain("another lobby of yours is open still: `nodealer host` goes on in it")
    name = args.name or account_name()
    if is_on_page(args):
        from nodealer.cli.on_page import on_page

        return on_page(args, shelf, lambda steward: steward.host_plan(plan, name, friends))
    room = shelf.host(plan, name, is_program=is_program(args))
    expect(room, friends)
    return go_on(args, shelf, room, is_new=True)


def go_on(args: argparse.Namespace, shelf: Shelf, room: Room, *, is_new: bool = False) -> int:
    """Gather people in a lobby, and play; a new one to which nobody has an invite is forgotten."""
    from nodealer.cli.at_table import finish, listening
    from nodealer.cli.gathering import at_terminal
    from nodealer.cli.running import run_trio
    from nodealer.home import HostSession, declare, is_moved

    if is_on_page(args):
        from nodealer.cli.on_page import on_page

        return on_page(args, shelf, lambda steward: steward.open_lobby(room))
    declare(room, is_program=is_program(args))
    reach = listening(args, [room])
    if is_moved(reach, room):
        complain(
            "somebody else listens where this lobby did: pass the new line on, the old one is void"
        )
    with shelf.company(takes_new_keys=args.new_key) as company:
        session = HostSession(room, company, is_attended=at_terminal(args))
        try:
            played = run_trio(_host, args, shelf, session, reach)
        except KeyboardInterrupt:
            if session.host.founding is None and (session.invite or not is_new):
                complain("the lobby stays open: `nodealer host` goes on in it")
            raise
        finally:
            if is_new and not session.invite:
                room.file.discard()
            room.file.close()
    if session.host.founding is None or played is None:
        return 1
    return finish(args, shelf, session.host.founding.table, played)


async def _host(
    args: argparse.Namespace, shelf: Shelf, session: HostSession, reach: Listening
) -> PlayedSitting | None:
    from nodealer.cli.at_table import sit
    from nodealer.cli.gathering import gathered
    from nodealer.cli.typed_host import TypedHost
    from nodealer.home import in_lobbies, table_line

    async with in_lobbies(shelf, [session.room], reach) as node:
        if session.host.founding is None:
            _show_invite(args, session, node, shelf.identity)
        else:
            complain(table_line(session.host.founding.table))
        player = TypedHost(session)
        if await gathered(session.gather, player.typed, reads=session.is_attended) is None:
            return None
        return await sit(args, node, shelf.sit_down(session.room))


def _plan(args: argparse.Namespace) -> TablePlan:
    from nodealer.games import registry
    from nodealer.lobby import plan_of
    from nodealer.node import CLOCKS

    game = registry.game(args.game)
    options = registry.parse_options(game, args.option)
    return plan_of(game, args.seats, options, CLOCKS[args.clock], args.policy or game.policies[0])


def _show_invite(
    args: argparse.Namespace, session: HostSession, node: Node, identity: Identity
) -> None:
    from nodealer.lobby import join_command
    from nodealer.store import words_of

    invite = session.invites(tuple(map(str, node.addresses())))
    emit_text(session.invite)
    if args.watch_invite:
        emit_text(session.watch_invite)
    sys.stdout.flush()
    _show_squares(args, invite)
    line = "line"
    if args.watch_invite:
        complain("the second line is for whoever is to watch, and gives no seat: `nodealer watch`")
        line = "first line"
    complain(
        f"pass the {line} on to whoever is to play, and to nobody else. On the other side:",
        join_command(invite),
        "(`nodealer join` alone asks for the line: then it stands in no list of processes)",
        f"your words: {' '.join(words_of(identity.public))}",
        "whoever comes sees the same words for you; read them aloud to each other to be sure",
    )


def _show_squares(args: argparse.Namespace, invite: Invite) -> None:
    from nodealer.lobby import terminal_lines

    if args.qr is False or (args.qr is None and not sys.stderr.isatty()):
        return
    lines = terminal_lines(invite)
    if args.qr or len(lines[0]) <= shutil.get_terminal_size().columns:
        sys.stderr.write("".join(f"{line}\n" for line in lines))
    else:
        complain("the terminal is too narrow for the QR code; --qr shows it all the same")
