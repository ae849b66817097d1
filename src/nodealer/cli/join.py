"""`nodealer join`: sits down at the table of a friend.

It goes to a lobby or back to one, and plays once what is offered is accepted by all.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nodealer.cli.output import complain
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import (
    add_answers,
    add_lobby,
    add_network,
    add_player,
    add_screen,
    is_on_page,
    is_program,
)

if TYPE_CHECKING:
    from nodealer.cli.finish import PlayedSitting
    from nodealer.home import GuestSession, LobbyForMe, Shelf
    from nodealer.kernel import TableId
    from nodealer.lobby import Invite, LobbyOver
    from nodealer.node import Address, Listening, Room
    from nodealer.store import Friend, Profile

DESCRIPTION = """\
Goes to the lobby that an invite names. You see who is there and what is to be played, and sit
down only when you accept it. The invite is asked for; it can also come by standard input (-) or
from a file (@FILE), and then it does not stand in the list of processes.

examples:
  nodealer join
  nodealer join @invite.txt
  nodealer join - < invite.txt
  nodealer join --from Ana
"""


def register(commands: Commands) -> None:
    """Describe `join`."""
    join = add_command(commands, "join", "sit down at the table of a friend", DESCRIPTION)
    join.add_argument(
        "invite", metavar="INVITE", nargs="?", help="the line; - for standard input, @FILE"
    )
    join.add_argument(
        "--from",
        dest="friend",
        metavar="NAME",
        help="go to the lobby of this friend, who has named you: no invite is needed",
    )
    join.add_argument("--at", metavar="ADDRESS", help="where the friend is, if not on this network")
    join.add_argument("--yes", action="store_true", help="accept whatever is offered, unseen")
    add_lobby(join)
    add_player(join)
    add_network(join)
    add_answers(join)
    add_screen(join)


ASK_SECONDS = 30.0
"""A friend on this network is heard within some seconds."""

LINES_MAX = 40
"""Of an invite that was broken into lines."""

TEXT_BYTES_MAX = 1 << 16
"""More than any invite with what may stand around it."""


def run(args: argparse.Namespace) -> int:
    """Go to the lobby, and play."""
    from nodealer.store import places_of

    if args.friend is not None:
        return _come_to_friend(args)
    if args.invite is None and is_on_page(args):
        from nodealer.cli.on_page import on_page
        from nodealer.cli.unlock import shelf_of

        return on_page(args, shelf_of(args))  # where there is a field for it
    profile = places_of(os.environ).profile(args.profile)
    return come(args, _invite(args.invite, profile))


def come(args: argparse.Namespace, invite: Invite | None) -> int:
    """Go to the lobby of an invite, or back to the last one."""
    from nodealer.cli.at_table import account_name, listening
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import refused

    listening(args)  # what cannot be an address is refused before there is a lobby
    shelf = shelf_of(args)
    shelf.clean()
    if invite is None:
        room = shelf.last(hosted=False)
        if room is None:
            raise refused("no invite was given, and there is no lobby to go back to")
        return go_on(args, shelf, room)
    if invite.host == shelf.identity.public:
        raise refused("this invite is to your own lobby: pass the line on to somebody else")
    name = args.name or account_name()
    return go_on(args, shelf, shelf.visit(invite, name, is_program=is_program(args)))


def _come_to_friend(args: argparse.Namespace) -> int:
    """Look for a friend, and go to the lobby that is open for this player."""
    from nodealer.cli.at_table import account_name, listening
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import address_given, friend_called, friends_of, refused
    from nodealer.node import parse

    shelf = shelf_of(args)
    friend = friend_called(friends_of(shelf), args.friend)
    places = [] if args.at is None else [address_given(args.at, parse)]
    complain(f"looking for {friend.name} …")
    found = run_trio(_ask, shelf, {friend: places}, listening(args))
    if not found:
        raise refused(
            f"{friend.name} was not found, or has no lobby for you; ask for an invite, or for"
            " `host --with` your name"
        )
    invite = found[0].invite
    room = shelf.visit(invite, args.name or account_name(), is_program=is_program(args))
    return go_on(args, shelf, room)


async def _ask(
    shelf: Shelf, friends: Mapping[Friend, Sequence[Address]], reach: Listening
) -> tuple[LobbyForMe, ...]:
    from nodealer.home import lobbies_for_me

    return await lobbies_for_me(shelf, friends, reach, ASK_SECONDS, is_first_enough=True)


def go_on(args: argparse.Namespace, shelf: Shelf, room: Room) -> int:
    """Wait in a lobby, and play."""
    from nodealer.cli.at_table import finish
    from nodealer.cli.running import run_trio
    from nodealer.home import GuestSession, LobbyError, declare
    from nodealer.lobby import LobbyOver

    if is_on_page(args):
        from nodealer.cli.on_page import on_page

        return on_page(args, shelf, lambda steward: steward.open_lobby(room))
    declare(room, is_program=is_program(args))
    with shelf.company(takes_new_keys=args.new_key) as company:
        agrees, is_quick = args.auto or args.yes, not sys.stdin.isatty()
        session = GuestSession(room, company, agrees=agrees, is_quick=is_quick)
        try:
            outcome = run_trio(_join, args, shelf, session)
        except KeyboardInterrupt:
            if session.guest.founding is None:
                complain("you are still in the lobby: `nodealer join` goes back to it")
            raise
        finally:
            room.file.close()
    if not isinstance(outcome, LobbyOver):
        return finish(args, shelf, *outcome)
    if outcome.reason is None:
        return 1
    raise LobbyError(outcome.reason)


async def _join(
    args: argparse.Namespace, shelf: Shelf, session: GuestSession
) -> tuple[TableId, PlayedSitting] | LobbyOver:
    from nodealer.cli.at_table import listening, sit
    from nodealer.cli.gathering import gathered
    from nodealer.cli.typed_guest import TypedGuest
    from nodealer.home import in_lobbies, table_line
    from nodealer.lobby import LobbyOver
    from nodealer.store import mark_of, words_of

    identity, host = shelf.identity, session.guest.host
    if session.guest.founding is None:
        complain(
            f"looking for the host, [{mark_of(host)}]; its words: {' '.join(words_of(host))}",
            f"your words: {' '.join(words_of(identity.public))}",
        )
    else:
        complain(table_line(session.guest.founding.table))
    async with in_lobbies(shelf, [session.room], listening(args)) as node:
        player = TypedGuest(session)
        outcome = await gathered(
            session.wait, player.typed, reads=not session.agrees, at_end=player.require_answer
        )
        if isinstance(outcome, LobbyOver):
            return outcome
        return outcome.table, await sit(args, node, shelf.sit_down(session.room))


def _invite(given: str | None, profile: Profile) -> Invite | None:
    """Return the invite, from wherever it comes; none if the player goes back to a lobby."""
    if given is None:
        return _asked(profile)
    return _read(text_given(given))


def text_given(given: str) -> str:
    """Return the text with an invite: what was given, standard input, or a file."""
    from nodealer.store import told_of

    if given == "-":
        return sys.stdin.read(TEXT_BYTES_MAX)
    if not given.startswith("@"):
        return given
    path = Path(given[1:])
    with told_of(path), path.open(encoding="utf-8", errors="replace") as file:
        return file.read(TEXT_BYTES_MAX)


def _asked(profile: Profile) -> Invite | None:
    """Ask for the invite; a line that was broken on its way is put together again."""
    from nodealer.cli.typed import prompted_line
    from nodealer.home import listed
    from nodealer.kernel import PeerError
    from nodealer.lobby import TornInviteError, read_invite

    known = any(not one.is_hosted for one in listed(profile))
    prompt = "invite (Enter alone goes back to the last lobby): " if known else "invite: "
    text = ""
    for _ in range(LINES_MAX):
        line = prompted_line(prompt)
        if not line:
            break
        text += line
        try:
            return read_invite(text)
        except TornInviteError:
            prompt = "it goes on (Enter alone ends it): "
            if not sys.stdin.isatty():
                break
        except PeerError:
            break
    return _read(text) if text else None


def _read(text: str) -> Invite:
    from nodealer.home import LobbyError
    from nodealer.kernel import PeerError
    from nodealer.lobby import read_invite

    try:
        return read_invite(text)
    except PeerError as error:
        raise LobbyError(error.reason, error.detail) from error
