"""Several items one after another, as in a file: where each of them ends.

A CBOR sequence (RFC 8742) has no length and no end mark, so its items are found by walking over
their heads. Nothing is built here: every item found goes through `decode` or a `Schema`, which say
whether it is in order. What is refused here is only what hides where an item ends, or an item that
is longer than any message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nodealer.kernel import ITEMS_MAX, MESSAGE_BYTES_MAX, PeerError, Reason

_STRINGS: Final = (2, 3)
_CONTAINERS: Final = {4: 1, 5: 2}
"""Arrays and maps, and how many items each thing in them has."""

_INDEFINITE: Final = 31
_DIRECT_MAX: Final = 23
_ARGUMENT_BYTES: Final = {24: 1, 25: 2, 26: 4, 27: 8}


def split(data: bytes) -> Iterator[bytes]:
    """Yield the bytes of one item after the other; the first that has no end raises `PeerError`."""
    start = 0
    while start < len(data):
        end = _end_of(data, start)
        yield data[start:end]
        start = end


def _end_of(data: bytes, start: int) -> int:
    position, awaited, items = start, 1, 0
    while awaited:
        major, argument, position = _head(data, position)
        awaited -= 1
        items += 1
        if major in _STRINGS:
            position += argument
        elif major in _CONTAINERS:
            awaited += argument * _CONTAINERS[major]
        if items + awaited > ITEMS_MAX:
            raise PeerError(Reason.ENCODING_TOO_MANY, f"at byte {start}")
        if position - start > MESSAGE_BYTES_MAX:
            raise PeerError(Reason.ENCODING_OVERSIZED, f"at byte {start}")
    if position > len(data):
        raise PeerError(Reason.ENCODING_TRUNCATED, f"at byte {len(data)}")
    return position


def _head(data: bytes, position: int) -> tuple[int, int, int]:
    """Return major type and argument of the item at a position, and where its head ends."""
    if position >= len(data):
        raise PeerError(Reason.ENCODING_TRUNCATED, f"at byte {len(data)}")
    major, low_bits = data[position] >> 5, data[position] & 31
    if low_bits <= _DIRECT_MAX:
        return major, low_bits, position + 1
    width = _ARGUMENT_BYTES.get(low_bits)
    if width is None:
        is_open = low_bits == _INDEFINITE
        reason = Reason.ENCODING_INDEFINITE if is_open else Reason.ENCODING_UNSUPPORTED
        raise PeerError(reason, f"at byte {position}")
    end = position + 1 + width
    return major, int.from_bytes(data[position + 1 : end], "big"), end
