"""Watching the table of others, which is found by the address of a seat.

There is no lobby on this way: the seat is asked for the charter of the table, whose hash is the
name of the table, and with it a journal without a seat is begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import trio

from nodealer.home.my_tables import refused, table_by, table_mark
from nodealer.kernel import PeerError, Seat, TableId
from nodealer.node import Address, Node, PeerKey, addresses_of, key_of, note_addresses, parse
from nodealer.store import Journal, JournalOrigin, Profile, create, glance

SEARCH_SECONDS: Final = 60.0
"""How long a seat is looked for that is to show the charter."""


class SeatAt(NamedTuple):
    """A player by its key, and where to look for it."""

    key: PeerKey
    address: Address


def seat_at(text: str) -> SeatAt:
    """Return the seat that an address with the id of a key names, or raise `LocalError`."""
    address, found, peer = text.rpartition("/p2p/")
    try:
        if found:
            return SeatAt(key_of(peer), parse(address))
    except PeerError as error:
        raise refused(f"{text}: {error.reason.meaning}") from error
    raise refused(f"{text}: an address that ends with /p2p/ and the id of a key is needed")


def watched_table(profile: Profile, begin: str) -> TableId | None:
    """Return the table whose mark begins so, at which this player only watches, if there is one."""
    if not any(path.stem.startswith(begin.lower()) for path in profile.journals()):
        return None
    table = table_by(profile, begin)
    if glance(profile.journal(table)).seat is not None:
        raise refused(f"you play at this table; `nodealer resume {table_mark(table)}` goes on")
    return table


async def journal_to_watch(
    node: Node, profile: Profile, table: TableId, seats: Sequence[SeatAt]
) -> Journal:
    """Ask the first of these seats for the charter, and begin a journal without a seat."""
    charter = None
    with trio.move_on_after(SEARCH_SECONDS):
        charter = await node.find_charter(table, seats[0].key, (seats[0].address,))
    if charter is None:
        raise refused("nobody there has this table open; ask the player to open it")
    profile.make()
    journal = create(profile, JournalOrigin(charter))
    try:
        note_seats(journal, seats)
    except BaseException:
        journal.close()
        raise
    return journal


def note_seats(journal: Journal, seats: Sequence[SeatAt]) -> None:
    """Remember where seats are; addresses of anybody else are of no use here."""
    keys = journal.charter.keys
    for at in seats:
        if at.key not in keys:
            raise refused("one of the addresses is not that of a player of this table")
        seat = Seat(keys.index(at.key))
        known = [one for one in addresses_of(journal, seat) if one != at.address]
        note_addresses(journal, seat, (at.address, *known))
