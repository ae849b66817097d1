"""What a peer can do with frames of yamux once it has proven a key: nothing grows or starves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import pytest
import trio
import trio.testing
from libp2p.connection_types import ConnectionType
from libp2p.network.connection.swarm_connection import SwarmConn
from libp2p.stream_muxer.exceptions import (
    MuxedConnUnavailable,
    MuxedStreamEOF,
    MuxedStreamError,
    MuxedStreamReset,
)

from nodealer.node.transport import multiplexer as module
from nodealer.node.transport.admission import Acquaintances
from nodealer.node.transport.doorkeeper import Doorkeeper
from nodealer.node.transport.guarded import ROOM, GuardedSwarm, muxed
from nodealer.node.transport.library import open_stream
from nodealer.node.transport.multiplexer import WINDOW_BYTES, Multiplexer, MuxedStream
from nodealer.node.transport.over_libp2p import PROTOCOL, Libp2pCarrier, Libp2pStream, open_carrier
from tests.node.makers import HERE, SEEDS, in_virtual_time, stream_between
from tests.node.stranger import (
    ACK,
    CREDIT,
    DATA,
    FIN,
    GO_AWAY,
    PING,
    RST,
    SYN,
    Stranger,
    calling,
    data,
    frame,
    line,
)
from tests.node.test_pitfalls import is_well

BLOCK = bytes(1 << 14)

Step = Callable[[Stranger], Awaitable[object]]


async def multiplexer_of(carrier: Libp2pCarrier) -> Multiplexer:
    """Return the one connection of a carrier, as soon as it is in the books."""
    swarm = carrier.host.get_network()
    assert isinstance(swarm, GuardedSwarm)
    while not swarm.connections:
        await trio.lowlevel.checkpoint()
    ((connection,),) = swarm.connections.values()
    assert isinstance(connection, SwarmConn)
    assert isinstance(connection.muxed_conn, Multiplexer)
    return connection.muxed_conn


async def link_stream(stranger: Stranger, number: int) -> None:
    """Begin a stream that nobody reads: it waits to be accepted."""
    await stranger.propose(number, str(PROTOCOL))
    said = b""
    while not said.endswith(line(str(PROTOCOL))):
        said += (await stranger.hear_frame())[4]


# --- rules ---


async def an_unknown_kind(stranger: Stranger) -> None:
    await stranger.send(frame(9, 0, 0, 0))


async def another_version(stranger: Stranger) -> None:
    await stranger.send(b"\x01" + frame(PING, SYN, 0, 0)[1:])


async def a_frame_longer_than_any_window(stranger: Stranger) -> None:
    await stranger.send(frame(DATA, SYN, 1, WINDOW_BYTES + 1))


async def more_than_the_window(stranger: Stranger) -> None:
    await link_stream(stranger, 1)
    for _ in range(WINDOW_BYTES // len(BLOCK)):
        await stranger.send(data(1, BLOCK))
    await stranger.send(data(1, b"x"))


async def a_number_of_ours(stranger: Stranger) -> None:
    await stranger.send(frame(CREDIT, SYN, 2, 0))


async def no_number(stranger: Stranger) -> None:
    await stranger.send(frame(CREDIT, SYN, 0, 0))


async def a_number_twice(stranger: Stranger) -> None:
    await stranger.send(frame(CREDIT, SYN, 1, 0) + frame(CREDIT, RST, 1, 0))
    await stranger.send(frame(CREDIT, SYN, 1, 0))


async def a_number_before_others(stranger: Stranger) -> None:
    await stranger.send(frame(CREDIT, SYN, 5, 0) + frame(CREDIT, SYN, 3, 0))


async def too_many_streams(stranger: Stranger) -> None:
    for number in range(ROOM.streams_max + 1):
        await stranger.send(frame(CREDIT, SYN, 2 * number + 1, 0))


async def more_behind_the_end(stranger: Stranger) -> None:
    await stranger.send(frame(CREDIT, SYN | FIN, 1, 0) + data(1, b"x"))


async def a_goodbye(stranger: Stranger) -> None:
    await stranger.send(frame(GO_AWAY, 0, 0, 0))


BROKEN: list[Step] = [
    an_unknown_kind,
    another_version,
    a_frame_longer_than_any_window,
    more_than_the_window,
    a_number_of_ours,
    no_number,
    a_number_twice,
    a_number_before_others,
    too_many_streams,
    more_behind_the_end,
    a_goodbye,
]


@pytest.mark.parametrize("step", BROKEN, ids=lambda step: str(step.__name__))
def test_who_breaks_a_rule_loses_the_connection_at_once(step: Step) -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier:
            async with calling(carrier) as stranger:
                await stranger.come_in()
                began = trio.current_time()
                with suppress(trio.BrokenResourceError):  # it is not waited for the end of it
                    await step(stranger)
                await stranger.is_shut_out()
                assert trio.current_time() - began < 1
            if step is more_than_the_window:
                await (await carrier.accept()).abandon()
            await is_well(carrier)

    in_virtual_time(main)


def test_frames_for_streams_that_are_no_more_are_passed_over() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            await stranger.come_in()
            await stranger.send(data(7, b"x") + frame(CREDIT, 0, 9, 1) + frame(CREDIT, RST, 9, 1))
            await stranger.send(frame(PING, ACK, 0, 1) + frame(PING, SYN, 0, 77))
            assert await stranger.hear_frame() == (PING, ACK, 0, 77, b"")

    trio.run(main)


# --- what grows ---


def test_of_many_pings_the_last_is_answered() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            await stranger.come_in()
            held = await multiplexer_of(carrier)
            async with held._line:  # as if nobody read what we write
                await stranger.send(b"".join(frame(PING, SYN, 0, one) for one in range(200)))
                while held._pong != 199:
                    await trio.lowlevel.checkpoint()
            heard = [await stranger.hear_frame()]
            while heard[-1][3] != 199:
                heard.append(await stranger.hear_frame())
            assert len(heard) <= 2

    trio.run(main)


def test_streams_that_come_and_go_leave_a_bounded_number_of_words_to_be_written() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            await stranger.come_in()
            held = await multiplexer_of(carrier)
            async with held._line:
                for number in range(1, 200, 2):
                    with suppress(trio.BrokenResourceError):
                        await stranger.send(frame(CREDIT, SYN, number, 0))
                        await stranger.send(frame(CREDIT, RST, number, 0))
                    assert len(held._owed) <= 2 * ROOM.streams_max + 1
                await held.event_closed.wait()

    in_virtual_time(main)


def test_what_is_unread_is_bounded_for_all_streams_together() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[0], [HERE]) as carrier, calling(carrier) as stranger:
            await stranger.come_in()
            held = await multiplexer_of(carrier)
            most = 0
            for number in range(1, 2 * ROOM.streams_max, 2):
                await link_stream(stranger, number)
                for _ in range(WINDOW_BYTES // len(BLOCK) - 1):
                    await stranger.send(data(number, BLOCK))
                    most = max(most, sum(len(one.unread) for one in held.streams.values()))
            assert 0 < most <= ROOM.unread_bytes_max
            assert not held.is_closed
            for _ in range(ROOM.streams_max):
                await (await carrier.accept()).abandon()

    trio.run(main)


def test_where_too_much_is_unread_the_fullest_stream_is_reset() -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE]) as one,
            open_carrier(SEEDS[1], [HERE]) as other,
        ):
            here, _ = await stream_between(one, other)
            assert isinstance(here, Libp2pStream)
            held = await multiplexer_of(other)
            held._room = module.StreamRoom(streams_max=8, unread_bytes_max=1000)
            second = muxed(await open_stream(here.connection, PROTOCOL))
            there = await other.accept()
            await here.write(bytes(400))
            await second.write(bytes(900))
            with trio.fail_after(10), pytest.raises(MuxedStreamReset):
                await second.read()
            with pytest.raises(MuxedStreamReset):
                await second.write(b"x")
            assert not held.is_closed
            await there.abandon()

    trio.run(main)


# --- what gives way ---


EVERYBODY = Acquaintances(lambda _: True, lambda _: True)


@pytest.mark.parametrize("known", [Acquaintances(), EVERYBODY], ids=["strangers", "friends"])
def test_other_tasks_have_a_turn_after_each_frame(known: Acquaintances) -> None:
    frames = 2000

    async def main() -> None:
        door = Doorkeeper()
        door.acquaintances = known
        async with (
            open_carrier(SEEDS[0], [HERE], door=door) as carrier,
            calling(carrier) as stranger,
            trio.open_nursery() as nursery,
        ):
            await stranger.come_in()
            held = await multiplexer_of(carrier)
            turns, taken = 0, 0
            take = held._take
            gaps: list[int] = []

            def counted(kind: int, flags: int, number: int, value: int, body: bytes) -> None:
                nonlocal taken, turns
                taken += 1
                gaps.append(turns)
                turns = 0
                take(kind, flags, number, value, body)

            async def another() -> None:
                nonlocal turns
                while True:
                    turns += 1
                    await trio.lowlevel.checkpoint()

            held._take = counted  # type: ignore[method-assign]
            nursery.start_soon(another)
            await stranger.send(b"".join(frame(PING, 0, 0, one) for one in range(frames)))
            while taken < frames:
                await trio.lowlevel.checkpoint()
            # Which of two tasks that can run comes first is left to chance.
            assert min(map(sum, pairwise(gaps[1:]))) >= 1
            nursery.cancel_scope.cancel()

    trio.run(main)


def test_other_tasks_have_a_turn_between_packets_however_small_they_are() -> None:
    """A guest, a spectator or a seat needs no frame for it: one of 256 KiB in packets of a byte."""
    packets = 2000

    async def main() -> None:
        door = Doorkeeper()
        door.acquaintances = EVERYBODY
        async with (
            open_carrier(SEEDS[0], [HERE], door=door) as carrier,
            calling(carrier) as stranger,
            trio.open_nursery() as nursery,
        ):
            await stranger.come_in()
            held = await multiplexer_of(carrier)
            noise, turns, gaps = held._secured._noise, 0, list[int]()

            class Counting:
                def encrypt(self, data: bytes) -> bytes:
                    return noise.encrypt(data)

                def decrypt(self, data: bytes) -> bytes:
                    nonlocal turns
                    gaps.append(turns)
                    turns = 0
                    return noise.decrypt(data)

            async def another() -> None:
                nonlocal turns
                while True:
                    turns += 1
                    await trio.lowlevel.checkpoint()

            held._secured._noise = Counting()
            nursery.start_soon(another)
            content = frame(DATA, 0, 7, WINDOW_BYTES) + bytes(packets)
            sealed = [bytes(stranger.noise.encrypt(content[at : at + 1])) for at in range(packets)]
            await stranger.raw.send_all(
                b"".join(len(one).to_bytes(2, "big") + one for one in sealed)
            )
            while len(gaps) < packets:
                await trio.lowlevel.checkpoint()
            assert min(map(sum, pairwise(gaps[1:]))) >= 1
            nursery.cancel_scope.cancel()

    trio.run(main)


# --- streams ---


async def require(read: Callable[[int], Awaitable[bytes]], count: int, found: bytes) -> None:
    assert await read(count) == found


@asynccontextmanager
async def two_ends() -> AsyncIterator[tuple[MuxedStream, MuxedStream, Multiplexer, Multiplexer]]:
    """Open one stream, and return both ends and both connections."""
    async with open_carrier(SEEDS[0], [HERE]) as one, open_carrier(SEEDS[1], [HERE]) as other:
        here, there = await stream_between(one, other)
        assert isinstance(here, Libp2pStream)
        assert isinstance(there, Libp2pStream)
        at_one, at_other = await multiplexer_of(one), await multiplexer_of(other)
        yield here._below, there._below, at_one, at_other


def test_a_stream_is_read_in_pieces_and_to_its_end() -> None:
    async def main() -> None:
        async with two_ends() as (here, there, one, other):
            await here.muxed_conn.open_stream()
            await here.write(b"")
            async with here:
                await here.write(b"abcdef")
            await here.close()
            assert await there.read(2) == b"ab"
            assert await there.read(-1) == b"cdef"
            for _ in range(2):
                with pytest.raises(MuxedStreamEOF):
                    await there.read()
            with pytest.raises(MuxedStreamError):
                await here.write(b"more")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(there.write, b"an ")
                nursery.start_soon(require, here.exactly, 9, b"an answer")
                await trio.testing.wait_all_tasks_blocked()
                await there.write(b"answer")
            await there.close()
            with pytest.raises(MuxedStreamEOF):
                await here.exactly(1)
            assert here.number not in one.streams
            assert there.number not in other.streams
            with pytest.raises(NotImplementedError):
                here.set_deadline(1)
            remote = here.get_remote_address()
            assert remote is not None
            assert remote[0] == "127.0.0.1"
            assert one.is_initiator
            assert one.is_established
            assert not other.is_initiator
            assert one.get_connection_type() is ConnectionType.DIRECT

    trio.run(main)


def test_what_came_before_an_end_is_read_although_the_connection_has_broken() -> None:
    async def main() -> None:
        async with two_ends() as (here, there, one, other):
            await here.write(b"last words")
            await here.close()
            while there.number in other.streams and not there.ended.is_set():
                await trio.lowlevel.checkpoint()
            await one.close()
            await one.close()
            await other.event_closed.wait()
            assert await there.read() == b"last words"
            with pytest.raises(MuxedStreamReset):
                await there.read()
            with pytest.raises(MuxedStreamReset):
                await there.write(b"x")
            await there.close()
            await there.reset()
            with pytest.raises(MuxedConnUnavailable):
                await one.open_stream()
            with pytest.raises(MuxedConnUnavailable):
                await one.accept_stream()
            with pytest.raises(MuxedStreamReset):
                await one.send(b"x")

    trio.run(main)


def test_a_writer_waits_for_its_reader_and_both_hold_one_window() -> None:
    async def main() -> None:
        async with two_ends() as (here, there, _, _), trio.open_nursery() as nursery:
            # The reader of the carrier is not running: nobody reads but this test.
            nursery.start_soon(here.write, bytes(3 * WINDOW_BYTES))
            found = 0
            while found < 3 * WINDOW_BYTES:
                await trio.testing.wait_all_tasks_blocked()
                assert len(there.unread) <= WINDOW_BYTES
                found += len(await there.read(100_000))

    trio.run(main)


def test_a_write_that_does_not_end_breaks_the_connection() -> None:
    async def main() -> None:
        async with two_ends() as (here, _, one, _), trio.open_nursery() as nursery:

            async def never(data: bytes) -> None:
                del data
                await trio.sleep_forever()

            one._secured.write = never  # type: ignore[method-assign]
            with pytest.raises(MuxedStreamReset):
                await here.write(b"x")
            await one.event_closed.wait()
            nursery.cancel_scope.cancel()

    in_virtual_time(main)


def test_a_frame_is_written_whole_although_its_writer_is_cancelled() -> None:
    async def main() -> None:
        async with two_ends() as (here, there, one, _):
            raw = one._secured.raw
            write = raw.write

            async def slowly(data: bytes) -> None:
                await write(data[:20])
                await trio.sleep(5)
                await write(data[20:])

            raw.write = slowly  # type: ignore[method-assign]
            with trio.move_on_after(1) as patience:
                await here.write(b"the first")
            assert patience.cancel_called
            raw.write = write  # type: ignore[method-assign]
            await here.write(b" and the second")
            assert await there.exactly(24) == b"the first and the second"

    in_virtual_time(main)


def test_no_more_streams_are_begun_than_the_other_end_is_given() -> None:
    async def main() -> None:
        async with two_ends() as (_, _, one, _):
            one._room = module.StreamRoom(streams_max=2, unread_bytes_max=1)
            await one.open_stream()
            with pytest.raises(MuxedConnUnavailable):
                await one.open_stream()

    trio.run(main)


def test_a_credit_has_a_limit_and_the_last_word_about_a_stream_is_its_reset() -> None:
    async def main() -> None:
        async with two_ends() as (here, _, one, _):
            for _ in range(3):
                here.credit((1 << 32) - 1)
            assert here._may_go == 1 << 32
            async with one._line:
                one.owe(5, 0, 7)
                await trio.testing.wait_all_tasks_blocked()
                one.owe(5, 0, 8)
                one.owe(5, ACK, 9)
                assert one._owed == {5: (ACK, 17)}
                one.owe(5, RST)
                one.owe(5, 0, 1)
                assert one._owed == {5: (RST, 0)}

    trio.run(main)
