"""Several streams over one connection: yamux, with a bound on everything that the other end drives.

The multiplexer of the library keeps to none: it takes what exceeds a window, grows windows up to
16 MiB, hands frames of unknown kinds on for ever without giving way, and drops what waits to be
written after 5 seconds. So this is one of our own, as little of yamux as others need in order to
talk to it. Each end may send 256 KiB on a stream before the other one has read it; windows do not
grow. Pings are answered, and not sent. Who breaks a rule loses the connection, without a word:

- a frame of another version or an unknown kind,
- a stream with a number that is taken, or is not the other end's to give,
- a stream more than this end allows, or more bytes than the window has.

Where too much of a connection is unread in all, the stream with the most of it is reset.

Theory of operation. One task reads frame by frame; each is a piece of work that waits for its turn
while the other end is a stranger, and other tasks run in between in any case. What a frame asks to
be written, a pong or an end, is noted, in one place for each, and a second task writes it. Data is
written by whoever has it, one frame at a time, and whole although its writer is cancelled: half of
a frame would be the end of all streams. A write that does not end breaks the connection.
"""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import trio
from libp2p.abc import IMuxedConn, IMuxedStream
from libp2p.connection_types import ConnectionType
from libp2p.peer.id import ID
from libp2p.stream_muxer.exceptions import (
    MuxedConnUnavailable,
    MuxedStreamEOF,
    MuxedStreamError,
    MuxedStreamReset,
)
from multiaddr import Multiaddr  # type: ignore[import-untyped]  # it has no types

from nodealer.node.transport.addresses import peer_id
from nodealer.node.transport.carrier import BrokenRuleError
from nodealer.node.transport.library import quietly
from nodealer.node.transport.link import Bell
from nodealer.node.transport.secured import PLAIN_BYTES_MAX, Secured
from nodealer.node.transport.stranger_turns import FRAME_SECONDS, STREAM_SECONDS, Pace

YAMUX: Final = "/yamux/1.0.0"

HEADER: Final = struct.Struct("!BBHII")
"""Version, kind, flags, number of the stream, and a length, a credit, a token or a reason."""

DATA, CREDIT, PING, GO_AWAY = range(4)
SYN, ACK, FIN, RST = 1, 2, 4, 8

WINDOW_BYTES: Final = 256 * 1024
"""What yamux begins with. A longest message of ours needs four; no table needs more speed."""

BODY_BYTES_MAX: Final = PLAIN_BYTES_MAX - HEADER.size
"""Written in one frame, which is one packet of Noise."""

WRITE_SECONDS: Final = 30.0
"""For one frame; who takes none for so long has gone."""

GOODBYE_SECONDS: Final = 1.0


class MuxedStream(IMuxedStream):
    """One of the streams of a connection."""

    muxed_conn: Multiplexer

    def __init__(self, number: int, multiplexer: Multiplexer) -> None:
        self.number = number
        self.muxed_conn = multiplexer
        self.ended = trio.Event()
        """Set when nothing will come any more."""
        self.unread = bytearray()
        self._may_come = WINDOW_BYTES
        self._taken = 0
        self._may_go = WINDOW_BYTES
        self._bell = Bell()
        self._is_finished = False
        self._is_reset = False

    # --- for whoever uses the stream ---

    async def read(self, n: int | None = None) -> bytes:
        """Return what has arrived, at most so much; wait for something; raise at the end."""
        while not self.unread:
            if self._is_reset:
                raise MuxedStreamReset("the stream was reset")
            if self.ended.is_set():
                raise MuxedStreamEOF("the stream has ended")
            await self._bell.wait()
        count = len(self.unread) if n is None or n < 0 else min(n, len(self.unread))
        data = bytes(self.unread[:count])
        del self.unread[:count]
        self._taken += count
        if self._taken >= WINDOW_BYTES // 2 and not self.ended.is_set():
            self._may_come += self._taken
            self.muxed_conn.owe(self.number, 0, self._taken)
            self._taken = 0
        return data

    async def exactly(self, count: int) -> bytes:
        """Return the next bytes, so many."""
        data = await self.read(count)
        while len(data) < count:
            data += await self.read(count - len(data))
        return data

    async def write(self, data: bytes) -> None:
        """Write everything; wait for room in the window of the other end."""
        start = 0
        while start < len(data):
            self._require_open()
            if not self._may_go:
                await self._bell.wait()
                continue
            count = min(len(data) - start, self._may_go, BODY_BYTES_MAX)
            self._may_go -= count
            header = HEADER.pack(0, DATA, 0, self.number, count)
            await self.muxed_conn.send(header + data[start : start + count])
            start += count

    async def close(self) -> None:
        """Write no more; what comes can still be read."""
        if self._is_finished or self._is_reset:
            return
        self._is_finished = True
        await self.muxed_conn.send(HEADER.pack(0, CREDIT, FIN, self.number, 0))
        self._forget_if_over()

    async def reset(self) -> None:
        """Neither read nor write any more, and let the other end know."""
        await trio.lowlevel.checkpoint()
        if not self._is_reset:
            if self.muxed_conn.forget(self.number):
                self.muxed_conn.owe(self.number, RST)
            self.broken()

    def set_deadline(self, ttl: int) -> None:
        """Refuse: whoever waits has a limit of its own."""
        raise NotImplementedError

    def get_remote_address(self) -> tuple[str, int] | None:
        """Return where the other end is."""
        return self.muxed_conn.get_remote_address()

    async def __aenter__(self) -> Self:
        """Use the stream in a block."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End it with the block."""
        await self.close()

    def _require_open(self) -> None:
        if self._is_reset:
            raise MuxedStreamReset("the stream was reset")
        if self._is_finished:
            raise MuxedStreamError("this end has finished")

    def _forget_if_over(self) -> None:
        if self._is_finished and self.ended.is_set():
            self.muxed_conn.forget(self.number)

    # --- for the multiplexer ---

    def arrive(self, data: bytes) -> None:
        """Keep what has come, or raise `BrokenRuleError`."""
        if self.ended.is_set() or len(data) > self._may_come:
            raise BrokenRuleError(f"{len(data)} bytes where {self._may_come} may come")
        self._may_come -= len(data)
        self.unread += data
        self._bell.ring()

    def credit(self, count: int) -> None:
        """Let more go."""
        self._may_go = min(self._may_go + count, 1 << 32)
        self._bell.ring()

    def finished(self) -> None:
        """Nothing comes any more."""
        self.ended.set()
        self._bell.ring()
        self._forget_if_over()

    def broken(self) -> None:
        """Nothing comes or goes any more; what ended in good order before can still be read."""
        if not self.ended.is_set():
            self.unread.clear()
        self._is_reset = True
        self.ended.set()
        self._bell.ring()


@dataclass(frozen=True, slots=True)
class StreamRoom:
    """The room that the other end of a connection may fill at this end."""

    streams_max: int
    unread_bytes_max: int
    """Of all streams together."""


class Multiplexer(IMuxedConn):
    """A connection with streams."""

    def __init__(
        self, secured: Secured, pace: Pace, room: StreamRoom, *, is_initiator: bool
    ) -> None:
        self.peer_id = ID.from_string(peer_id(secured.key))
        self.streams: dict[int, MuxedStream] = {}
        self.changed = Bell()
        """Rung when the first stream comes or the last one goes, and at the end."""
        self.event_started = trio.Event()
        self.event_closed = trio.Event()
        self.on_close: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint
        """Called at the end; the library puts its own here."""
        self._secured = secured
        self._pace = pace
        self._room = room
        self._is_initiator = is_initiator
        self._next = 1 if is_initiator else 2
        self._last_of_other = 0
        self._incoming, self._to_accept = trio.open_memory_channel[MuxedStream](
            2 * room.streams_max
        )
        self._life = trio.CancelScope()
        self._line = trio.Lock()
        self._bell = Bell()
        self._pong: int | None = None
        self._owed: dict[int, tuple[int, int]] = {}
        """Flags and a credit that are to be written, for each stream that has any."""

    # --- for the library ---

    @property
    def is_initiator(self) -> bool:
        """Whether this end has begun the handshake."""
        return self._is_initiator

    @property
    def is_established(self) -> bool:
        """Whether streams come and go."""
        return self.event_started.is_set() and not self.is_closed

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        return self.event_closed.is_set()

    def get_transport_addresses(self) -> list[Multiaddr]:
        """Return how the connection goes."""
        return self._secured.raw.get_transport_addresses()

    def get_connection_type(self) -> ConnectionType:
        """Say whether it goes through a relay."""
        return self._secured.raw.get_connection_type()

    def get_remote_address(self) -> tuple[str, int] | None:
        """Return where the other end is."""
        return self._secured.raw.get_remote_address()

    async def open_stream(self) -> MuxedStream:
        """Begin a stream."""
        if self.is_closed or len(self.streams) >= self._room.streams_max:
            raise MuxedConnUnavailable("no more streams")
        stream = self._begin(self._next)
        self._next += 2
        await self.send(HEADER.pack(0, CREDIT, SYN, stream.number, 0))
        return stream

    async def accept_stream(self) -> MuxedStream:
        """Return the next stream that the other end has begun."""
        try:
            return await self._to_accept.receive()
        except trio.EndOfChannel:
            raise MuxedConnUnavailable("the connection has ended") from None

    async def start(self) -> None:
        """Serve the connection until it ends; never raises."""
        try:
            with self._life:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    self.event_started.set()
                    await quietly(self._read_frames())
                    nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await self._end()

    async def close(self) -> None:
        """End all streams and the connection."""
        if not self.is_closed:
            with trio.move_on_after(GOODBYE_SECONDS):
                await quietly(self.send(HEADER.pack(0, GO_AWAY, 0, 0, 0)))
            await self._end()

    # --- for streams ---

    async def send(self, frame: bytes) -> None:
        """Write a whole frame, whoever is cancelled meanwhile, or break the connection."""
        async with self._line:
            if self.is_closed:
                raise MuxedStreamReset("the connection has ended")
            try:
                with trio.CancelScope(shield=True), trio.fail_after(WRITE_SECONDS):
                    await self._secured.write(frame)
            except Exception as error:
                self._life.cancel()
                raise MuxedStreamReset(str(error)) from error

    def owe(self, number: int, flags: int, credit: int = 0) -> None:
        """Let something about a stream be written; the last word about one is its reset."""
        before, owed = self._owed.get(number, (0, 0))
        if not before & RST:
            self._owed[number] = (RST, 0) if flags & RST else (before | flags, owed + credit)
        if len(self._owed) > 2 * self._room.streams_max:
            self._life.cancel()  # it begins streams, and does not take our answers
        self._bell.ring()

    def forget(self, number: int) -> bool:
        """Know a stream no more, and say whether it was known."""
        stream = self.streams.pop(number, None)
        if not self.streams:
            self.changed.ring()
        return stream is not None

    # --- inside ---

    def _begin(self, number: int) -> MuxedStream:
        stream = self.streams[number] = MuxedStream(number, self)
        if len(self.streams) == 1:
            self.changed.ring()
        return stream

    async def _read_frames(self) -> None:
        while True:
            header = await self._secured.exactly(HEADER.size)
            version, kind, flags, number, value = HEADER.unpack(header)
            if version != 0 or kind > GO_AWAY or (kind == DATA and value > WINDOW_BYTES):
                raise BrokenRuleError(f"a frame {header.hex()}")
            body = await self._secured.exactly(value) if kind == DATA else b""
            is_stream = flags & SYN and kind in (DATA, CREDIT)
            work = partial(self._take, kind, flags, number, value, body)
            await self._pace.do(work, STREAM_SECONDS if is_stream else FRAME_SECONDS)
            if kind == GO_AWAY:
                break

    def _take(self, kind: int, flags: int, number: int, value: int, body: bytes) -> None:
        """Do what a frame says."""
        if kind == PING:
            if flags & SYN:
                self._pong = value
                self._bell.ring()
            return
        if kind == GO_AWAY:
            return
        if flags & SYN:
            self._welcome(number)
        stream = self.streams.get(number)
        if stream is None:
            return  # it was reset here, and the other end does not know yet
        if kind == DATA:
            stream.arrive(body)
            self._keep_within_room()
        else:
            stream.credit(value)
        if flags & RST:
            self.forget(number)
            stream.broken()
        elif flags & FIN:
            stream.finished()

    def _welcome(self, number: int) -> None:
        is_of_other = number % 2 == (0 if self._is_initiator else 1)
        if not is_of_other or number <= self._last_of_other:
            raise BrokenRuleError(f"stream {number} after {self._last_of_other}")
        if len(self.streams) >= self._room.streams_max:
            raise BrokenRuleError(f"more than {self._room.streams_max} streams")
        self._last_of_other = number
        self._incoming.send_nowait(self._begin(number))
        self.owe(number, ACK)

    def _keep_within_room(self) -> None:
        unread = sum(len(stream.unread) for stream in self.streams.values())
        if unread > self._room.unread_bytes_max:
            fullest = max(self.streams.values(), key=lambda stream: len(stream.unread))
            self.forget(fullest.number)
            self.owe(fullest.number, RST)
            fullest.unread.clear()
            fullest.broken()

    async def _write(self) -> None:
        await quietly(self._write_what_is_owed())  # a write that fails ends the connection

    async def _write_what_is_owed(self) -> None:
        while True:
            frames = [
                HEADER.pack(0, CREDIT, flags, number, credit)
                for number, (flags, credit) in self._owed.items()
            ]
            self._owed.clear()
            if self._pong is not None:
                frames.append(HEADER.pack(0, PING, ACK, 0, self._pong))
                self._pong = None
            if frames:
                await self.send(b"".join(frames))
            else:
                await self._bell.wait()

    async def _end(self) -> None:
        if self.is_closed:
            return
        self.event_closed.set()
        self._life.cancel()
        self._incoming.close()
        streams = list(self.streams.values())
        self.streams.clear()
        for stream in streams:
            stream.broken()
        self.changed.ring()
        with trio.move_on_after(GOODBYE_SECONDS):
            await quietly(self._secured.raw.close())
        await quietly(self.on_close())
