"""Sitting in a lobby or at a table: the node of a player runs, and what is needed of it is open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from importlib import import_module

from nodealer.home.my_lobbies import Shelf, announce
from nodealer.kernel import TableId
from nodealer.ledger import DUTIES, Duties
from nodealer.node import Keeper, Listening, Node, Room, at_table, bots_of
from nodealer.store import Directories, Identity, Journal, Profile, glance, open_journal


@asynccontextmanager
async def in_lobbies(shelf: Shelf, rooms: Sequence[Room], reach: Listening) -> AsyncIterator[Node]:
    """Run the node of a player with these lobbies open: who has missed a charter asks there."""
    from nodealer.node.network import on_network  # noqa: PLC0415 - loads libp2p

    async with on_network(shelf.identity, reach) as node:
        for room in rooms:
            announce(room, node, shelf.identity)
            node.open_room(room)
        yield node


def load_network() -> None:
    """Load libp2p, which only a table among machines needs, and which may not be installed."""
    import_module("nodealer.node.network")


@contextmanager
def opened_table(shelf: Shelf, table: TableId) -> Iterator[tuple[Journal, Sequence[Room]]]:
    """Open the journal of a table, and the lobbies that have become it."""
    with ExitStack() as stack:
        journal = stack.enter_context(closing(journal_of(shelf.profile, table, shelf.identity)))
        rooms = shelf.rooms_of(table)
        for room in rooms:
            stack.enter_context(closing(room.file))
        yield journal, rooms


@asynccontextmanager
async def sitting_at(
    places: Directories,
    shelf: Shelf,
    journal: Journal,
    rooms: Sequence[Room],
    reach: Listening,
    *,
    thought_seconds: float = 0.0,
    duties: Duties = DUTIES,
    meet: Callable[[Keeper], None] = lambda _: None,
) -> AsyncIterator[Keeper]:
    """Open a table with all that it needs: its bots in this process, or the node of the player.

    `meet` is called with the keeper of every seat in this process before anything happens to it.
    """
    if bots_of(journal):
        async with at_table(
            places, journal, thought_seconds=thought_seconds, duties=duties, meet=meet
        ) as keeper:
            yield keeper
    else:
        async with in_lobbies(shelf, rooms, reach) as node:
            keeper = node.open_table(journal, duties)
            meet(keeper)
            yield keeper


def journal_of(profile: Profile, table: TableId, identity: Identity) -> Journal:
    """Open a journal as whoever it belongs to: the player, or nobody if it is one of watching."""
    is_watched = glance(profile.journal(table)).identity is None
    return open_journal(profile, table, None if is_watched else identity)


async def see_to_the_end(keeper: Keeper) -> None:
    """Watch a table until it is closed."""
    while not keeper.table.position.is_closed:
        await keeper.changed()
