"""A carrier inside one process: no sockets and no keys to prove, and every fault on demand.

Nodes of one `Ether` reach each other by name. On trio's virtual clock a run takes no time and goes
the same way each time. The faults are those of real networks:

    latency_seconds   everything arrives so much later
    part, heal        nodes cannot reach each other: connections break, and nobody answers
    hold, release     a node stands still, as a frozen process does: its connections stay, silent
    cut               connections of a node break, wherever they are in a frame

A stream holds `PIPE_BYTES` in each direction and then makes the writer wait, and when it is
abandoned what was not read is lost. Both is what the multiplexer of libp2p does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

from nodealer.kernel import Cause
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.carrier import Stream, StreamBroken, Unreachable
from nodealer.node.transport.link import Bell

PIPE_BYTES: Final = 1 << 18
"""What a stream holds before its writer waits; the window with which libp2p's streams begin."""

BACKLOG: Final = 32
"""Streams that wait to be accepted."""


class Ether:
    """The space between the nodes of one process."""

    def __init__(self, latency_seconds: float = 0.0) -> None:
        self.latency_seconds = latency_seconds
        self.bell = Bell()
        self._carriers: dict[str, MemoryCarrier] = {}
        self._streams: set[_MemoryStream] = set()
        self._parted: set[frozenset[str]] = set()
        self._held: set[str] = set()

    @asynccontextmanager
    async def carrier(self, key: PeerKey, name: str) -> AsyncIterator[MemoryCarrier]:
        """Run the carrier of one node; at the end all its streams break."""
        carrier = MemoryCarrier(self, key, name)
        assert name not in self._carriers, "one node of a name"
        self._carriers[name] = carrier
        try:
            yield carrier
        finally:
            del self._carriers[name]
            self.cut(name)

    def part(self, one: str, other: str) -> None:
        """Let two nodes not reach each other any more."""
        self._parted.add(frozenset((one, other)))
        self._break({one, other}, both=True)

    def heal(self) -> None:
        """Let all nodes reach each other again."""
        self._parted.clear()

    def cut(self, name: str) -> None:
        """Break all streams of a node."""
        self._break({name}, both=False)

    def hold(self, name: str) -> None:
        """Let a node stand still: nothing comes from it, and it reads nothing."""
        self._held.add(name)

    def release(self, name: str) -> None:
        """Let a node go on."""
        self._held.discard(name)
        self.bell.ring()

    def is_held(self, name: str) -> bool:
        """Say whether a node stands still."""
        return name in self._held

    def find(self, caller: str, name: str, peer: PeerKey) -> MemoryCarrier:
        """Return the carrier of a node that can be reached, or raise `Unreachable`."""
        carrier = self._carriers.get(name)
        if carrier is None or frozenset((caller, name)) in self._parted:
            raise Unreachable(Cause.UNREACHABLE, name)
        if carrier.key != peer:
            raise Unreachable(Cause.IMPOSTOR, name)
        return carrier

    def note(self, stream: _MemoryStream) -> None:
        """Keep a stream in mind, so that it can be broken."""
        self._streams.add(stream)

    def forget(self, stream: _MemoryStream) -> None:
        """Keep a stream in mind no longer."""
        self._streams.discard(stream)

    def _break(self, names: set[str], *, both: bool) -> None:
        for stream in list(self._streams):
            ends = {stream.name, stream.other_name}
            if ends == names if both else ends & names:
                stream.break_off()


class _Pipe:
    """One direction of a stream."""

    def __init__(self) -> None:
        self.chunks: deque[tuple[float, bytes]] = deque()
        self.size = 0
        self.is_finished = False
        self.is_broken = False


class _MemoryStream:
    """One end of a stream inside the process."""

    def __init__(self, ether: Ether, peer: PeerKey, name: str, other_name: str) -> None:
        self.peer = peer
        self.place: Address | None = Address("memory", other_name)
        self.name, self.other_name = name, other_name
        self._ether = ether
        self._from, self._to = _Pipe(), _Pipe()
        ether.note(self)

    def join(self, other: _MemoryStream) -> None:
        """Make this the other end of a stream."""
        self._from, self._to = other._to, other._from

    async def read(self) -> bytes:
        """Return some bytes, or none after the end; raise `StreamBroken`."""
        await trio.lowlevel.checkpoint()
        pipe = self._from
        while True:
            self._require_whole(pipe)
            if self._ether.is_held(self.name) or not (pipe.chunks or pipe.is_finished):
                await self._ether.bell.wait()
            elif not pipe.chunks:
                return b""
            elif pipe.chunks[0][0] > trio.current_time():
                with trio.move_on_at(pipe.chunks[0][0]):
                    await self._ether.bell.wait()
            else:
                chunk = pipe.chunks.popleft()[1]
                pipe.size -= len(chunk)
                self._ether.bell.ring()
                return chunk

    async def write(self, data: bytes) -> None:
        """Write everything; raise `StreamBroken`."""
        await trio.lowlevel.checkpoint()
        pipe = self._to
        for start in range(0, len(data), PIPE_BYTES // 4):
            chunk = data[start : start + PIPE_BYTES // 4]
            while pipe.size + len(chunk) > PIPE_BYTES or self._ether.is_held(self.name):
                self._require_whole(pipe)
                await self._ether.bell.wait()
            self._require_whole(pipe)
            pipe.chunks.append((trio.current_time() + self._ether.latency_seconds, chunk))
            pipe.size += len(chunk)
            self._ether.bell.ring()

    async def finish(self) -> None:
        """Write no more."""
        await trio.lowlevel.checkpoint()
        self._to.is_finished = True
        self._ether.bell.ring()

    async def abandon(self) -> None:
        """Break the stream."""
        await trio.lowlevel.checkpoint()
        self.break_off()

    def break_off(self) -> None:
        """Break the stream; what was not read is lost."""
        self._ether.forget(self)
        for pipe in (self._from, self._to):
            pipe.is_broken = True
        self._ether.bell.ring()

    @staticmethod
    def _require_whole(pipe: _Pipe) -> None:
        if pipe.is_broken:
            raise StreamBroken


class MemoryCarrier:
    """Opens and accepts streams to other nodes of the same `Ether`."""

    def __init__(self, ether: Ether, key: PeerKey, name: str) -> None:
        self.key = key
        self.name = name
        self._ether = ether
        self._incoming, self._to_accept = trio.open_memory_channel[_MemoryStream](BACKLOG)

    def addresses(self) -> tuple[Address, ...]:
        """Return where this carrier can be reached."""
        return (Address("memory", self.name),)

    async def open(self, peer: PeerKey, address: Address) -> Stream:
        """Return a new stream to a peer, or raise `Unreachable`."""
        await trio.sleep(self._ether.latency_seconds)
        while self._ether.is_held(address.host) or self._ether.is_held(self.name):
            await self._ether.bell.wait()
        if address.kind != "memory":
            raise Unreachable(Cause.UNREACHABLE, str(address))
        carrier = self._ether.find(self.name, address.host, peer)
        stream = _MemoryStream(self._ether, peer, self.name, address.host)
        other = _MemoryStream(self._ether, self.key, address.host, self.name)
        other.join(stream)
        try:
            carrier.arrive(other)
        except trio.WouldBlock as error:
            stream.break_off()
            raise Unreachable(Cause.UNREACHABLE, "too many wait there") from error
        return stream

    async def accept(self) -> Stream:
        """Return the next stream that a peer has opened."""
        return await self._to_accept.receive()

    def arrive(self, stream: _MemoryStream) -> None:
        """Let a stream wait to be accepted."""
        self._incoming.send_nowait(stream)
