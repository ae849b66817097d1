"""A node on the network: the carrier of real games, the links over it, and the tables above.

Importing this module loads libp2p, so whoever does not play leaves it alone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import trio

from nodealer.kernel import LocalError, NodealerError, Reason
from nodealer.node.auto import drawn_chance
from nodealer.node.listening import Listening
from nodealer.node.nearby import here
from nodealer.node.node import Node, open_node
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.admission import Acquaintances
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from nodealer.node.transport.ports import ListenError, require_free
from nodealer.node.transport.switchboard import Switchboard, open_switchboard
from nodealer.store import Identity

PLACES_SECONDS: Final = 5.0
"""How long a node waits for its relays before it goes on; they may come later."""

PUNCH_AT: Final = (1.0, 12.0, 60.0)
"""When a direct way is tried, in seconds after a relayed link came up; both ends do it together."""

PUNCH_LOOK_SECONDS: Final = 0.25

LOOK_SECONDS: Final = 10.0
"""How often it is looked whether this machine has other addresses; nobody says so."""


@asynccontextmanager
async def on_network(identity: Identity, listening: Listening) -> AsyncIterator[Node]:
    """Run the node of a player, to be reached like this."""
    chance = drawn_chance("links")
    _require_free(listening.listen)
    try:
        async with (
            open_carrier(identity.secret(), listening.listen) as carrier,
            open_switchboard(carrier, chance) as links,
            trio.open_nursery() as nursery,
            open_node(links) as node,
        ):
            carrier.door.acquaintances = Acquaintances(links.knows, links.expects)
            carrier.door.counts = links.counts
            await _find_places(carrier, listening.relays)
            nursery.start_soon(_watch_addresses, carrier, node)
            nursery.start_soon(_look_from_outside, carrier, listening.relays)
            nursery.start_soon(punch_relayed, carrier, links)
            if listening.meets_nearby:
                nursery.start_soon(_meet_nearby, carrier, links.key, node)
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


async def _meet_nearby(carrier: Libp2pCarrier, key: PeerKey, node: Node) -> None:
    """Meet whoever is on the same network, and begin anew on another one."""
    while True:
        own = here(key, carrier.addresses())
        async with trio.open_nursery() as nursery:
            if own is not None:
                # Loads zeroconf, for which a node without neighbours has no use.
                from nodealer.node.local_network import meet  # noqa: PLC0415

                nursery.start_soon(meet, own, node.found_nearby)
            while own == here(key, carrier.addresses()):
                with trio.move_on_after(LOOK_SECONDS):
                    await carrier.addresses_changed()
            nursery.cancel_scope.cancel()


async def _look_from_outside(carrier: Libp2pCarrier, relays: Sequence[Address]) -> None:
    """Learn from relays of ours how this machine is seen from outside."""
    for relay in relays:
        port = carrier.addresses()[0].port
        try:
            answer = await carrier.ask_to_dial(relay, port)
        except Exception:  # noqa: BLE001, S112 - the library raises anything; no relay has to answer
            continue
        kind = f"ip{ipaddress.ip_address(answer.seen_as).version}"
        outer = Address(kind, answer.seen_as, port)
        if outer not in carrier.addresses():
            carrier.known_as(outer)


async def punch_relayed(carrier: Libp2pCarrier, links: Switchboard) -> None:
    """Try to reach directly whoever is reached through a relay, some times after it came up."""
    since: dict[PeerKey, tuple[float, int]] = {}
    while True:
        await trio.sleep(PUNCH_LOOK_SECONDS)
        relayed = [one for one in links.links if one.place and one.place.relay]
        now = trio.current_time()
        since = {one.peer: since.get(one.peer, (now, 0)) for one in relayed}
        for link in relayed:
            began, count = since[link.peer]
            if count < len(PUNCH_AT) and now >= began + PUNCH_AT[count]:
                since[link.peer] = (began, count + 1)
                for address in link.addresses:
                    if address.relay is None:
                        carrier.punch(link.peer, address)


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
