"""Why a peer is not reached, each cause made by the real end of a real link, over loopback.

What takes minutes is tried on the same links over the carrier in memory, in virtual time.
"""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from nodealer.home.seat_driver import SeatDriver
from nodealer.home.sitting import book_of
from nodealer.kernel import Cause, Reach, Reason, Seat, Tallied, Way
from nodealer.kernel.chance import Chance
from nodealer.kernel.rates import Rate
from nodealer.node.transport import admission, timing
from nodealer.node.transport.addresses import Address, peer_id
from nodealer.node.transport.admission import Acquaintances
from nodealer.node.transport.carrier import Unreachable
from nodealer.node.transport.link import Link, LinkEnded
from nodealer.node.transport.memory import Ether
from nodealer.node.transport.over_libp2p import Libp2pCarrier, open_carrier
from nodealer.node.transport.switchboard import Switchboard, open_switchboard
from nodealer.node.transport.windows import Began
from tests.node.makers import HERE, SEEDS, ended, in_virtual_time, key
from tests.node.tables import Circle
from tests.tidy.project import ROOT

ANA, BEA = Seat(0), Seat(1)

SECOND = timing.SECOND_US


@asynccontextmanager
async def board(number: int) -> AsyncIterator[tuple[Switchboard, Libp2pCarrier]]:
    """Run the links of a peer over real sockets."""
    async with (
        open_carrier(SEEDS[number], [HERE]) as carrier,
        open_switchboard(carrier, Chance("reach", number)) as links,
    ):
        yield links, carrier


async def until(link: Link, holds: Callable[[Reach], bool]) -> Reach:
    """Return how a peer is reached as soon as something holds of it."""
    with trio.fail_after(20):
        while not holds(link.reach):
            await link.changed()
    return link.reach


async def until_cause(link: Link, cause: Cause) -> Reach:
    """Wait until a peer is not reached for this cause."""
    return await until(link, lambda reach: not reach.is_reached and reach.cause is cause)


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[Address]:
    """Run a program that says something to whoever calls, and hangs up."""

    async def serve(raw: trio.SocketStream) -> None:
        await raw.send_all(answer)
        await raw.aclose()

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, [listener])
        yield Address("ip4", "127.0.0.1", listener.socket.getsockname()[1])
        nursery.cancel_scope.cancel()


def free_port() -> Address:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return Address("ip4", "127.0.0.1", probe.getsockname()[1])


def test_the_page_has_all_causes_with_their_numbers() -> None:
    page = (ROOT / "specs" / "08-node.md").read_text()
    section = page.partition("## How a peer is reached\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| (.+?) \|", section, re.MULTILINE)
    assert rows == [(str(one.value), one.meaning) for one in Cause]


def test_why_nobody_is_reached_whom_this_node_dials() -> None:
    async def main() -> None:
        async with board(0) as (links, _), board(2) as (_, other), answering(b"hello") as junk:
            link = links.link(key(1))
            await until_cause(link, Cause.NO_ADDRESS)
            link.keep((free_port(),))
            await until_cause(link, Cause.UNREACHABLE)
            await until(link, lambda reach: reach.tries > 1 and reach.next_try is not None)
            link.keep(other.addresses())
            await until_cause(link, Cause.IMPOSTOR)
            link.keep((junk,))
            await until_cause(link, Cause.HANDSHAKE)
            link.keep((replace(free_port(), relay=other.key),))
            await until_cause(link, Cause.NO_RELAY)
            # Of several addresses the one that says more is told, whichever is the last.
            link.keep((*other.addresses(), free_port()))
            reach = await until(link, lambda reach: reach.tries > 2 and reach.next_try is not None)
            assert (reach.cause, reach.ended) == (Cause.IMPOSTOR, None)

    trio.run(main)


def test_a_relay_that_passes_nobody_on() -> None:
    async def main() -> None:
        async with open_carrier(SEEDS[2], [HERE], is_relay=True) as relay, board(0) as (links, _):
            link = links.link(key(1), (replace(relay.addresses()[0], relay=relay.key),))
            await until_cause(link, Cause.NOT_AT_RELAY)

    trio.run(main)


def test_who_says_goodbye_is_remembered_for_it() -> None:
    async def main() -> None:
        async with board(0) as (links, _):
            async with board(1) as (others, other):
                link = links.link(key(1), other.addresses())
                assert await link.receive() == Began(renewed=False)
                await link.send(b"four")
                assert await (await others.accept()).receive() == Began(renewed=False)
                reach = await until(link, lambda reach: reach.round_trip_us is not None)
                assert (reach.way, reach.kind, reach.relay) == (Way.DIRECT, "ip4", "")
                assert (reach.traffic.sent, reach.traffic.sent_bytes) == (1, 4)
            with pytest.raises(LinkEnded, match="it said goodbye"):
                await link.receive()
            former = links.last(key(1))
            assert former is link
            assert (link.reach.way, link.reach.cause) == (Way.NONE, Cause.PEER_LEFT)
            again = links.link(key(1), (free_port(),))
            assert again.reach.cause is Cause.PEER_LEFT
            reach = await until_cause(again, Cause.UNREACHABLE)
            assert reach.ended is not None
            assert (reach.ended, reach.since) == (link.reach.ended, reach.ended.at)
            assert reach.ended.cause is Cause.PEER_LEFT

    trio.run(main)


def test_who_breaks_a_rule_is_named_with_it_and_turned_away_for_a_while() -> None:
    async def main() -> None:
        async with board(0) as (links, carrier), open_carrier(SEEDS[1], [HERE]) as other:
            stream = await other.open(key(0), carrier.addresses()[0])
            link = links.link(key(1))
            await stream.write(b"\xff" * 8)
            reach = await until_cause(link, Cause.REFUSED)
            assert reach.reason is Reason.ENCODING_OVERSIZED
            assert reach.ended is None  # it was never reached
            async with open_switchboard(other, Chance("reach", 1)) as others:
                back = others.link(key(0), carrier.addresses())
                await until_cause(back, Cause.TURNED_AWAY)

    trio.run(main)


def test_a_connection_that_breaks_is_told_and_one_that_is_replaced_is_not() -> None:
    async def main() -> None:
        async with board(0) as (links, near), board(1) as (others, far):
            link = links.link(key(1), far.addresses())
            assert await link.receive() == Began(renewed=False)
            there = await others.accept()
            there.keep()
            link.take_up(await near.open(key(1), far.addresses()[0]))
            await link.send(b"over the second")
            assert await there.receive() == Began(renewed=False)
            assert await there.receive() == b"over the second"
            assert link.reach.is_reached
            assert link.reach.ended is None
            await near.close()
            reach = await until(link, lambda reach: reach.ended is not None)
            assert reach.ended is not None
            assert reach.ended.cause is Cause.BROKEN
            await until(link, lambda reach: reach.is_reached)

    trio.run(main)


def test_a_peer_that_opens_a_connection_and_says_nothing() -> None:
    async def main() -> None:
        ether = Ether()
        async with (
            ether.carrier(key(0), "n0") as carrier,
            ether.carrier(key(1), "n1"),
            open_switchboard(carrier, Chance("reach")) as links,
        ):
            link = links.link(key(1), (Address("memory", "n1"),))
            await until_in_time(link, Cause.MUTE)

    in_virtual_time(main)


async def until_in_time(link: Link, cause: Cause) -> None:
    with trio.fail_after(100):
        while link.reach.cause is not cause:
            await link.changed()


def test_a_player_is_told_why_somebody_is_gone_and_since_when(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def looked(driver: SeatDriver, seconds: float) -> Reach:
        with trio.move_on_after(seconds):
            await driver.run()
        return driver.book.reach[BEA]

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            driver = SeatDriver(ana, book_of(ana, "with friends"))
            async with circle.at_table(BEA):
                there = await looked(driver, 5)
                assert there.way is Way.DIRECT
                assert there.traffic.heard > 0
                assert there.since is not None
                assert 0 <= there.since < 1_000
            gone = await looked(driver, 10)
            assert (gone.way, gone.cause) == (Way.NONE, Cause.UNREACHABLE)
            assert gone.ended is not None
            assert gone.ended.cause is Cause.PEER_LEFT
            assert gone.since == gone.ended.at
            assert 5_000 <= gone.since < 8_000
            assert gone.tries > 0
            async with circle.at_table(BEA):
                back = await looked(driver, 30)
                assert back.is_reached
                assert back.ended == gone.ended
        told = [line.text for line in driver.book.log]
        assert any(text.endswith("is lost: it said goodbye.") for text in told)
        assert any(text.endswith("can be reached again.") for text in told)

    in_virtual_time(main)


def test_a_node_counts_who_comes_and_what_became_of_them() -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE]) as carrier,
            open_switchboard(carrier, Chance("reach")) as links,
            open_carrier(SEEDS[1], [HERE]) as friend,
            open_carrier(SEEDS[2], [HERE]) as stranger,
        ):
            carrier.door.acquaintances = Acquaintances(links.knows, links.expects)
            carrier.door.counts = links.counts
            links.link(key(1))
            for other in (friend, stranger):
                await other.open(key(0), carrier.addresses()[0])
            bad = await stranger.open(key(0), carrier.addresses()[0])
            link = await links.accept()
            await bad.write(b"\xff" * 8)
            await until(link, lambda _: link.has_ended)
            with trio.fail_after(10):  # its tasks end before it is gone
                while not links.counts[Reason.ENCODING_OVERSIZED]:  # noqa: ASYNC110
                    await trio.sleep(0.01)
            again = await stranger.open(key(0), carrier.addresses()[0])
            assert await ended(again)
            assert links.counts == {
                Tallied.OPENED: 4,
                Tallied.EXPECTED: links.counts[Tallied.EXPECTED],
                Tallied.KNOWN: 1,
                Tallied.STRANGERS: 3,
                Tallied.GAVE_WAY: 0,
                Reason.ENCODING_OVERSIZED: 1,
                Tallied.COOLING: 1,
            }

    trio.run(main)


def test_a_flood_is_counted_where_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "ATTEMPTS_OF_BLOCK", Rate(at_once=2, each=60 * SECOND))
    monkeypatch.setattr(admission, "PROOFS_OF_BLOCK", Rate(at_once=1, each=60 * SECOND))

    async def main() -> None:
        async with (
            open_carrier(SEEDS[0], [HERE]) as carrier,
            open_carrier(SEEDS[1], [HERE]) as one,
            open_carrier(SEEDS[2], [HERE]) as other,
        ):
            for caller in (one, other, one):
                with suppress(Unreachable):
                    await caller.open(key(0), carrier.addresses()[0])
            counts = carrier.door.counts
            assert (counts[Tallied.OPENED], counts[Tallied.TOO_MANY]) == (3, 1)
            assert (counts[Tallied.STRANGERS], counts[Tallied.TOO_MANY_KEYS]) == (2, 1)

    trio.run(main)


def test_a_relay_is_named_by_its_own_key() -> None:
    async def main() -> None:
        async with (
            open_carrier(SEEDS[2], [HERE], is_relay=True) as relay,
            board(0) as (links, _),
            board(1) as (others, far),
        ):
            place = replace(relay.addresses()[0], relay=relay.key)
            far.keep_place(relay.key, place)
            while place not in far.addresses():
                await far.addresses_changed()
            link = links.link(key(1), (place,))
            reach = await until(link, lambda reach: reach.is_reached)
            assert (reach.way, reach.relay) == (Way.RELAYED, peer_id(relay.key))
            there = await others.accept()
            reach = await until(there, lambda reach: reach.is_reached)
            assert (reach.way, reach.relay) == (Way.RELAYED, peer_id(relay.key))

    trio.run(main)
