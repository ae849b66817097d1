"""A node on the network: the carrier of real games, the links over it, and the tables above.

Importing this module loads libp2p, so whoever does not play leaves it alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import trio

from nodealer.kernel import LocalError, NodealerError, Reason
from nodealer.node.auto import drawn_chance
from nodealer.node.node import Node, open_node
from nodealer.node.reach import Reach
from nodealer.node.transport.addresses import Address
from nodealer.node.transport.over_libp2p import (
    Libp2pCarrier,
    ListenError,
    open_carrier,
    require_free,
)
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.store.identity import Identity

PLACES_SECONDS: Final = 5.0
"""How long a node waits for its relays before it goes on; they may come later."""

LOOK_SECONDS: Final = 10.0
"""How often it is looked whether this machine has other addresses; nobody says so."""


@asynccontextmanager
async def on_network(identity: Identity, reach: Reach) -> AsyncIterator[Node]:
    """Run the node of a player, to be reached like this."""
    chance = drawn_chance("links")
    _require_free(reach.listen)
    try:
        async with (
            open_carrier(identity.secret(), reach.listen) as carrier,
            open_switchboard(carrier, chance) as links,
            trio.open_nursery() as nursery,
            open_node(links) as node,
        ):
            await _find_places(carrier, reach.relays)
            nursery.start_soon(_watch_addresses, carrier, node)
            try:
                yield node
            finally:
                # Before anything else runs: the journals may be closed by now.
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise _unwrapped(group) from None


@asynccontextmanager
async def as_relay(identity: Identity, listen: Sequence[Address]) -> AsyncIterator[Libp2pCarrier]:
    """Run a relay for others, and nothing else: streams for tables are ended."""
    _require_free(listen)
    async with (
        open_carrier(identity.secret(), listen, is_relay=True) as carrier,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(_turn_away, carrier)
        yield carrier
        nursery.cancel_scope.cancel()


def _require_free(listen: Sequence[Address]) -> None:
    try:
        require_free(listen)
    except ListenError as error:
        detail = f"nothing can listen at {error}; choose another address with --listen"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail) from error


async def _find_places(carrier: Libp2pCarrier, relays: Sequence[Address]) -> None:
    """Ask the relays for places, and wait a while for them."""
    for address in relays:
        assert address.relay is not None, "it is the address of a relay"
        carrier.keep_place(address.relay, address)
    with trio.move_on_after(PLACES_SECONDS):
        while not set(relays) <= set(carrier.addresses()):
            await carrier.addresses_changed()


async def _watch_addresses(carrier: Libp2pCarrier, node: Node) -> None:
    """Tell the tables when this machine, or its relays, can be found elsewhere."""
    while True:
        with trio.move_on_after(LOOK_SECONDS):
            await carrier.addresses_changed()
        node.moved()


async def _turn_away(carrier: Libp2pCarrier) -> None:
    while True:
        stream = await carrier.accept()
        await stream.abandon()


def _unwrapped(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return what was raised inside of all the tasks, if it is one thing that commands expect."""
    one: BaseException = group
    while isinstance(one, BaseExceptionGroup) and len(one.exceptions) == 1:
        one = one.exceptions[0]
    return one if isinstance(one, NodealerError | KeyboardInterrupt) else group
