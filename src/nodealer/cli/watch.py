"""`nodealer watch`: follows the table of others.

A table is found by an invite of its host, by the address of a seat, or because it was watched
before. With an invite one goes through the lobby like any guest. With an address there is no lobby:
the seat is asked for the charter of the table, whose hash is the name of the table, and with it a
journal without a seat is begun.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from nodealer.cli import join
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_player, add_screen

if TYPE_CHECKING:
    from nodealer.kernel import LocalError, TableId
    from nodealer.node import Address, PeerKey
    from nodealer.store import Identity, Journal, Profile

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
    watch.set_defaults(module="nodealer.cli.watch", yes=True)


SEARCH_SECONDS: Final = 60.0
"""How long a seat is looked for that is to show the charter."""

INVITE_CHARACTERS_MAX: Final = 1 << 13

_MARK: Final = re.compile(r"[0-9a-fA-F]{1,64}")
_WHOLE_MARK: Final = 64


class SeatAt(NamedTuple):
    """A player by its key, and where to look for it."""

    key: PeerKey
    address: Address


def run(args: argparse.Namespace) -> int:
    """Find the table, and watch it."""
    from nodealer.cli import play_network
    from nodealer.home import table_by
    from nodealer.store import open_journal, places_of

    profile = places_of(os.environ).profile(args.profile)
    if args.table is None or not _MARK.fullmatch(args.table):
        return _by_invite(args)
    known = [path for path in profile.journals() if path.stem.startswith(args.table.lower())]
    if known:
        table = table_by(profile, args.table)
        _require_watched(profile, table)
        if args.addresses:
            with closing(open_journal(profile, table)) as journal:
                for one in args.addresses:
                    _note(journal, seat_at(one))
        return play_network.go_on(args, profile, table)
    return _by_address(args, profile)


def seat_at(text: str) -> SeatAt:
    """Return the seat that an address with the id of a key names, or raise `LocalError`."""
    from nodealer.kernel import PeerError
    from nodealer.node import key_of, parse

    address, found, peer = text.rpartition("/p2p/")
    try:
        if found:
            return SeatAt(key_of(peer), parse(address))
    except PeerError as error:
        raise _refused(f"{text}: {error.reason.meaning}") from error
    raise _refused(f"{text}: an address that ends with /p2p/ and the id of a key is needed")


def _by_invite(args: argparse.Namespace) -> int:
    from nodealer.kernel import LocalError, Reason
    from nodealer.lobby import read_invite, write_invite

    if args.table is None:
        sys.stderr.write("invite to watch: ")
        sys.stderr.flush()
        invite = read_invite(sys.stdin.readline(INVITE_CHARACTERS_MAX))
    else:
        invite = read_invite(join.text_given(args.table))
    if not invite.watches:
        detail = "it is an invite to play; `nodealer join` takes it"
        raise LocalError(Reason.LOBBY_INVITE, detail)
    args.invite = write_invite(invite)
    return join.run(args)


def _require_watched(profile: Profile, table: TableId) -> None:
    from nodealer.store import glance

    if glance(profile.journal(table)).seat is not None:
        raise _refused(f"you play at this table; `nodealer resume {table.hex()[:6]}` goes on")


def _by_address(args: argparse.Namespace, profile: Profile) -> int:
    from nodealer.cli import play_network
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import identity_of
    from nodealer.kernel import TableId

    if len(args.table) != _WHOLE_MARK or not args.addresses:
        raise _refused(
            f"no table that you know begins with {args.table}; of another one the whole mark is"
            " needed, 64 signs, and the address of a player"
        )
    table, seats = TableId(bytes.fromhex(args.table)), [seat_at(one) for one in args.addresses]
    run_trio(_find, args, profile, identity_of(args, profile), table, seats)
    return play_network.finish(args, profile, table)


async def _find(
    args: argparse.Namespace,
    profile: Profile,
    identity: Identity,
    table: TableId,
    seats: list[SeatAt],
) -> None:
    import trio

    from nodealer.cli import play_network
    from nodealer.cli.at_table import listening
    from nodealer.node.network import on_network
    from nodealer.store import JournalOrigin, create

    async with on_network(identity, listening(args)) as node:
        charter = None
        with trio.move_on_after(SEARCH_SECONDS):
            charter = await node.find_charter(table, seats[0].key, (seats[0].address,))
        if charter is None:
            raise _refused("nobody there has this table open; ask the player to open it")
        profile.make()
        with closing(create(profile, JournalOrigin(charter))) as journal:
            for seat in seats:
                _note(journal, seat)
            await play_network.sit(args, node, journal)


def _note(journal: Journal, at: SeatAt) -> None:
    """Remember where a seat is; addresses of anybody else are of no use here."""
    from nodealer.kernel import Seat
    from nodealer.node import addresses_of, note_addresses

    keys = journal.charter.keys
    if at.key not in keys:
        raise _refused("one of the addresses is not that of a player of this table")
    seat = Seat(keys.index(at.key))
    known = [one for one in addresses_of(journal, seat) if one != at.address]
    note_addresses(journal, seat, (at.address, *known))


def _refused(detail: str) -> LocalError:
    from nodealer.kernel import LocalError, Reason

    return LocalError(Reason.LOCAL_ARGUMENT, detail)
