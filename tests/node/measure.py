"""Measures the transport, and prints a table: over libp2p and in memory.

    python -m tests.node.measure

Both ends run in this process, so they share one core. Nothing is judged; no test runs this.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import trio

from nodealer.node.transport.link import Link
from tests.node.ether import FaultyEther
from tests.node.makers import Libp2pMaker, Maker, MemoryMaker
from tests.node.test_links import linked, nodes

ROUNDS = 2000
POURED = 5000
PAYLOAD = bytes(200)


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured over one carrier."""

    up_ms: float
    rtt_ms_p50: float
    rtt_ms_p99: float
    ask_three_ms_p50: float
    payloads_per_second: float
    megabytes_per_second: float
    back_ms: float


async def echo(link: Link) -> None:
    while True:
        item = await link.receive()
        if isinstance(item, bytes):
            await link.send(item)


async def drain(link: Link, count: int) -> None:
    for _ in range(count):
        await link.receive()


async def pour(link: Link, payload: bytes, count: int) -> None:
    for _ in range(count):
        await link.send(payload)


async def timed(work: Callable[[], Awaitable[None]]) -> float:
    """Return how many seconds something takes."""
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


async def round_trips(links: list[Link], count: int) -> list[float]:
    """Return the milliseconds of asking all of these peers and hearing all answers."""

    async def once() -> None:
        for link in links:
            await link.send(PAYLOAD)
        for link in links:
            await link.receive()

    return sorted([1000 * await timed(once) for _ in range(count)])


async def measured(maker: Maker) -> Row:
    async with AsyncExitStack() as stack:
        boards, opened = await stack.enter_async_context(nodes(maker, 4))
        started = time.perf_counter()
        pairs = [await linked(boards[0], board) for board in boards[1:]]
        up_ms = 1000 * (time.perf_counter() - started) / 3
        async with trio.open_nursery() as nursery:
            for _, there in pairs:
                nursery.start_soon(echo, there)
            trips = await round_trips([pairs[0][0]], ROUNDS)
            asked = await round_trips([here for here, _ in pairs], ROUNDS // 2)
            nursery.cancel_scope.cancel()
        here, there = pairs[0]

        async def flow(payload: bytes, count: int) -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(pour, here, payload, count)
                await drain(there, count)

        small = await timed(lambda: flow(PAYLOAD, POURED))
        large = await timed(lambda: flow(bytes(1 << 20), 32))

        async def come_back() -> None:
            await opened[0].break_all()
            await here.send(b"x")
            await there.receive()

        back = await timed(come_back)
        return Row(
            up_ms,
            trips[len(trips) // 2],
            trips[len(trips) * 99 // 100],
            asked[len(asked) // 2],
            POURED / small,
            32 * 1.048576 / large,
            1000 * back,
        )


def seconds_to(*command: str) -> float:
    """Return how many seconds a Python program takes."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True)
    return time.perf_counter() - started


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Print the table."""
    for maker in (MemoryMaker(), Libp2pMaker()):
        if isinstance(maker, MemoryMaker):
            maker.ether = FaultyEther()
        row = trio.run(measured, maker)
        say(maker.name)
        for name in Row.__slots__:
            say(f"  {name:<22} {getattr(row, name):>10.2f}")
    bare = min(seconds_to("-c", "pass") for _ in range(3))
    module = "import nodealer.node.transport.over_libp2p"
    loaded = min(seconds_to("-c", module) for _ in range(3))
    say(f"  {'import_ms':<22} {1000 * (loaded - bare):>10.0f}")


if __name__ == "__main__":
    main()
