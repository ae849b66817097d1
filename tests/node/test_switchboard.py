"""Strangers, rules broken, addresses that change, peers that nobody reaches: in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import trio

from nodealer.kernel import Cause
from nodealer.kernel.chance import Chance
from nodealer.node.transport import switchboard, timing
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.admission import SHARES, CallerStanding
from nodealer.node.transport.carrier import Stream, StreamBroken, Unreachable
from nodealer.node.transport.link import (
    ADDRESSES_MAX,
    DIAL_SECONDS,
    HEAD_START_SECONDS,
    Link,
    LinkEnded,
)
from nodealer.node.transport.memory import BACKLOG, MemoryCarrier
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.switchboard import (
    COOL_OFF_SECONDS,
    NEWCOMERS_MAX,
    Switchboard,
    open_switchboard,
)
from nodealer.node.transport.windows import Began
from tests.node.ether import FaultyEther
from tests.node.makers import Breakable, goodbye, in_virtual_time, read_all, stream_between, up

Main = Callable[[FaultyEther], Awaitable[None]]

SECOND = timing.SECOND_US
SILENCE = timing.SILENT_US / SECOND


def key(number: int) -> PeerKey:
    return PeerKey(number.to_bytes(32, "big"))


def run(main: Main) -> None:
    async def with_ether() -> None:
        await main(FaultyEther(latency_seconds=0.02))

    in_virtual_time(with_ether)


@asynccontextmanager
async def node(ether: FaultyEther, number: int) -> AsyncIterator[Switchboard]:
    """Run a node."""
    async with (
        ether.carrier(key(number), f"n{number}") as carrier,
        open_switchboard(carrier, Chance("switchboard", number)) as board,
    ):
        yield board


def place(number: int) -> tuple[Address, ...]:
    return (Address("memory", f"n{number}"),)


def why(link: Link) -> Cause:
    """Return why a link is not up."""
    return link.reach.cause


def place_of(link: Link) -> str | None:
    """Return the other end of the connection of a link."""
    return None if link.place is None else str(link.place)


async def until(board: Switchboard, state: LinkState) -> None:
    """Wait until the first link of a node is in a state."""
    (link,) = board.links
    while link.state is not state:
        await link.changed()


def test_a_node_that_stands_still_is_noticed_within_seconds_and_taken_up_again() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, node(ether, 2) as two:
            link = one.link(key(2), place(2))
            assert await link.receive() == Began(renewed=False)
            there = await two.accept()
            there.keep()
            assert await there.receive() == Began(renewed=False)
            ether.hold("n2")
            started = trio.current_time()
            await until(one, LinkState.AWAY)
            assert link.reach.cause is Cause.SILENT
            assert SILENCE - 1 <= trio.current_time() - started <= SILENCE + 1
            await link.send(b"later")
            ether.release("n2")
            assert await there.receive() == b"later"

    run(main)


def test_a_partition_heals() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, node(ether, 2) as two:
            link = one.link(key(2), place(2))
            there = await two.accept()
            there.keep()
            await link.receive()
            await there.receive()
            ether.part("n1", "n2")
            await until(one, LinkState.AWAY)
            for number in range(3):
                await link.send(b"%d" % number)
            await trio.sleep(600)
            assert link.reach.cause is Cause.UNREACHABLE
            assert 40 < link.reach.tries < 200
            ether.heal()
            started = trio.current_time()
            assert [await there.receive() for _ in range(3)] == [b"0", b"1", b"2"]
            assert trio.current_time() - started <= timing.BACKOFF_MAX_US / SECOND + 1
            await up(link)
            await link.changed()
            assert link.reach.tries == 0

    run(main)


def test_addresses_are_tried_in_turn_and_can_be_replaced() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one:
            many = tuple(Address("memory", f"gone{number}") for number in range(ADDRESSES_MAX + 5))
            link = one.link(key(2), many)
            assert link.addresses == many[:ADDRESSES_MAX]
            await trio.sleep(100)
            assert why(link) is Cause.UNREACHABLE
            assert place_of(link) is None
            async with node(ether, 2), node(ether, 3):
                link.keep(place(3))
                await trio.sleep(60)
                assert why(link) is Cause.IMPOSTOR
                link.keep((*place(3), *place(2)))
                await up(link)
                assert place_of(link) == "/memory/n2"

    run(main)


def test_an_attempt_that_takes_too_long_is_given_up() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, node(ether, 2):
            ether.hold("n2")
            link = one.link(key(2), place(2))
            await trio.sleep(DIAL_SECONDS + 1)
            assert link.reach.cause is Cause.UNREACHABLE
            ether.release("n2")
            await up(link)

    run(main)


def test_a_silent_address_holds_up_no_other() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, node(ether, 2), ether.carrier(key(2), "silent"):
            ether.hold("silent")
            link = one.link(key(2), (Address("memory", "silent"), *place(2)))
            with trio.fail_after(HEAD_START_SECONDS + 1):
                await up(link)
            assert place_of(link) == "/memory/n2"
            ether.release("silent")
            await trio.sleep(DIAL_SECONDS)
            assert place_of(link) == "/memory/n2"
            before = link.reach.cause
            link._failed(Cause.IMPOSTOR)  # an attempt that ends at the very moment of a connection
            assert link.reach.cause is before

    run(main)


def test_a_connection_that_comes_while_dialling_is_enough() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, node(ether, 2) as two:
            gone = Address("memory", "gone")
            link = one.link(key(2), (gone,) * ADDRESSES_MAX)
            await trio.sleep(0.05)
            two.link(key(1), place(1))
            await up(link)
            await trio.sleep(30)
            assert link.state is LinkState.UP

    run(main)


def test_an_end_during_dialling_does_not_wait_for_it() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 2):
            ether.hold("n2")
            async with node(ether, 1) as one:
                link = one.link(key(2), place(2))
                await trio.sleep(5)
                with trio.fail_after(1):
                    await goodbye(link)
                with pytest.raises(LinkEnded):
                    await up(link)
                started = trio.current_time()
            assert trio.current_time() - started < 1
            ether.release("n2")

    run(main)


def test_strangers_are_few_and_the_oldest_gives_way() -> None:
    async def main(ether: FaultyEther) -> None:
        most = SHARES[CallerStanding.STRANGER].of_block
        assert most is not None
        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(node(ether, 1))
            one.welcomes = lambda peer: peer == key(3)
            streams, links = [], []
            for number in range(3, most + 5):
                name = f"n{number}"
                carrier = await stack.enter_async_context(ether.carrier(key(number), name))
                streams.append(await carrier.open(key(1), place(1)[0]))
                links.append(await one.accept())
                await trio.sleep(0.01)
                assert len(one.links) == min(number - 2, most + 1)
            assert [link.peer for link in links if link.has_ended] == [key(4)]
            assert await streams[-1].read()
            with pytest.raises(StreamBroken):
                await read_all(streams[1])
            # A peer that this node wants is no stranger, nor is one that it welcomes.
            two = await stack.enter_async_context(ether.carrier(key(2), "n2"))
            wanted = one.link(key(2))
            stream = await two.open(key(1), place(1)[0])
            assert await stream.read()
            assert wanted.state is LinkState.GREETING
            assert not links[0].has_ended
            # Who has left its place does not give way once more.
            links[2].stop()
            await trio.sleep(0.1)
            other = await stack.enter_async_context(ether.carrier(key(most + 9), "other"))
            await other.open(key(1), place(1)[0])
            await one.accept()
            assert not links[3].has_ended

    run(main)


def test_more_strangers_than_anybody_accepts_come_and_go() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one:
            for number in range(2, 2 * NEWCOMERS_MAX + 5):
                async with ether.carrier(key(number), f"n{number}") as carrier:
                    await carrier.open(key(1), place(1)[0])
                    await trio.sleep(0.1)
                await trio.sleep(timing.FORGET_US / SECOND + 2)
            assert one.links == ()
            for _ in range(NEWCOMERS_MAX):
                link = await one.accept()
                assert link.reach.cause is Cause.FORGOTTEN

    run(main)


def test_who_breaks_the_rules_waits_before_it_is_taken_up_again() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, ether.carrier(key(2), "n2") as bad:
            stream = await bad.open(key(1), place(1)[0])
            await stream.write(b"\xff" * 8)
            link = await one.accept()
            with pytest.raises(LinkEnded, match="encoding/oversized") as caught:
                await link.receive()
            assert caught.value.cause is Cause.REFUSED
            await trio.sleep(COOL_OFF_SECONDS - 1)
            stream = await bad.open(key(1), place(1)[0])
            with pytest.raises(StreamBroken):
                await stream.read()  # not even a hello
            await trio.sleep(2)
            stream = await bad.open(key(1), place(1)[0])
            assert await stream.read()

    run(main)


def test_only_so_many_are_remembered_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switchboard, "COOLING_MAX", 2)

    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one:
            for number in range(2, 6):
                async with ether.carrier(key(number), f"n{number}") as bad:
                    stream = await bad.open(key(1), place(1)[0])
                    await stream.write(b"\xff" * 8)
                    await trio.sleep(1)
            assert list(one._cooling) == [key(4), key(5)]

    run(main)


class Watched:
    """A stream that notes whether anybody cancels a call of it."""

    def __init__(self, stream: Stream, cancelled: list[str]) -> None:
        self.peer = stream.peer
        self.place = stream.place
        self.finish = stream.finish
        self.abandon = stream.abandon
        self._stream = stream
        self._cancelled = cancelled

    async def read(self) -> bytes:
        try:
            return await self._stream.read()
        except trio.Cancelled:
            self._cancelled.append("read")
            raise

    async def write(self, data: bytes) -> None:
        try:
            await self._stream.write(data)
        except trio.Cancelled:
            self._cancelled.append("write")
            raise


class Watching(Breakable):
    """A carrier of such streams."""

    def __init__(self, carrier: MemoryCarrier) -> None:
        super().__init__(carrier)
        self.cancelled: list[str] = []

    async def open(self, peer: PeerKey, address: Address) -> Stream:
        return Watched(await super().open(peer, address), self.cancelled)


def test_nobody_cancels_a_read_or_a_write() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 2), ether.carrier(key(1), "n1") as carrier:
            watching = Watching(carrier)
            with trio.CancelScope() as scope:
                async with open_switchboard(watching, Chance(1)) as board:
                    link = board.link(key(2), place(2))
                    await up(link)
                    for _ in range(4):
                        await link.send(bytes(1 << 20))
                    await trio.sleep(0.02)
                    scope.cancel()
            assert scope.cancelled_caught
            assert watching.opened == 1
            assert watching.cancelled == []

    run(main)


@pytest.mark.parametrize("steps", range(6))
def test_of_many_streams_the_newest_is_used_and_the_others_end(steps: int) -> None:
    async def main(ether: FaultyEther) -> None:
        ether.latency_seconds = 0
        async with node(ether, 1) as one, ether.carrier(key(2), "n2") as two:
            streams = []
            for _ in range(5):
                streams.append(await two.open(key(1), place(1)[0]))
                for _ in range(steps):
                    await trio.lowlevel.checkpoint()
            with trio.fail_after(timing.HELLO_US / SECOND / 2):
                for stream in streams[:-1]:
                    with pytest.raises(StreamBroken):
                        await read_all(stream)
                assert await streams[-1].read()
            assert one.key == key(1)

    run(main)


def test_a_stream_from_oneself_is_abandoned() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, ether.carrier(key(1), "twin") as twin:
            stream = await twin.open(key(1), place(1)[0])
            with pytest.raises(StreamBroken):
                await stream.read()
            assert one.links == ()

    run(main)


def test_a_peer_that_is_frozen_at_the_end_does_not_hold_the_end_up() -> None:
    async def main(ether: FaultyEther) -> None:
        async with ether.carrier(key(2), "n2") as frozen:
            async with node(ether, 1) as one:
                link = one.link(key(2), place(2))
                await frozen.accept()
                await link.send(b"never taken")
                await trio.sleep(0.1)
                started = trio.current_time()
            assert trio.current_time() - started < switchboard.END_SECONDS + 5
            assert link.has_ended

    run(main)


def test_a_peer_that_freezes_at_the_end_does_not_hold_the_end_up_either() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 2) as two:
            async with node(ether, 1) as one:
                link = one.link(key(2), place(2))
                await up(link)
                assert one.link(key(2)) is link
                await two.accept()
                ether.hold("n2")
                await link.send(b"never taken")
                started = trio.current_time()
            assert trio.current_time() - started < switchboard.END_SECONDS + 5
            assert link.reach.cause is Cause.STOPPED
            ether.release("n2")

    run(main)


def test_a_writer_that_is_stuck_at_the_end_is_cancelled() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one, node(ether, 2) as two:
            link = one.link(key(2), place(2))
            await link.receive()
            there = await two.accept()
            there.keep()
            ether.hold("n2")
            for _ in range(4):
                await link.send(bytes(1 << 20))
            await trio.sleep(1)
            ether.release("n2")
            await goodbye(link, 0.5)
            assert link.has_ended

    run(main)


def test_nothing_more_is_sent_once_leaving() -> None:
    async def main(ether: FaultyEther) -> None:
        async with node(ether, 1) as one:
            link = one.link(key(2), place(2))
            await link.send(b"for nobody")
            link.begin_goodbye(5)
            with pytest.raises(LinkEnded, match="this node said goodbye"):
                await link.send(b"more")
            with pytest.raises(LinkEnded):
                await link.receive()

    run(main)


def test_the_memory_carrier_takes_no_more_than_can_wait() -> None:
    async def main(ether: FaultyEther) -> None:
        async with ether.carrier(key(1), "n1") as one, ether.carrier(key(2), "n2") as two:
            for _ in range(BACKLOG):
                await one.open(two.key, place(2)[0])
            with pytest.raises(Unreachable, match="too many"):
                await one.open(two.key, place(2)[0])

    run(main)


def test_what_is_held_is_not_lost() -> None:
    async def main(ether: FaultyEther) -> None:
        async with ether.carrier(key(1), "n1") as one, ether.carrier(key(2), "n2") as two:
            here, there = await stream_between(one, two)
            ether.hold("n1")
            assert ether.is_held("n1")
            with trio.move_on_after(10) as waiting:
                await here.write(b"x")
            assert waiting.cancelled_caught
            ether.release("n1")
            await here.write(b"y")
            assert await there.read() == b"y"

    run(main)


def test_a_cut_breaks_the_streams_of_one_node_only() -> None:
    async def main(ether: FaultyEther) -> None:
        opened: list[MemoryCarrier] = []
        async with (
            ether.carrier(key(1), "n1") as one,
            ether.carrier(key(2), "n2") as two,
            ether.carrier(key(3), "n3") as three,
        ):
            opened += [one, two, three]
            first, _ = await stream_between(one, two)
            second, there = await stream_between(one, three)
            ether.cut("n2")
            with pytest.raises(StreamBroken):
                await first.read()
            await second.write(b"x")
            assert await there.read() == b"x"
            ether.part("n1", "n2")
            await second.write(b"y")
            assert await there.read() == b"y"

    run(main)
