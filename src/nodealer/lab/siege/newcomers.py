"""The people who come to a besieged table: a guest, a spectator, and one behind a router.

The guest has an invite, the spectator the address of a seat, the last one needs a place at the
relay. Each is a node like any other, with a key that nobody knows. It is found how many seconds it
took each to be let in, if it was.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Final, TypeAlias

import trio

from nodealer.home import SeatAt, Shelf, journal_to_watch
from nodealer.kernel import TableId
from nodealer.lobby import Answered, Offered, read_invite
from nodealer.node import Address, Listening, Node, PeerKey, identity_in, parse
from nodealer.node.network import on_network
from nodealer.store import HOME_VARIABLE, Identity, Profile, places_of

HERE: Final = parse("/ip4/127.0.0.1/tcp/0")

PATIENCE_SECONDS: Final = 40.0
"""Longer than anybody waits at a door."""

LOOK_SECONDS: Final = 0.1

Coming: TypeAlias = Callable[[], Awaitable[None]]


async def seconds_until_in(coming: Coming) -> float | None:
    """Return how long it took somebody to come in; nothing if it was too long."""
    began = trio.current_time()
    with trio.move_on_after(PATIENCE_SECONDS) as waiting:
        await coming()
    return None if waiting.cancelled_caught else round(trio.current_time() - began, 2)


async def guest_comes(home: Path, invite: str) -> None:
    """Come to a lobby by an invite, until something is offered there."""
    async with _newcomer(home, "guest") as (node, profile, identity):
        room = Shelf(profile, identity).visit(read_invite(invite), "Guest")
        node.open_room(room)
        while not any(isinstance(one, Offered | Answered) for one in await room.happened()):
            pass


async def spectator_comes(home: Path, table: TableId, key: PeerKey, place: Address) -> None:
    """Follow a table by the address of a seat, until the first entry is here."""
    with ExitStack() as stack:  # the journal is closed once the node has ended
        async with _newcomer(home, "spectator") as (node, profile, _):
            journal = await journal_to_watch(node, profile, table, [SeatAt(key, place)])
            keeper = node.open_table(stack.enter_context(closing(journal)))
            while not keeper.table.ledger.tip.height:
                await keeper.moved()


async def sixth_comes(home: Path, relay: Address) -> None:
    """Ask the relay for a place, until there is one."""
    async with _newcomer(home, "sixth", (relay,)) as (node, _, _):
        while all(one.relay is None for one in node.addresses()):  # noqa: ASYNC110 - nobody is told
            await trio.sleep(LOOK_SECONDS)


@asynccontextmanager
async def _newcomer(
    home: Path, name: str, relays: tuple[Address, ...] = ()
) -> AsyncIterator[tuple[Node, Profile, Identity]]:
    profile = places_of({HOME_VARIABLE: str(home)}).profile(name)
    identity = identity_in(profile)
    async with on_network(identity, Listening((HERE,), relays, meets_nearby=False)) as node:
        yield node, profile, identity
