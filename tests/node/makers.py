"""The carriers that the conformance kit tries, and what it needs to break their streams.

To try another carrier, write a maker for it and add it to `MAKERS`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Protocol

import trio
from trio.testing import MockClock

from nodealer.crypto.signing import SigningKey
from nodealer.node.transport.addresses import Address, PeerKey, parse
from nodealer.node.transport.carrier import Carrier, Stream, StreamBroken
from nodealer.node.transport.link import Link, LinkEnded
from nodealer.node.transport.over_libp2p import open_carrier
from nodealer.node.transport.states import LinkState
from tests.node.ether import FaultyEther

HERE = parse("/ip4/127.0.0.1/tcp/0")

SEEDS = sorted(
    (bytes([number]) * 32 for number in range(1, 9)),
    key=lambda seed: SigningKey(seed).verify_key.raw,
)
"""In the order of their keys: of two, the first leads."""


def key(number: int) -> PeerKey:
    """Return the key of a peer."""
    return PeerKey(SigningKey(SEEDS[number]).verify_key.raw)


class Maker(Protocol):
    """Makes carriers of one kind, and runs what uses them."""

    name: str

    def run(self, main: Callable[[], Awaitable[None]]) -> None:
        """Run an asynchronous test."""
        ...

    def carrier(self, number: int) -> AbstractAsyncContextManager[Carrier]:
        """Return what opens the carrier of a peer."""
        ...


class MemoryMaker:
    """Carriers inside the process, in virtual time."""

    name = "memory"

    def __init__(self) -> None:
        self.ether = FaultyEther(latency_seconds=0.01)

    def run(self, main: Callable[[], Awaitable[None]]) -> None:
        in_virtual_time(main)

    @asynccontextmanager
    async def carrier(self, number: int) -> AsyncIterator[Carrier]:
        async with self.ether.carrier(key(number), f"peer-{number}") as carrier:
            yield carrier


class Libp2pMaker:
    """Carriers over real sockets on this machine, in real time."""

    name = "libp2p"

    def run(self, main: Callable[[], Awaitable[None]]) -> None:
        trio.run(main)

    @asynccontextmanager
    async def carrier(self, number: int) -> AsyncIterator[Carrier]:
        async with open_carrier(SEEDS[number], [HERE]) as carrier:
            yield carrier


VIRTUAL_SECONDS_MAX = 100_000
"""No test plays for so long."""

MAKERS: tuple[type[Maker], ...] = (MemoryMaker, Libp2pMaker)


def in_virtual_time(main: Callable[[], Awaitable[None]]) -> None:
    """Run an asynchronous test whose waiting takes no time; one that waits for ever fails."""

    async def within_reason() -> None:
        with trio.fail_after(VIRTUAL_SECONDS_MAX):
            await main()

    trio.run(within_reason, clock=MockClock(autojump_threshold=0))


class Breakable:
    """A carrier whose streams a test can break."""

    def __init__(self, carrier: Carrier) -> None:
        self.key = carrier.key
        self.streams: list[Stream] = []
        self.opened = 0
        self._carrier = carrier

    def addresses(self) -> tuple[Address, ...]:
        return self._carrier.addresses()

    async def open(self, peer: PeerKey, address: Address) -> Stream:
        stream = await self._carrier.open(peer, address)
        self.opened += 1
        self.streams.append(stream)
        return stream

    async def accept(self) -> Stream:
        stream = await self._carrier.accept()
        self.streams.append(stream)
        return stream

    async def break_all(self) -> None:
        """Break every stream that there has been."""
        streams, self.streams = self.streams, []
        for stream in streams:
            await stream.abandon()


@asynccontextmanager
async def carriers(maker: Maker, count: int) -> AsyncIterator[list[Breakable]]:
    """Open the carriers of so many peers."""
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(maker.carrier(n)) for n in range(count)]
        yield [Breakable(carrier) for carrier in opened]


async def stream_between(dialling: Carrier, other: Carrier) -> tuple[Stream, Stream]:
    """Return both ends of a new stream."""
    here = await dialling.open(other.key, other.addresses()[0])
    return here, await other.accept()


async def read_all(stream: Stream) -> bytes:
    """Return everything up to the end of a stream."""
    found = b""
    while chunk := await stream.read():
        found += chunk
    return found


async def ended(stream: Stream) -> bool:
    """Say whether a stream ends before anything comes."""
    try:
        return await stream.read() == b""
    except StreamBroken:
        return True


async def up(link: Link) -> None:
    """Wait until a link is up, or raise `LinkEnded`."""
    await trio.lowlevel.checkpoint()
    while link.state is not LinkState.UP:
        if link.has_ended:
            raise LinkEnded(link.session.cause, link.session.refusal)
        await link.changed()


async def goodbye(link: Link, patience_seconds: float = 5.0) -> None:
    """Leave in good order, and wait until that has happened."""
    link.begin_goodbye(patience_seconds)
    await trio.lowlevel.checkpoint()
    while not link.has_ended:
        await link.changed()
