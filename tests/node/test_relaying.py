"""Through a relay: a peer that nobody dials is reached, and everything holds as without one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import base58
import pytest
import trio
from libp2p.custom_types import TProtocol
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.network.stream.exceptions import StreamError
from libp2p.peer.id import ID
from libp2p.relay.circuit_v2.pb.circuit_pb2 import NO_RESERVATION, HopMessage, PeerId, StopMessage
from libp2p.relay.circuit_v2.protocol import PROTOCOL_ID as HOP
from libp2p.relay.circuit_v2.protocol import STOP_PROTOCOL_ID as STOP
from libp2p.relay.circuit_v2.utils import read_delimited_msg, write_delimited_msg
from libp2p.stream_muxer.exceptions import MuxedStreamError

from nodealer.kernel import Cause, Way
from nodealer.kernel.chance import Chance
from nodealer.node.transport import over_libp2p, relaying
from nodealer.node.transport.addresses import Address, PeerKey, peer_id
from nodealer.node.transport.carrier import Unreachable
from nodealer.node.transport.guarded import IDLE_SECONDS, GuardedSwarm
from nodealer.node.transport.library import dial, open_stream
from nodealer.node.transport.multiplexer import Multiplexer
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from nodealer.node.transport.switchboard import open_switchboard
from nodealer.node.transport.windows import Began
from tests.node.makers import HERE, SEEDS, ended, in_virtual_time, key, stream_between


def relayed(carrier: Libp2pCarrier) -> list[Address]:
    """Return the addresses of a carrier that go through a relay."""
    return [address for address in carrier.addresses() if address.relay is not None]


async def placed(carrier: Libp2pCarrier, count: int = 1) -> list[Address]:
    """Wait until a carrier has so many places at relays."""
    with trio.fail_after(20):
        while len(relayed(carrier)) != count:
            await carrier.addresses_changed()
    return relayed(carrier)


@asynccontextmanager
async def three() -> AsyncIterator[tuple[Libp2pCarrier, Libp2pCarrier, Libp2pCarrier]]:
    """Run a node, a relay, and a node with a place there."""
    async with (
        open_carrier(SEEDS[2], [HERE], is_relay=True) as relay,
        open_carrier(SEEDS[0], [HERE]) as near,
        open_carrier(SEEDS[1], [HERE]) as far,
    ):
        far.keep_place(relay.key, relay.addresses()[0])
        await placed(far)
        yield near, relay, far


def test_a_link_through_a_relay_is_a_link() -> None:
    async def main() -> None:
        async with (
            three() as (near, relay, far),
            open_switchboard(near, Chance(0)) as one,
            open_switchboard(far, Chance(1)) as other,
        ):
            (address,) = relayed(far)
            assert address == replace(relay.addresses()[0], relay=relay.key)
            here = one.link(far.key, (address,))
            there = await other.accept()
            there.keep()
            assert await here.receive() == await there.receive() == Began(renewed=False)
            for link, peer in ((here, there), (there, here)):
                assert link.reach.way is Way.RELAYED
                assert link.reach.relay == peer_id(relay.key)
                await link.send(bytes(1 << 20))
                await link.send(b"x")
                assert await peer.receive() == bytes(1 << 20)
                assert await peer.receive() == b"x"
            assert here.peer == key(1)
            assert there.peer == key(0)
            # A better path takes over, and nothing is lost.
            await here.send(b"on the way")
            there.keep(near.addresses())
            here.keep(far.addresses()[:1])
            stream = await near.open(far.key, far.addresses()[0])
            here.take_up(stream)
            assert await there.receive() == b"on the way"
            while here.reach.way is not Way.DIRECT:
                await here.changed()

    trio.run(main)


def test_what_a_relayed_stream_leaves_behind_is_nothing() -> None:
    async def main() -> None:
        async with three() as (near, relay, far):
            (address,) = relayed(far)
            here = await near.open(far.key, address)
            there = await far.accept()
            assert there.place == address
            await here.abandon()
            with trio.fail_after(10):
                assert await ended(there)
            await there.abandon()
            # The place itself stays.
            assert relayed(far) == [address]
            assert ID.from_string(peer_id(relay.key)) not in near.host.get_connected_peers()

    trio.run(main)


@pytest.mark.parametrize("peer", [3, 0])
def test_a_peer_without_a_place_is_not_reached(peer: int) -> None:
    async def main() -> None:
        async with three() as (near, _, far):
            (address,) = relayed(far)
            with pytest.raises(Unreachable, match="the relay answers") as caught:
                await far.open(key(peer), address)
            assert caught.value.cause is Cause.NOT_AT_RELAY
            assert near.key == key(0)

    trio.run(main)


def test_a_node_that_is_no_relay_relays_nothing() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as one, open_carrier(SEEDS[1], [HERE]) as other:
            address = replace(other.addresses()[0], relay=other.key)
            with pytest.raises(Unreachable) as caught:
                await one.open(key(3), address)
            assert caught.value.cause is Cause.NO_RELAY

    trio.run(main)


def test_a_place_is_found_again_when_the_relay_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaying, "RETRY_SECONDS", 0.2)
    monkeypatch.setattr(relaying, "RENEW_SECONDS", 0.1)

    async def main() -> None:
        async with open_carrier(SEEDS[1], [HERE]) as far, open_carrier(SEEDS[0], [HERE]) as near:
            async with open_carrier(SEEDS[2], [HERE], is_relay=True) as relay:
                place = relay.addresses()[0]
                far.keep_place(relay.key, place)
                await placed(far)
                await trio.sleep(0.3)
                await placed(far)
            await placed(far, 0)
            async with open_carrier(SEEDS[2], [place], is_relay=True):
                (address,) = await placed(far)
                here = await near.open(far.key, address)
                await here.write(b"there again")
                assert await (await far.accept()).read() == b"there again"

    trio.run(main)


async def pass_on(forger: Libp2pCarrier, far: Libp2pCarrier, message: StopMessage) -> bool:
    """Let somebody pass a connection on to a node, and say whether the node ends it."""
    here = await forger.open(far.key, far.addresses()[0])
    assert isinstance(here, over_libp2p.Libp2pStream)
    with trio.fail_after(15):
        try:
            stream = await open_stream(here.connection, TProtocol(str(STOP)))
            await write_delimited_msg(stream, message)
            return await stream.read(1) == b""
        except (StreamError, MuxedStreamError):
            return True


def test_nobody_else_passes_anything_on() -> None:
    async def main() -> None:
        peer = PeerId(id=ID.from_string(peer_id(PeerKey(bytes(32)))).to_bytes())
        message = StopMessage(type=StopMessage.CONNECT, peer=peer)
        async with three() as (near, relay, far):
            assert await pass_on(near, far, message)
            # Nor does a relay with other words than these.
            assert await pass_on(relay, far, StopMessage(type=StopMessage.STATUS))
            here, there = await stream_between(near, far)
            await here.write(b"all is well")
            while there.peer != near.key:
                there = await far.accept()

    trio.run(main)


def test_a_place_that_is_renewed_leaves_no_streams() -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE], is_relay=True) as relay,
            open_carrier(SEEDS[1], [HERE]) as guest,
        ):
            swarm = guest.host.get_network()
            assert isinstance(swarm, GuardedSwarm)
            peer = ID.from_string(peer_id(relay.key))
            connection = await dial(swarm, relay.addresses()[0], peer)
            assert isinstance(connection, SwarmConn)
            for _ in range(5):
                await guest._relaying._reserve(connection)
            assert isinstance(connection.muxed_conn, Multiplexer)
            assert not connection.muxed_conn.streams

    trio.run(main)


def test_a_place_may_be_quiet_for_longer_than_other_connections() -> None:
    async def main() -> None:
        async with three() as (near, relay, far):
            swarm = relay.host.get_network()
            assert isinstance(swarm, GuardedSwarm)
            (place,) = swarm.get_connections(ID.from_string(peer_id(far.key)))
            await trio.sleep(relaying.RENEW_SECONDS - IDLE_SECONDS)
            assert swarm.get_connections(ID.from_string(peer_id(far.key))) == [place]
            here = await near.open(far.key, relayed(far)[0])
            await here.write(b"still there")
            assert await (await far.accept()).read() == b"still there"

    in_virtual_time(main)


@pytest.mark.parametrize("who", ["relay", "guest"])
def test_no_text_is_made_of_a_name_of_many_bytes(monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    """In base 58 bytes cost the more the more there are; of one word as many as it may have."""
    lengths: list[int] = []
    encode = base58.b58encode

    def noted(data: bytes) -> bytes:
        lengths.append(len(data))
        return encode(data)

    monkeypatch.setattr(base58, "b58encode", noted)
    peer = PeerId(id=ID.from_string(peer_id(key(0))).to_bytes() + bytes(4_000))

    async def main() -> None:
        async with three() as (near, relay, far):
            if who == "guest":
                message = StopMessage(type=StopMessage.CONNECT, peer=peer)
                assert await pass_on(relay, far, message)
            else:
                here = await near.open(relay.key, relay.addresses()[0])
                assert isinstance(here, over_libp2p.Libp2pStream)
                stream = await open_stream(here.connection, HOP)
                await write_delimited_msg(stream, HopMessage(type=HopMessage.CONNECT, peer=peer))
                answer = await read_delimited_msg(stream, HopMessage)
                assert answer.status == NO_RESERVATION

    trio.run(main)
    assert max(lengths) <= 38
