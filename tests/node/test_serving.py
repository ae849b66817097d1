"""What a relay of ours does for strangers: a place for each, for as long as it is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
import trio
from libp2p.abc import INetStream
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.network.swarm import Swarm
from libp2p.peer.id import ID
from libp2p.relay.circuit_v2.pb.circuit_pb2 import (
    CONNECTION_FAILED,
    MALFORMED_MESSAGE,
    NO_RESERVATION,
    OK,
    PERMISSION_DENIED,
    RESOURCE_LIMIT_EXCEEDED,
    HopMessage,
    PeerId,
    Reservation,
    StopMessage,
)
from libp2p.relay.circuit_v2.protocol import PROTOCOL_ID as HOP
from libp2p.relay.circuit_v2.protocol import STOP_PROTOCOL_ID as STOP
from libp2p.relay.circuit_v2.utils import read_delimited_msg, write_delimited_msg
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel.rates import Rate
from nodealer.node.transport import relaying, serving
from nodealer.node.transport.addresses import Address, PeerKey, peer_id
from nodealer.node.transport.admission import PlaceShare
from nodealer.node.transport.carrier import Stream, StreamBroken, Unreachable
from nodealer.node.transport.library import open_stream
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from nodealer.node.transport.timing import SECOND_US
from tests.node.makers import HERE, SEEDS, ended, key
from tests.node.test_relaying import placed, relayed, three

RESERVE = HopMessage(type=HopMessage.RESERVE)
ELSEWHERE = "127.0.5.1"
"""A number of this machine that is of another block."""


def id_of(peer: PeerKey) -> ID:
    return ID.from_string(peer_id(peer))


def connecting(peer: PeerKey) -> HopMessage:
    return HopMessage(type=HopMessage.CONNECT, peer=PeerId(id=id_of(peer).to_bytes()))


async def connected(
    carrier: Libp2pCarrier, relay: Libp2pCarrier, source: str = "127.0.0.1"
) -> SwarmConn:
    """Return a connection to a relay, from this number of the machine."""
    swarm = carrier.host.get_network()
    assert isinstance(swarm, Swarm)
    place = Multiaddr(str(relay.addresses()[0]))
    connection = await swarm.dial_addr(place, id_of(relay.key), (source, 0))
    assert isinstance(connection, SwarmConn)
    return connection


async def ask(connection: SwarmConn, message: HopMessage) -> tuple[int, Reservation]:
    """Return what a relay answers."""
    with trio.fail_after(10):
        stream = await open_stream(connection, HOP)
        await write_delimited_msg(stream, message)
        answer = await read_delimited_msg(stream, HopMessage)
        await stream.reset()
    return answer.status, answer.reservation


@asynccontextmanager
async def relay_and(count: int) -> AsyncIterator[tuple[Libp2pCarrier, list[Libp2pCarrier]]]:
    """Run a relay, and others that know it."""
    async with AsyncExitStack() as stack:
        relay = await stack.enter_async_context(open_carrier(SEEDS[7], [HERE], is_relay=True))
        others = [
            await stack.enter_async_context(open_carrier(seed, [HERE])) for seed in SEEDS[:count]
        ]
        yield relay, others


def kept_at(relay: Libp2pCarrier) -> set[PeerKey]:
    """Return who has a place."""
    assert not relay.door.acquaintances.expects("127.0.0.1")
    return {key(one) for one in range(len(SEEDS)) if relay._swarm.may_rest(key(one))}


def test_a_place_ends_with_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PLACES_AT_RELAY", PlaceShare(of_all=1, of_block=1, of_key=1))
    monkeypatch.setattr(relaying, "RETRY_SECONDS", 0.1)

    async def main() -> None:
        async with relay_and(2) as (relay, (one, other)):
            first = await connected(one, relay)
            status, reservation = await ask(first, RESERVE)
            assert status == OK
            assert reservation.addrs
            assert (await ask(first, RESERVE))[0] == OK
            other.keep_place(relay.key, relay.addresses()[0])
            await trio.sleep(0.3)
            assert relayed(other) == []
            await first.close()
            await placed(other)
            assert kept_at(relay) == {other.key}

    trio.run(main)


def test_one_block_cannot_take_all_places_nor_keep_them_from_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "PLACES_AT_RELAY", PlaceShare(of_all=3, of_block=2, of_key=1))

    async def main() -> None:
        async with relay_and(5) as (relay, others):
            here = [await connected(one, relay) for one in others[:3]]
            there = [await connected(one, relay, ELSEWHERE) for one in others[3:]]
            answers = [(await ask(one, RESERVE))[0] for one in here]
            assert answers == [OK, OK, RESOURCE_LIMIT_EXCEEDED]
            assert (await ask(there[0], RESERVE))[0] == OK
            # All are taken, and this block would have as many as the other one.
            assert (await ask(there[1], RESERVE))[0] == RESOURCE_LIMIT_EXCEEDED
            third = await connected(others[2], relay, "127.0.6.1")
            assert (await ask(third, RESERVE))[0] == OK
            with trio.fail_after(10):
                await here[1].event_closed.wait()
            assert kept_at(relay) == {others[0].key, others[3].key, others[2].key}

    trio.run(main)


def test_a_place_is_for_the_key_that_asks() -> None:
    async def main() -> None:
        async with relay_and(2) as (relay, (one, other)):
            connection = await connected(one, relay)
            forged = HopMessage(
                type=HopMessage.RESERVE, peer=PeerId(id=id_of(other.key).to_bytes())
            )
            assert (await ask(connection, forged))[0] == PERMISSION_DENIED
            assert kept_at(relay) == set()
            named = HopMessage(type=HopMessage.RESERVE, peer=PeerId(id=id_of(one.key).to_bytes()))
            assert (await ask(connection, named))[0] == OK
            # Who comes anew has its place anew, and the end of the old connection leaves it.
            again = await connected(one, relay, ELSEWHERE)
            assert (await ask(again, RESERVE))[0] == OK
            await connection.close()
            await trio.sleep(0.3)
            assert kept_at(relay) == {one.key}

    trio.run(main)


def test_what_is_no_request_is_refused() -> None:
    async def main() -> None:
        async with relay_and(1) as (relay, (one,)):
            connection = await connected(one, relay)
            status = HopMessage(type=HopMessage.STATUS, status=OK)
            assert (await ask(connection, status))[0] == MALFORMED_MESSAGE
            assert (await ask(connection, connecting(key(4))))[0] == NO_RESERVATION
            junk = HopMessage(type=HopMessage.CONNECT, peer=PeerId(id=b"nobody"))
            assert (await ask(connection, junk))[0] == NO_RESERVATION
            assert (await ask(connection, RESERVE))[0] == OK

    trio.run(main)


def test_a_place_that_nobody_renews_is_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PLACE_SECONDS", 0)

    async def main() -> None:
        async with three() as (near, _, far):
            with pytest.raises(Unreachable, match=str(NO_RESERVATION)):
                await near.open(far.key, relayed(far)[0])

    trio.run(main)


async def refuse(stream: INetStream) -> None:
    await read_delimited_msg(stream, StopMessage)
    answer = StopMessage(type=StopMessage.STATUS, status=PERMISSION_DENIED)
    await write_delimited_msg(stream, answer)


def test_nobody_is_passed_on_to_whoever_does_not_want_it() -> None:
    async def main() -> None:
        async with relay_and(2) as (relay, (one, other)):
            # It takes up nobody from a relay at which it keeps no place by itself.
            assert (await ask(await connected(one, relay), RESERVE))[0] == OK
            connection = await connected(other, relay)
            assert (await ask(connection, connecting(one.key)))[0] == CONNECTION_FAILED
            one.host.set_stream_handler(STOP, refuse)
            assert (await ask(connection, connecting(one.key)))[0] == CONNECTION_FAILED

    trio.run(main)


async def opened_at_last(carrier: Libp2pCarrier, peer: PeerKey, address: Address) -> Stream:
    """Try until the relay has noticed that what was passed on before has ended."""
    while True:
        try:
            return await carrier.open(peer, address)
        except Unreachable:
            await trio.sleep(0.1)


def through(relay: Libp2pCarrier) -> Address:
    return replace(relay.addresses()[0], relay=relay.key)


def test_nobody_is_passed_on_more_often_than_it_may_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "CIRCUITS", PlaceShare(of_key=1))

    async def main() -> None:
        async with three() as (near, relay, far):
            here = await near.open(far.key, through(relay))
            there = await far.accept()
            with pytest.raises(Unreachable, match=str(RESOURCE_LIMIT_EXCEEDED)):
                await near.open(far.key, through(relay))
            await here.write(b"all is well")
            assert await there.read() == b"all is well"
            await here.abandon()
            await there.abandon()
            with trio.fail_after(10):
                here = await opened_at_last(near, far.key, through(relay))
                await here.write(b"again")
                assert await (await far.accept()).read() == b"again"

    trio.run(main)


def test_a_block_may_not_knock_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "CIRCUIT_ATTEMPTS", Rate(1, 1_000 * SECOND_US))

    async def main() -> None:
        async with three() as (near, relay, far):
            await near.open(far.key, through(relay))
            with pytest.raises(Unreachable, match=str(RESOURCE_LIMIT_EXCEEDED)):
                await near.open(far.key, through(relay))
            connection = await connected(near, relay, ELSEWHERE)
            assert (await ask(connection, connecting(far.key)))[0] == OK

    trio.run(main)


def test_what_is_passed_on_gives_way_to_a_block_that_has_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "CIRCUITS_TO_ONE", PlaceShare(of_all=2))

    async def main() -> None:
        async with three() as (near, relay, far):
            first, second = [await near.open(far.key, through(relay)) for _ in range(2)]
            connection = await connected(near, relay, ELSEWHERE)
            assert (await ask(connection, connecting(far.key)))[0] == OK
            with trio.fail_after(10):
                assert await ended(second)
            await first.write(b"all is well")
            assert await (await far.accept()).read() == b"all is well"
            assert relayed(far) == [through(relay)]

    trio.run(main)


def test_a_connection_that_had_enough_ends_and_the_place_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "CIRCUIT_BYTES", 1 << 16)

    async def main() -> None:
        async with three() as (near, relay, far):
            here = await near.open(far.key, through(relay))
            there = await far.accept()
            with trio.fail_after(20):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(write_until_broken, here)
                    while not await ended(there):
                        pass
                    await here.abandon()
            assert relayed(far) == [through(relay)]

    trio.run(main)


async def write_until_broken(stream: Stream) -> None:
    try:
        while True:
            await stream.write(bytes(1 << 12))
    except StreamBroken:
        return
