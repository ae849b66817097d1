"""The frames of a link: six kinds, and where one ends in a stream of bytes.

A frame is a length in four bytes, the highest first, and that many bytes: a head, which is a
message of this project like any other, and behind the head of `link/data` the payload, as it was
handed in. A head has at most `HEAD_BYTES_MAX` bytes and a payload as many as a message, so a frame
has a bound that is known before anything of it is kept.

    hello   who speaks: this run of the sender, the run it has heard of, what has arrived from it
    data    a payload with its number, and how many the sender has taken
    ack     how many the sender has taken
    ping    a token
    pong    the token of the latest ping
    bye     the sender leaves for good

The payload is opaque here. It is not put into the head as a byte string: then a message of the
greatest length would not fit, and every byte would be copied once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NewType, TypeAlias

from nodealer.kernel import MESSAGE_BYTES_MAX, LocalError, PeerError, Reason
from nodealer.wire import (
    Field,
    RecordCodec,
    Schema,
    exact_bytes,
    mapped,
    optional,
    read_one,
    split,
    uint,
)

RunId = NewType("RunId", bytes)
"""A random name of one end of a link, from its making to its end."""

RUN_ID_BYTES: Final = 16
"""Two runs of one key never have the same name by chance."""

HEAD_BYTES_MAX: Final = 65
"""The longest hello; every other head is shorter."""

FRAME_BYTES_MAX: Final = HEAD_BYTES_MAX + MESSAGE_BYTES_MAX

LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame in either direction of a connection."""

    own: RunId
    other: RunId | None
    arrived: int
    turn: int


@dataclass(frozen=True, slots=True)
class Data:
    """The head of a payload."""

    number: int
    taken: int


@dataclass(frozen=True, slots=True)
class Ack:
    """The number of payloads that the sender has taken."""

    taken: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for an answer."""

    token: int


@dataclass(frozen=True, slots=True)
class Pong:
    """Answers the latest ping."""

    token: int


@dataclass(frozen=True, slots=True)
class Bye:
    """The sender leaves; nothing follows."""


Head: TypeAlias = Hello | Data | Ack | Ping | Pong | Bye

_RUN = mapped(exact_bytes(RUN_ID_BYTES), RunId, bytes)

_SCHEMAS: Final = (
    Schema(
        "link/hello",
        RecordCodec(
            Hello,
            (
                Field("own", _RUN),
                Field("other", optional(_RUN)),
                Field("arrived", uint()),
                Field("turn", uint()),
            ),
        ),
    ),
    Schema("link/data", RecordCodec(Data, (Field("number", uint()), Field("taken", uint())))),
    Schema("link/ack", RecordCodec(Ack, (Field("taken", uint()),))),
    Schema("link/ping", RecordCodec(Ping, (Field("token", uint()),))),
    Schema("link/pong", RecordCodec(Pong, (Field("token", uint()),))),
    Schema("link/bye", RecordCodec(Bye, ())),
)

KINDS: Final = tuple(schema.kind for schema in _SCHEMAS)

_BY_KIND: Final[dict[str, Schema[Any]]] = {schema.kind: schema for schema in _SCHEMAS}
_BY_TYPE: Final[dict[type, Schema[Any]]] = {schema.record.build: schema for schema in _SCHEMAS}


def write_frame(head: Head, payload: bytes = b"") -> bytes:
    """Return the bytes of a frame, its length included."""
    if bool(payload) != isinstance(head, Data) or len(payload) > MESSAGE_BYTES_MAX:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a payload of {len(payload)} bytes")
    written = _BY_TYPE[type(head)].write(head)
    length = len(written) + len(payload)
    return length.to_bytes(LENGTH_BYTES, "big") + written + payload


def read_frame(body: bytes) -> tuple[Head, bytes]:
    """Return head and payload of a frame that a peer sent, or raise `PeerError`."""
    # Only the beginning: a head that does not end there is too long, whatever it is.
    written = next(split(body[:HEAD_BYTES_MAX]))
    head: Head = read_one(written, _BY_KIND)
    payload = body[len(written) :]
    if isinstance(head, Data):
        if not payload:
            raise PeerError(Reason.ENCODING_TRUNCATED, "no payload")
    elif payload:
        raise PeerError(Reason.ENCODING_TRAILING, f"{len(payload)} bytes behind the head")
    return head, payload


class Deframer:
    """Cuts a stream of bytes into frames; holds at most one that is not whole yet."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def is_between(self) -> bool:
        """Whether the last frame is whole and the next has not begun."""
        return not self._buffer

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the frames that these bytes complete; raise `PeerError` where there is none."""
        self._buffer += chunk
        start = 0
        while len(self._buffer) - start >= LENGTH_BYTES:
            body = start + LENGTH_BYTES
            end = body + self._length(start)
            if end > len(self._buffer):
                break
            yield bytes(self._buffer[body:end])
            start = end
        del self._buffer[:start]

    def _length(self, start: int) -> int:
        length = int.from_bytes(self._buffer[start : start + LENGTH_BYTES], "big")
        if not 0 < length <= FRAME_BYTES_MAX:
            raise PeerError(Reason.ENCODING_OVERSIZED, f"a frame of {length} bytes")
        return length
