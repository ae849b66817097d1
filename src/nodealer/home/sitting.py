"""Sitting in a lobby or at a table: the node of a player runs, and what is needed of it is open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager

from nodealer.home.my_lobbies import Shelf, announce
from nodealer.kernel import Seat, TableId
from nodealer.node import Keeper, Listening, Node, Room
from nodealer.store import Identity, Journal, Profile, glance, mark_of, open_journal
from nodealer.ui import Book


@asynccontextmanager
async def in_lobbies(shelf: Shelf, rooms: Sequence[Room], reach: Listening) -> AsyncIterator[Node]:
    """Run the node of a player with these lobbies open: who has missed a charter asks there."""
    # Loads libp2p, which only a table among machines needs, and which may not be installed.
    from nodealer.node.network import on_network  # noqa: PLC0415

    async with on_network(shelf.identity, reach) as node:
        for room in rooms:
            announce(room, node, shelf.identity)
            node.open_room(room)
        yield node


@contextmanager
def opened_table(shelf: Shelf, table: TableId) -> Iterator[tuple[Journal, Sequence[Room]]]:
    """Open the journal of a table, and the lobbies that have become it."""
    with ExitStack() as stack:
        journal = stack.enter_context(closing(journal_of(shelf.profile, table, shelf.identity)))
        rooms = shelf.rooms_of(table)
        for room in rooms:
            stack.enter_context(closing(room.file))
        yield journal, rooms


def journal_of(profile: Profile, table: TableId, identity: Identity) -> Journal:
    """Open a journal as whoever it belongs to: the player, or nobody if it is one of watching."""
    is_watched = glance(profile.journal(table)).identity is None
    return open_journal(profile, table, None if is_watched else identity)


def book_of(keeper: Keeper, title: str, bots: frozenset[Seat] = frozenset()) -> Book:
    """Return the book beside a table."""
    keys = keeper.journal.charter.keys
    return Book(
        title=title,
        mark=keeper.id.hex()[:6],
        marks={Seat(seat): mark_of(key) for seat, key in enumerate(keys)},
        bots=bots,
    )


async def see_to_the_end(keeper: Keeper) -> None:
    """Watch a table until it is closed."""
    while not keeper.table.position.is_closed:
        await keeper.changed()
