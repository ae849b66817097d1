"""Bounds on what a stranger can make the library keep: it has none where these stand.

Whoever can connect is let in as far as this before anybody has asked who it is. The library lets a
connection fill its memory with what nobody reads (it notices that a window is exceeded, and goes
on), open any number of streams, and announce the name of a protocol of any length.
"""

from __future__ import annotations

from typing import Final

import trio
from libp2p.abc import IMuxedStream
from libp2p.exceptions import ParseError
from libp2p.io.exceptions import IOException
from libp2p.protocol_muxer.exceptions import MultiselectCommunicatorError
from libp2p.protocol_muxer.multiselect_communicator import MultiselectCommunicator
from libp2p.stream_muxer.exceptions import MuxedConnUnavailable
from libp2p.stream_muxer.yamux.yamux import MAX_WINDOW_SIZE, Yamux
from libp2p.utils.varint import read_varint_prefixed_bytes_limited

UNREAD_BYTES_MAX: Final = 2 * MAX_WINDOW_SIZE
"""On a connection, all its streams together; who keeps to the windows stays far below."""

STREAMS_MAX: Final = 256
"""Of a connection; a relay has one for each peer that it brings to a place, and few more."""

NAME_BYTES_MAX: Final = 1024
"""A line of the negotiation; the names of protocols have some dozens."""


_read_body = Yamux._read_data_body  # noqa: SLF001 - the one place that all payloads pass
_accept_stream = Yamux.accept_stream


async def read_body(connection: Yamux, length: int) -> bytes:
    """Read what a frame brings; with too much unread the connection ends, as if it was too slow."""
    unread = sum(map(len, connection.stream_buffers.values()))
    if unread + length > UNREAD_BYTES_MAX:
        raise trio.TooSlowError
    return await _read_body(connection, length)


async def accept_stream(connection: Yamux) -> IMuxedStream:
    """Return the next stream that the peer opens; with too many of them the connection ends."""
    stream = await _accept_stream(connection)
    if sum(not one.closed for one in connection.streams.values()) > STREAMS_MAX:
        raise MuxedConnUnavailable(f"more than {STREAMS_MAX} streams")
    return stream


async def read_line(talk: MultiselectCommunicator) -> str:
    """Read a line of the negotiation; raise nothing but what the library expects there."""
    try:
        data = await read_varint_prefixed_bytes_limited(talk.read_writer, NAME_BYTES_MAX)
        text = data.decode()
    except (ParseError, IOException, UnicodeError) as error:
        raise MultiselectCommunicatorError(str(error)) from error
    if not text.endswith("\n"):
        raise MultiselectCommunicatorError("no line")
    return text[:-1]


def bound() -> None:
    """Let the library keep to these bounds, in all that runs in this process.

    It makes its connections and talks itself, wherever it needs them, so the classes are mended.
    """
    setattr(Yamux, "_read_data_body", read_body)  # noqa: B010 - a method
    setattr(Yamux, "accept_stream", accept_stream)  # noqa: B010 - a method
    setattr(MultiselectCommunicator, "read", read_line)  # noqa: B010 - a method
