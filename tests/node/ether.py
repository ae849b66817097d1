"""The space between nodes of one process with every fault of real networks, on demand.

latency_seconds   everything arrives so much later
part, heal        nodes cannot reach each other: connections break, and nobody answers
hold, release     a node stands still, as a frozen process does: its connections stay, silent
cut               connections of a node break, wherever they are in a frame
"""

from __future__ import annotations

from collections import deque

import trio

from nodealer.kernel import Cause
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.carrier import Unreachable
from nodealer.node.transport.memory import PIPE_BYTES, Ether, MemoryCarrier, MemoryStream


class FaultyEther(Ether):
    """The space between the nodes of one process, with faults."""

    def __init__(self, latency_seconds: float = 0.0) -> None:
        super().__init__()
        self.latency_seconds = latency_seconds
        self._parted: set[frozenset[str]] = set()
        self._held: set[str] = set()

    def part(self, one: str, other: str) -> None:
        """Let two nodes not reach each other any more."""
        self._parted.add(frozenset((one, other)))
        for stream in list(self.streams):
            if {stream.name, stream.other_name} == {one, other}:
                stream.break_off()

    def heal(self) -> None:
        """Let all nodes reach each other again."""
        self._parted.clear()

    def cut(self, name: str) -> None:
        """Break all streams of a node."""
        for stream in list(self.streams):
            if name in (stream.name, stream.other_name):
                stream.break_off()

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

    async def find(self, caller: str, name: str, peer: PeerKey) -> MemoryCarrier:
        """Return the carrier of a node that can be reached, or raise `Unreachable`."""
        await trio.sleep(self.latency_seconds)
        while self.is_held(name) or self.is_held(caller):
            await self.bell.wait()
        if frozenset((caller, name)) in self._parted:
            raise Unreachable(Cause.UNREACHABLE, name)
        return await super().find(caller, name, peer)

    def stream(self, peer: PeerKey, name: str, other_name: str) -> MemoryStream:
        """Return one end of a stream that arrives late, and whose ends may stand still."""
        return _FaultyStream(self, peer, name, other_name)


class _FaultyStream(MemoryStream):
    """One end of a stream, with the faults of its ether."""

    def __init__(self, ether: FaultyEther, peer: PeerKey, name: str, other_name: str) -> None:
        super().__init__(ether, peer, name, other_name)
        self._faults = ether
        self._due, self._sent = deque[float](), deque[float]()
        """When what is on its way arrives, in both directions."""

    def join(self, other: MemoryStream) -> None:
        """Make this the other end of a stream."""
        super().join(other)
        assert isinstance(other, _FaultyStream), "of the same ether"
        self._due, self._sent = other._sent, other._due

    async def read(self) -> bytes:
        """Return some bytes once they are here, while this end does not stand still."""
        await trio.lowlevel.checkpoint()
        while True:
            self._require_whole(self._from)
            if self._faults.is_held(self.name) or not (self._due or self._from.is_finished):
                await self._faults.bell.wait()
            elif self._due and self._due[0] > trio.current_time():
                with trio.move_on_at(self._due[0]):
                    await self._faults.bell.wait()
            else:
                data = await super().read()
                if data:
                    self._due.popleft()
                return data

    async def write(self, data: bytes) -> None:
        """Write everything, while this end does not stand still."""
        for start in range(0, len(data), PIPE_BYTES // 4):
            while self._faults.is_held(self.name):
                self._require_whole(self._to)
                await self._faults.bell.wait()
            await super().write(data[start : start + PIPE_BYTES // 4])
            self._sent.append(trio.current_time() + self._faults.latency_seconds)
            self._faults.bell.ring()
