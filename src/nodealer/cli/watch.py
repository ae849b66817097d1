"""`nodealer watch`: follows the table of others.

A table is found by an invite of its host, by the address of a seat, or because it was watched
before. With an invite one goes through the lobby like any guest.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Final

from nodealer.cli import join
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_player, add_screen, is_on_page

if TYPE_CHECKING:
    from nodealer.cli.finish import PlayedSitting
    from nodealer.home import SeatAt, Shelf
    from nodealer.kernel import TableId

DESCRIPTION = """\
Shows you a table at which others play, without anybody's cards. Your program checks every entry
by itself, as the players' programs do, and keeps what it saw: the transcript can be verified
later. You hear what the players say to each other, and say nothing.

There are two ways to a table: an invite to watch, which its host has given you, or the whole mark
of the table and where one of its players can be reached.

examples:
  nodealer watch
  nodealer watch @invite.txt
  nodealer watch 8049f5                      on at a table that you watched before
  nodealer watch TABLE /ip4/192.0.2.7/tcp/4001/p2p/12D3KooW...
"""


def register(commands: Commands) -> None:
    """Describe `watch`."""
    watch = add_command(commands, "watch", "follow the table of others", DESCRIPTION)
    watch.add_argument(
        "table",
        metavar="INVITE|TABLE",
        nargs="?",
        help="an invite to watch (- for standard input, @FILE), or the mark of a table",
    )
    watch.add_argument(
        "addresses",
        metavar="ADDRESS",
        nargs="*",
        help="of a player: a multiaddr that ends with /p2p/ and the id of the player's key",
    )
    add_player(watch)
    add_network(watch)
    add_screen(watch)
    watch.set_defaults(yes=True, new_key=False, pass_alone=None)


INVITE_CHARACTERS_MAX: Final = 1 << 13

_MARK: Final = re.compile(r"[0-9a-fA-F]{1,64}")
_WHOLE_MARK: Final = 64


def run(args: argparse.Namespace) -> int:
    """Find the table, and watch it."""
    from nodealer.cli.at_table import go_on
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import note_seats, seat_at, watched_table
    from nodealer.store import open_journal, places_of

    profile = places_of(os.environ).profile(args.profile)
    if args.table is None or not _MARK.fullmatch(args.table):
        return _by_invite(args)
    table = watched_table(profile, args.table)
    if table is None:
        return _by_address(args)
    if args.addresses:
        with closing(open_journal(profile, table)) as journal:
            note_seats(journal, [seat_at(one) for one in args.addresses])
    if is_on_page(args):
        from nodealer.cli.on_page import table_on_page

        return table_on_page(args, shelf_of(args), table)
    return go_on(args, shelf_of(args), table)


def _by_invite(args: argparse.Namespace) -> int:
    from nodealer.kernel import LocalError, Reason
    from nodealer.lobby import read_invite

    if args.table is None:
        sys.stderr.write("invite to watch: ")
        sys.stderr.flush()
        invite = read_invite(sys.stdin.readline(INVITE_CHARACTERS_MAX))
    else:
        invite = read_invite(join.text_given(args.table))
    if not invite.watches:
        detail = "it is an invite to play; `nodealer join` takes it"
        raise LocalError(Reason.LOBBY_INVITE, detail)
    return join.come(args, invite)


def _by_address(args: argparse.Namespace) -> int:
    from nodealer.cli.at_table import finish
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import refused, seat_at
    from nodealer.kernel import TableId

    if len(args.table) != _WHOLE_MARK or not args.addresses:
        raise refused(
            f"no table that you know begins with {args.table}; of another one the whole mark is"
            " needed, 64 signs, and the address of a player"
        )
    table, seats = TableId(bytes.fromhex(args.table)), [seat_at(one) for one in args.addresses]
    shelf = shelf_of(args)
    if is_on_page(args):
        from nodealer.cli.on_page import on_page

        return on_page(args, shelf, lambda steward: steward.watch(table, seats))
    return finish(args, shelf, table, run_trio(_find, args, shelf, table, seats))


async def _find(
    args: argparse.Namespace, shelf: Shelf, table: TableId, seats: list[SeatAt]
) -> PlayedSitting:
    from nodealer.cli.at_table import listening, sit
    from nodealer.home import in_lobbies, journal_to_watch

    async with in_lobbies(shelf, [], listening(args)) as node:
        return await sit(args, node, await journal_to_watch(node, shelf.profile, table, seats))
