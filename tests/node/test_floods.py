"""Strangers fill everything, over real sockets: who plays, is invited or watches has a place.

Shares are small here and attempts many, so that it takes no time to fill them; `test_admission`
tries the policy with its own numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from nodealer.kernel.chance import Chance
from nodealer.kernel.rates import Rate
from nodealer.lobby import Guest, Host, hosting, visiting
from nodealer.lobby.moves import GuestPhase
from nodealer.node.listening import Listening
from nodealer.node.network import on_network
from nodealer.node.node import Node
from nodealer.node.rooms import Room
from nodealer.node.transport import admission
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.admission import Acquaintances, CallerStanding, PlaceShare
from nodealer.node.transport.carrier import Stream
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.switchboard import Switchboard, open_switchboard
from nodealer.node.transport.timing import SECOND_US
from tests.node.makers import HERE, SEEDS, key, up
from tests.node.test_gathering import Meeting

FEW = {
    CallerStanding.OPENING: PlaceShare(2, 2, time=SECOND_US),
    CallerStanding.EXPECTED: PlaceShare(of_block=2),
    CallerStanding.STRANGER: PlaceShare(2, 2, of_key=1),
    CallerStanding.KNOWN: PlaceShare(of_key=2),
}

MANY = Rate(200, SECOND_US // 200)

STRANGERS = 3
"""Of so many keys; one more than there are places for."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "SHARES", FEW)
    for rate in ("ATTEMPTS_OF_BLOCK", "ATTEMPTS_OF_ALL", "PROOFS_OF_BLOCK", "PROOFS_OF_ALL"):
        monkeypatch.setattr(admission, rate, MANY)


class Strangers:
    """Keys that nobody knows, with links on which nothing is said."""

    def __init__(self, carriers: list[Libp2pCarrier], nursery: trio.Nursery) -> None:
        self.streams: list[Stream] = []
        self._carriers = carriers
        self._nursery = nursery

    async def come(self, victim: PeerKey, there: Address) -> None:
        """Fill everything there is, and more; also with connections that are half open."""
        for carrier in self._carriers:
            self._nursery.start_soon(_say_nothing, there)
            with trio.fail_after(10):
                self.streams.append(await carrier.open(victim, there))


async def _say_nothing(there: Address) -> None:
    with suppress(OSError, trio.BrokenResourceError):
        async with await trio.open_tcp_stream(there.host, there.port) as stream:
            await stream.receive_some(1)


@asynccontextmanager
async def flooding() -> AsyncIterator[Strangers]:
    """Have strangers at hand."""
    async with AsyncExitStack() as stack:
        seeds = [hashlib.sha256(b"stranger %d" % number).digest() for number in range(STRANGERS)]
        carriers = [await stack.enter_async_context(open_carrier(one, [HERE])) for one in seeds]
        async with trio.open_nursery() as nursery:
            strangers = Strangers(carriers, nursery)
            try:
                yield strangers
            finally:
                nursery.cancel_scope.cancel()
                with trio.CancelScope(shield=True):
                    for stream in strangers.streams:
                        await stream.abandon()


@asynccontextmanager
async def node(number: int) -> AsyncIterator[tuple[Libp2pCarrier, Switchboard]]:
    """Run a node whose door knows whom it wants."""
    async with (
        open_carrier(SEEDS[number], [HERE]) as carrier,
        open_switchboard(carrier, Chance("flood", number)) as links,
    ):
        carrier.door.acquaintances = Acquaintances(links.knows, links.expects)
        yield carrier, links


def test_who_plays_comes_back_in_and_stays() -> None:
    async def main() -> None:
        async with node(0) as (carrier, links), flooding() as strangers:
            seat = links.link(key(1))
            await strangers.come(carrier.key, carrier.addresses()[0])
            async with node(1) as (_, there):
                there.link(carrier.key, carrier.addresses())
                with trio.fail_after(10):
                    await up(seat)
                await strangers.come(carrier.key, carrier.addresses()[0])
                assert seat.state is LinkState.UP
                await seat.send(b"still here")
            # Its program was stopped; it begins anew.
            async with node(1) as (_, there):
                again = links.link(key(1))
                there.link(carrier.key, carrier.addresses())
                with trio.fail_after(10):
                    await up(again)

    trio.run(main)


def test_who_plays_is_dialled_whatever_strangers_hold() -> None:
    async def main() -> None:
        async with (
            node(0) as (carrier, links),
            flooding() as strangers,
            node(1) as (other, _),
        ):
            await strangers.come(carrier.key, carrier.addresses()[0])
            seat = links.link(other.key, other.addresses())
            with trio.fail_after(10):
                await up(seat)
            await strangers.come(carrier.key, carrier.addresses()[0])
            assert seat.state is LinkState.UP

    trio.run(main)


def test_strangers_hold_no_more_than_their_share() -> None:
    async def main() -> None:
        async with node(0) as (carrier, links), flooding() as strangers:
            for _ in range(2):
                await strangers.come(carrier.key, carrier.addresses()[0])
            with trio.fail_after(10):
                while len(links.links) > 2:
                    await links._bell.wait()
            swarm = carrier.host.get_network()
            assert len(swarm.connections) <= STRANGERS

    trio.run(main)


@pytest.mark.parametrize("watches", [False, True])
def test_a_guest_with_an_invite_comes_in_and_stays(tmp_path: Path, watches: bool) -> None:
    meeting = Meeting(tmp_path)
    found: list[LinkState] = []

    async def main() -> None:
        async with AsyncExitStack() as stack:
            host = await stack.enter_async_context(at(meeting, 0))
            room = meeting.host(3)
            host.open_room(room)
            there = host.addresses()[0]
            strangers = await stack.enter_async_context(flooding())
            host_key = PeerKey(meeting.home(0).identity.public)
            await strangers.come(host_key, there)
            guest = await stack.enter_async_context(at(meeting, 1))
            visit = guest_of(meeting, room, there, watches=watches)
            guest.open_room(visit)
            with trio.fail_after(10):
                await until_in(visit)
            link = host._switchboard.find(PeerKey(meeting.home(1).identity.public))
            assert link is not None
            await strangers.come(host_key, there)
            found.append(link.state)

    trio.run(main)
    assert found == [LinkState.UP]


@asynccontextmanager
async def at(meeting: Meeting, number: int) -> AsyncIterator[Node]:
    reach = Listening((HERE,), meets_nearby=False)
    async with on_network(meeting.home(number).identity, reach) as one:
        yield one


def guest_of(meeting: Meeting, room: Room, there: Address, *, watches: bool) -> Room:
    assert isinstance(room.held, Host)
    invite = room.held.invite((str(there),), watches=watches)
    visit = visiting.knocking(invite, "Guest", meeting.home(1).identity.signer)
    return Room(*visit, meeting.file(1, "lobby.guest"))


async def until_in(visit: Room) -> None:
    while isinstance(visit.held, Guest) and visit.held.phase is GuestPhase.KNOCKING:
        await visit.bell.wait()


def test_who_was_let_in_is_known_until_it_is_removed(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)

    async def main() -> None:
        async with at(meeting, 0) as host, at(meeting, 1) as guest:
            room = meeting.host(3)
            host.open_room(room)
            visit = guest_of(meeting, room, host.addresses()[0], watches=False)
            guest.open_room(visit)
            with trio.fail_after(10):
                await until_in(visit)
            mine = PeerKey(meeting.home(1).identity.public)
            carrier = host._switchboard._carrier
            assert isinstance(carrier, Libp2pCarrier)
            knows = carrier.door.acquaintances.knows
            assert knows(mine)
            assert isinstance(room.held, Host)
            room.take(*hosting.remove(room.held, mine))
            assert not knows(mine)
            assert guest.welcomes(PeerKey(meeting.home(0).identity.public))

    trio.run(main)
