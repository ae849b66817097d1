"""A carrier inside one process: no sockets and no keys to prove.

Nodes of one `Ether` reach each other by name. A stream holds `PIPE_BYTES` in each direction and
then makes the writer wait, and when it is abandoned what was not read is lost. Both is what the
multiplexer of libp2p does. On trio's virtual clock a run takes no time and goes the same way each
time; the tests have an ether with the faults of real networks.
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

    def __init__(self) -> None:
        self.bell = Bell()
        self.streams: set[MemoryStream] = set()
        """Those that are whole."""
        self._carriers: dict[str, MemoryCarrier] = {}

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
            for stream in list(self.streams):
                if name in (stream.name, stream.other_name):
                    stream.break_off()

    async def find(self, caller: str, name: str, peer: PeerKey) -> MemoryCarrier:
        """Return the carrier of a node that somebody looks for, or raise `Unreachable`."""
        del caller  # an ether may have nodes that do not reach each other
        await trio.lowlevel.checkpoint()
        carrier = self._carriers.get(name)
        if carrier is None:
            raise Unreachable(Cause.UNREACHABLE, name)
        if carrier.key != peer:
            raise Unreachable(Cause.IMPOSTOR, name)
        return carrier

    def stream(self, peer: PeerKey, name: str, other_name: str) -> MemoryStream:
        """Return one end of a stream."""
        return MemoryStream(self, peer, name, other_name)


class _Pipe:
    """One direction of a stream."""

    def __init__(self) -> None:
        self.chunks: deque[bytes] = deque()
        self.size = 0
        self.is_finished = False
        self.is_broken = False


class MemoryStream:
    """One end of a stream inside the process."""

    def __init__(self, ether: Ether, peer: PeerKey, name: str, other_name: str) -> None:
        self.peer = peer
        self.place: Address | None = Address("memory", other_name)
        self.name, self.other_name = name, other_name
        self._ether = ether
        self._from, self._to = _Pipe(), _Pipe()
        ether.streams.add(self)

    def join(self, other: MemoryStream) -> None:
        """Make this the other end of a stream."""
        self._from, self._to = other._to, other._from

    async def read(self) -> bytes:
        """Return some bytes, or none after the end; raise `StreamBroken`."""
        await trio.lowlevel.checkpoint()
        pipe = self._from
        while True:
            self._require_whole(pipe)
            if pipe.chunks:
                chunk = pipe.chunks.popleft()
                pipe.size -= len(chunk)
                self._ether.bell.ring()
                return chunk
            if pipe.is_finished:
                return b""
            await self._ether.bell.wait()

    async def write(self, data: bytes) -> None:
        """Write everything; raise `StreamBroken`."""
        await trio.lowlevel.checkpoint()
        pipe = self._to
        for start in range(0, len(data), PIPE_BYTES // 4):
            chunk = data[start : start + PIPE_BYTES // 4]
            while pipe.size + len(chunk) > PIPE_BYTES:
                self._require_whole(pipe)
                await self._ether.bell.wait()
            self._require_whole(pipe)
            pipe.chunks.append(chunk)
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
        self._ether.streams.discard(self)
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
        self._incoming, self._to_accept = trio.open_memory_channel[MemoryStream](BACKLOG)

    def addresses(self) -> tuple[Address, ...]:
        """Return where this carrier can be reached."""
        return (Address("memory", self.name),)

    async def open(self, peer: PeerKey, address: Address) -> Stream:
        """Return a new stream to a peer, or raise `Unreachable`."""
        if address.kind != "memory":
            raise Unreachable(Cause.UNREACHABLE, str(address))
        carrier = await self._ether.find(self.name, address.host, peer)
        stream = self._ether.stream(peer, self.name, address.host)
        other = self._ether.stream(self.key, address.host, self.name)
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

    def arrive(self, stream: MemoryStream) -> None:
        """Let a stream wait to be accepted."""
        self._incoming.send_nowait(stream)
