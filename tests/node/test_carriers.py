"""The conformance kit of carriers: the one in memory and the one over libp2p, in the same tests."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace

import pytest
import trio

from nodealer.kernel import Cause
from nodealer.node.transport.carrier import Carrier, Stream, StreamBroken, Unreachable
from tests.node.makers import MAKERS, Maker, carriers, key, read_all, stream_between

LARGE = bytes(range(256)) * 4096


@pytest.fixture(params=MAKERS, ids=lambda maker: str(maker.name))
def maker(request: pytest.FixtureRequest) -> Maker:
    made: Maker = request.param()
    return made


async def write_and_finish(stream: Stream, data: bytes) -> None:
    await stream.write(data)
    await stream.finish()


async def pour_into(stream: Stream) -> None:
    """Write until the stream breaks; whoever reads it has stopped."""
    while True:
        await stream.write(LARGE)


def test_bytes_arrive_whole_and_in_order_both_ways_at_once(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other), trio.open_nursery() as nursery:
            here, there = await stream_between(one, other)
            nursery.start_soon(write_and_finish, here, LARGE)
            nursery.start_soon(write_and_finish, there, LARGE[::-1])
            assert await read_all(there) == LARGE
            assert await read_all(here) == LARGE[::-1]

    maker.run(main)


def test_both_ends_know_the_key_of_the_other_and_where_it_is(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            here, there = await stream_between(one, other)
            assert (here.peer, there.peer) == (key(1), key(0))
            assert here.place == other.addresses()[0]
            assert there.place is not None
            assert replace(there.place, port=0) == replace(one.addresses()[0], port=0)

    maker.run(main)


def test_after_the_end_of_one_direction_the_other_goes_on(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            here, there = await stream_between(one, other)
            await write_and_finish(here, b"question")
            assert await read_all(there) == b"question"
            await write_and_finish(there, b"answer")
            assert await read_all(here) == b"answer"

    maker.run(main)


@pytest.mark.parametrize("which", ["here", "there"])
def test_an_abandoned_stream_wakes_its_reader_and_its_writer(maker: Maker, which: str) -> None:
    async def main() -> None:
        ended = []

        async def read(stream: Stream) -> None:
            with suppress(StreamBroken):
                assert not await stream.read()
            ended.append("reader")

        async def write(stream: Stream) -> None:
            with pytest.raises(StreamBroken):
                await pour_into(stream)
            ended.append("writer")

        async with carriers(maker, 2) as (one, other), trio.open_nursery() as nursery:
            here, there = await stream_between(one, other)
            nursery.start_soon(read, here)
            nursery.start_soon(write, here)
            await (here if which == "here" else there).abandon()
        assert sorted(ended) == ["reader", "writer"]

    maker.run(main)


def test_abandoning_twice_and_finishing_what_is_broken_do_nothing(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            here, there = await stream_between(one, other)
            for stream in (here, there):
                for _ in range(2):
                    await stream.abandon()
                await stream.finish()

    maker.run(main)


def test_nobody_at_an_address(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 1) as (one,):
            async with carriers(Shifted(maker), 1) as (gone,):
                address = gone.addresses()[0]
            with pytest.raises(Unreachable) as caught:
                await one.open(key(4), address)
            assert caught.value.cause is Cause.UNREACHABLE

    maker.run(main)


def test_somebody_else_at_an_address(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            with pytest.raises(Unreachable) as caught:
                await one.open(key(4), other.addresses()[0])
            assert caught.value.cause is Cause.IMPOSTOR

    maker.run(main)


def test_an_address_of_another_kind(maker: Maker) -> None:
    async def main() -> None:
        stranger = Shifted(OTHER[maker.name]())
        async with carriers(maker, 1) as (one,), carriers(stranger, 1) as (far,):
            with pytest.raises(Unreachable) as caught:
                await one.open(key(4), far.addresses()[0])
            assert caught.value.cause is Cause.UNREACHABLE

    # The carriers over sockets want real time.
    MAKERS[1]().run(main)


def test_a_second_stream_does_not_rest_on_the_first(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            first, _ = await stream_between(one, other)
            second, there = await stream_between(one, other)
            await first.abandon()
            await write_and_finish(second, b"still here")
            assert await read_all(there) == b"still here"

    maker.run(main)


def test_both_may_open_a_stream(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            _, there = await stream_between(one, other)
            here, _ = await stream_between(other, one)
            await write_and_finish(there, b"1")
            await write_and_finish(here, b"2")
            assert (there.peer, here.peer) == (key(0), key(0))

    maker.run(main)


def test_a_writer_whose_reader_sleeps_waits_and_disturbs_nobody(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 3) as (one, sleeper, reader), trio.open_nursery() as nursery:
            slow, _ = await stream_between(one, sleeper)
            quick, there = await stream_between(one, reader)

            async def pour() -> None:
                with pytest.raises(StreamBroken):
                    await pour_into(slow)

            nursery.start_soon(pour)
            nursery.start_soon(write_and_finish, quick, LARGE)
            assert await read_all(there) == LARGE
            await slow.abandon()

    maker.run(main)


def test_an_attempt_that_nobody_waits_for_leaves_no_stream(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            for _ in range(3):
                with trio.move_on_after(0):
                    await one.open(other.key, other.addresses()[0])
                    pytest.fail("opening a stream takes a step at least")
            here, _ = await stream_between(one, other)
            await here.abandon()

    maker.run(main)


def test_what_is_raised_inside_comes_out(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as (one, other):
            await stream_between(one, other)
            await one.open(key(4), other.addresses()[0])

    with pytest.RaisesGroup(Unreachable, flatten_subgroups=True, allow_unwrapped=True):
        maker.run(main)


def test_nothing_is_left_behind(maker: Maker) -> None:
    async def main() -> None:
        before = trio.lowlevel.current_statistics().tasks_living
        async with carriers(maker, 2) as (one, other):
            await stream_between(one, other)
            address = other.addresses()[0]
        assert trio.lowlevel.current_statistics().tasks_living == before
        async with carriers(maker, 1) as (one,):
            with pytest.raises(Unreachable):
                await one.open(key(1), address)

    maker.run(main)


class Shifted:
    """A maker whose first peer is another one than that of the maker it is made of."""

    def __init__(self, maker: Maker) -> None:
        self.name = maker.name
        self.run = maker.run
        self._maker = maker

    def carrier(self, number: int) -> AbstractAsyncContextManager[Carrier]:
        return self._maker.carrier(number + 4)


OTHER: dict[str, type[Maker]] = {"memory": MAKERS[1], "libp2p": MAKERS[0]}
