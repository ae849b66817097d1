"""The conformance kit of links: what a node relies on, over every carrier, in the same tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import trio

from nodealer.kernel import Cause, LocalError, Way
from nodealer.kernel.chance import Chance
from nodealer.kernel.limits import MESSAGE_BYTES_MAX
from nodealer.node.transport.link import Link, LinkEnded, offered
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.switchboard import Switchboard, open_switchboard
from nodealer.node.transport.timing import WINDOW_FRAMES
from nodealer.node.transport.windows import Began
from tests.node.makers import MAKERS, Breakable, Maker, carriers, goodbye, key


@pytest.fixture(params=MAKERS, ids=lambda maker: str(maker.name))
def maker(request: pytest.FixtureRequest) -> Maker:
    made: Maker = request.param()
    return made


@asynccontextmanager
async def nodes(
    maker: Maker, count: int
) -> AsyncIterator[tuple[list[Switchboard], list[Breakable]]]:
    """Run the links of so many peers."""
    async with carriers(maker, count) as opened, AsyncExitStack() as stack:
        boards = [
            await stack.enter_async_context(open_switchboard(carrier, Chance("links", number)))
            for number, carrier in enumerate(opened)
        ]
        yield boards, opened


async def linked(dialling: Switchboard, other: Switchboard) -> tuple[Link, Link]:
    """Return both ends of a new link, past their markers."""
    here = dialling.link(other.key, other.addresses())
    there = await other.accept()
    there.keep()
    for link in (here, there):
        assert await link.receive() == Began(renewed=False)
    return here, there


async def take(link: Link, count: int) -> list[bytes]:
    """Return the next payloads of a link."""
    found = []
    for _ in range(count):
        item = await link.receive()
        assert isinstance(item, bytes)
        found.append(item)
    return found


async def send_all(link: Link, payloads: list[bytes]) -> None:
    for payload in payloads:
        await link.send(payload)


def numbered(count: int, what: str = "payload") -> list[bytes]:
    return [f"{what} {number}".encode() for number in range(count)]


@pytest.mark.parametrize("dialling", [0, 1])
def test_payloads_travel_whole_and_in_order(maker: Maker, dialling: int) -> None:
    async def main() -> None:
        sizes = (1, MESSAGE_BYTES_MAX, 2, MESSAGE_BYTES_MAX - 1, 3)
        payloads = [bytes([number]) * size for number, size in enumerate(sizes)]
        async with nodes(maker, 2) as (boards, _), trio.open_nursery() as nursery:
            here, there = await linked(boards[dialling], boards[1 - dialling])
            nursery.start_soon(send_all, here, payloads)
            nursery.start_soon(send_all, there, payloads[::-1])
            assert await take(there, 5) == payloads
            assert await take(here, 5) == payloads[::-1]

    maker.run(main)


def test_what_is_sent_before_the_first_connection_arrives(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _):
            here = boards[0].link(key(1))
            await send_all(here, numbered(5))
            assert here.waiting == 5
            assert not offered(here, b"one too many", waiting_max=4)
            assert not offered(None, b"to nobody")
            assert here.reach.cause is Cause.NO_ADDRESS
            here.keep(boards[1].addresses())
            there = await boards[1].accept()
            assert await there.receive() == Began(renewed=False)
            assert await take(there, 5) == numbered(5)

    maker.run(main)


def test_a_link_says_how_its_peer_is_reached_and_how_far_it_is(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _):
            here, there = await linked(boards[0], boards[1])
            while here.reach.round_trip_us is None or there.reach.round_trip_us is None:
                await here.changed()
            assert here.state is LinkState.UP
            assert here.place == boards[1].addresses()[0]
            assert (here.reach.way, there.reach.way) == (Way.DIRECT, Way.DIRECT)
            assert here.reach.kind == there.reach.kind == boards[0].addresses()[0].kind
            assert 0 < here.reach.round_trip_us < 4_000_000
            assert boards[0].links == (here,)

    maker.run(main)


def test_two_that_dial_each_other_have_one_link(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _), trio.open_nursery() as nursery:
            links = [boards[n].link(key(1 - n), boards[1 - n].addresses()) for n in (0, 1)]
            for link in links:
                nursery.start_soon(send_all, link, numbered(400))
            for link in links:
                assert await link.receive() == Began(renewed=False)
                assert await take(link, 400) == numbered(400)
            assert [board.links for board in boards] == [(links[0],), (links[1],)]
            with trio.move_on_after(0.5):
                await boards[0].accept()
                pytest.fail("nobody is a stranger here")

    maker.run(main)


def test_broken_connections_lose_nothing_and_double_nothing(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, opened), trio.open_nursery() as nursery:
            here, there = await linked(boards[0], boards[1])

            for link in (here, there):
                nursery.start_soon(send_all, link, numbered(600))
            found: list[bytes] = []
            for turn in range(6):
                found += await take(there, 100)
                await opened[turn % 2].break_all()
            assert found == numbered(600)
            assert await take(here, 600) == numbered(600)
        assert opened[0].opened + opened[1].opened >= 4

    maker.run(main)


def test_a_peer_that_takes_nothing_holds_up_nobody_else(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 3) as (boards, _), trio.open_nursery() as nursery:
            slow, sleeper = await linked(boards[0], boards[1])
            quick, reader = await linked(boards[0], boards[2])
            sent = 0
            while slow.offer(b"slow %d" % sent):
                sent += 1
            assert sent == WINDOW_FRAMES
            nursery.start_soon(send_all, quick, numbered(1000))
            assert await take(reader, 1000) == numbered(1000)
            assert slow.waiting == WINDOW_FRAMES
            # The link is well meanwhile: pings are answered though nobody takes anything.
            assert slow.state is LinkState.UP
            assert await take(sleeper, sent) == numbered(sent, "slow")
            await slow.send(b"room again")
            assert await take(sleeper, 1) == [b"room again"]

    maker.run(main)


def test_cancelled_waiting_loses_nothing(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _), trio.open_nursery() as nursery:
            here, there = await linked(boards[0], boards[1])
            found: list[bytes] = []

            async def send_with_interruptions() -> None:
                for payload in numbered(600):
                    is_sent = False
                    while not is_sent:
                        with trio.move_on_after(0.0005):
                            await here.send(payload)
                            is_sent = True

            nursery.start_soon(send_with_interruptions)
            while len(found) < 600:
                with trio.move_on_after(0.0005):
                    found += await take(there, 1)
            assert found == numbered(600)

    maker.run(main)


def test_a_goodbye_comes_after_everything_sent(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _), trio.open_nursery() as nursery:
            here, there = await linked(boards[0], boards[1])
            await send_all(here, numbered(100))
            nursery.start_soon(goodbye, here)
            assert await take(there, 100) == numbered(100)
            with pytest.raises(LinkEnded) as caught:
                await there.receive()
            assert caught.value.cause is Cause.PEER_LEFT
            with pytest.raises(LinkEnded, match="said goodbye"):
                await there.send(b"too late")
            while not here.has_ended:
                await here.changed()
            assert here.reach.cause is Cause.LEFT
            with pytest.raises(LinkEnded):
                await here.receive()

    maker.run(main)


def test_both_may_say_goodbye_at_once(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _):
            here, there = await linked(boards[0], boards[1])
            async with trio.open_nursery() as nursery:
                nursery.start_soon(goodbye, here)
                nursery.start_soon(goodbye, there)
            assert here.has_ended
            assert there.has_ended

    maker.run(main)


def test_a_peer_that_comes_back_after_a_goodbye_has_a_new_link(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 2) as (boards, _):
            here, there = await linked(boards[0], boards[1])
            await goodbye(here)
            again, back = await linked(boards[0], boards[1])
            assert (again is here, back is there) == (False, False)
            await again.send(b"again")
            assert await take(back, 1) == [b"again"]

    maker.run(main)


def test_a_peer_whose_program_restarts_begins_anew(maker: Maker) -> None:
    async def main() -> None:
        async with carriers(maker, 2) as opened, AsyncExitStack() as stack:
            board = await stack.enter_async_context(open_switchboard(opened[0], Chance(0)))
            link = board.link(key(1), opened[1].addresses())
            for run in range(3):
                with trio.CancelScope() as crash:
                    async with open_switchboard(opened[1], Chance(run)) as other:
                        there = other.link(key(0), board.addresses())
                        assert await there.receive() == Began(renewed=False)
                        assert await link.receive() == Began(renewed=run > 0)
                        await link.send(b"run %d" % run)
                        assert await take(there, 1) == [b"run %d" % run]
                        crash.cancel()
                        await trio.lowlevel.checkpoint()

    maker.run(main)


def test_the_end_of_a_node_is_a_goodbye_and_leaves_nothing_behind(maker: Maker) -> None:
    async def main() -> None:
        before = trio.lowlevel.current_statistics().tasks_living
        async with nodes(maker, 2) as (boards, _):
            here, there = await linked(boards[0], boards[1])
            await send_all(here, numbered(3))
            assert await take(there, 3) == numbered(3)
        assert (here.reach.cause, there.reach.cause) in [
            (Cause.LEFT, Cause.LEFT),
            (Cause.PEER_LEFT, Cause.LEFT),
        ]
        assert trio.lowlevel.current_statistics().tasks_living == before

    maker.run(main)


def test_a_cancelled_node_leaves_nothing_behind(maker: Maker) -> None:
    async def main() -> None:
        before = trio.lowlevel.current_statistics().tasks_living
        with trio.CancelScope() as scope:
            async with nodes(maker, 2) as (boards, _), trio.open_nursery() as nursery:
                here, there = await linked(boards[0], boards[1])
                nursery.start_soon(send_all, here, numbered(500))
                await take(there, 50)
                scope.cancel()
        assert trio.lowlevel.current_statistics().tasks_living == before

    maker.run(main)


def test_what_no_link_carries(maker: Maker) -> None:
    async def main() -> None:
        async with nodes(maker, 1) as ((board,), _):
            link = board.link(key(1))
            for payload in (b"", bytes(MESSAGE_BYTES_MAX + 1)):
                with pytest.raises(LocalError, match="a payload of"):
                    link.offer(payload)
            with pytest.raises(LocalError, match="oneself"):
                board.link(board.key)

    maker.run(main)
