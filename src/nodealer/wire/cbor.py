"""The strict reader of the one encoding: bytes of a stranger become values, or one named refusal.

`kernel.framing.encode` writes; this module reads, and accepts exactly what that writer writes:
`decode(data)` succeeds if and only if the value it returns is encoded as `data` again. So a value
has one form, whoever forwards it, and a hash over received bytes is a hash over their meaning. The
module knows nothing of messages, kinds or versions; those begin in `schema`.

The profile is the deterministic encoding of RFC 8949, section 4.2.1, of

    integers from -2^64 to 2^64 - 1     shortest form
    byte strings, text                  definite length, text in UTF-8
    arrays                              definite length, returned as tuples
    maps                                definite length, text keys that ascend bytewise, each once
    false, true, null

Theory of operation. The bytes are read once, from left to right, and the first thing that is wrong
is the reason given, so that every implementation of the profile names the same one. The order in
which one item is looked at is part of that:

1. the first byte alone: is this byte used at all (`_REFUSED`);
2. the number that follows it: are its bytes there, is it in its shortest form;
3. for an array or map: is it nested too deeply, does it announce too many items;
4. the content, in order; for a map entry the key is looked at before its value.

Nothing costs more than what was sent. A container is charged for all the items that it announces
before any is read, against one budget for the whole message (the outermost item counts, and in
maps keys and values count each), and grows only as items really arrive; a string is a slice of
bytes that are there. Items nest at most `NESTING_MAX` arrays and maps deep, which bounds the
recursion below.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.kernel import (
    ITEMS_MAX,
    MESSAGE_BYTES_MAX,
    NESTING_MAX,
    LocalError,
    PeerError,
    Reason,
    Value,
)

_UNSIGNED: Final = 0
_NEGATIVE: Final = 1
_BYTES: Final = 2
_TEXT: Final = 3
_ARRAY: Final = 4
_MAP: Final = 5
_TAG: Final = 6
_SIMPLE: Final = 7

_CONSTANTS: Final[Mapping[int, Value]] = {20: False, 21: True, 22: None}
"""The simple values of the profile."""

_DIRECT_MAX: Final = 23
"""An argument up to this stands in the first byte itself."""

_ARGUMENT_BYTES: Final[Mapping[int, int]] = {24: 1, 25: 2, 26: 4, 27: 8}
"""How many bytes of argument follow a first byte whose lower five bits are these."""

_ARGUMENT_MIN: Final[Mapping[int, int]] = {24: 24, 25: 1 << 8, 26: 1 << 16, 27: 1 << 32}
"""The least argument that fits no shorter form."""

_INDEFINITE: Final = 31


def _refusal_of(first_byte: int) -> Reason | None:
    major, low_bits = first_byte >> 5, first_byte & 31
    if low_bits == _INDEFINITE:
        return Reason.ENCODING_INDEFINITE
    is_reserved = low_bits > _DIRECT_MAX and low_bits not in _ARGUMENT_BYTES
    is_foreign = major == _TAG or (major == _SIMPLE and low_bits not in _CONSTANTS)
    return Reason.ENCODING_UNSUPPORTED if is_reserved or is_foreign else None


_REFUSED: Final[Mapping[int, Reason]] = {
    first_byte: reason for first_byte in range(256) if (reason := _refusal_of(first_byte))
}
"""The first bytes that begin no item of the profile."""

_DIRECT: Final = tuple(
    (first_byte >> 5, first_byte & 31)
    if first_byte & 31 <= _DIRECT_MAX and first_byte not in _REFUSED
    else None
    for first_byte in range(256)
)
"""What a first byte says that no argument follows: most items begin with one of these."""


def decode(data: bytes) -> Value:
    """Return the value of `data`, which must be one item of the profile and nothing else."""
    reader = _Reader(data)
    value = reader.item(NESTING_MAX)
    reader.require_end()
    return value


def decode_head(data: bytes, count: int) -> tuple[Value, ...]:
    """Return the first `count` items of the array that `data` begins with, or all if it has fewer.

    Nothing behind them is looked at. For whoever must know what a message is before deciding how
    to read it; `decode` alone says that the bytes are in order.
    """
    return _Reader(data).head(count)


class _Reader:
    """A position in the bytes of one message, and what the message may still claim."""

    __slots__ = ("_data", "_items_left", "_length", "_position")

    def __init__(self, data: bytes) -> None:
        # An argument of another type is our own mistake: it did not come from a peer.
        if not isinstance(data, bytes):
            raise LocalError(Reason.LOCAL_ARGUMENT, f"{type(data).__name__} instead of bytes")
        if len(data) > MESSAGE_BYTES_MAX:
            raise PeerError(Reason.ENCODING_OVERSIZED, f"{len(data)} bytes")
        self._data = data
        self._length = len(data)
        self._position = 0
        self._items_left = ITEMS_MAX - 1  # the outermost item is announced by nobody

    def item(self, levels_left: int) -> Value:
        """Read one item that holds at most `levels_left` levels of arrays and maps."""
        major, argument = self._header()
        if major == _UNSIGNED:
            return argument
        if major == _NEGATIVE:
            return -1 - argument
        if major == _BYTES:
            return self._take(argument)
        if major == _TEXT:
            return self._text(argument)
        if major == _SIMPLE:
            return _CONSTANTS[argument]
        return self._container(major, argument, levels_left)

    def head(self, count: int) -> tuple[Value, ...]:
        """Read an array up to its item `count`."""
        major, length = self._header()
        if major != _ARRAY:
            raise PeerError(Reason.ENCODING_SHAPE, "the outermost item is not an array")
        self._announce(length)
        return tuple(self.item(NESTING_MAX - 1) for _ in range(min(count, length)))

    def require_end(self) -> None:
        """Refuse whatever follows the outermost item."""
        if self._position != self._length:
            raise self._refusal(Reason.ENCODING_TRAILING)

    def _header(self) -> tuple[int, int]:
        # Every item passes here: one byte is taken without making a byte string of it.
        if self._position >= self._length:
            raise self._refusal(Reason.ENCODING_TRUNCATED)
        first_byte = self._data[self._position]
        self._position += 1
        known = _DIRECT[first_byte]
        if known is not None:
            return known
        if first_byte in _REFUSED:
            raise self._refusal(_REFUSED[first_byte])
        major, low_bits = first_byte >> 5, first_byte & 31
        argument = int.from_bytes(self._take(_ARGUMENT_BYTES[low_bits]), "big")
        if argument < _ARGUMENT_MIN[low_bits]:
            raise self._refusal(Reason.ENCODING_NOT_MINIMAL)
        return major, argument

    def _container(self, major: int, length: int, levels_left: int) -> Value:
        if levels_left == 0:
            raise self._refusal(Reason.ENCODING_TOO_DEEP)
        if major == _MAP:
            self._announce(2 * length)
            return self._entries(length, levels_left - 1)
        self._announce(length)
        return tuple([self.item(levels_left - 1) for _ in range(length)])

    def _entries(self, length: int, levels_left: int) -> dict[str, Value]:
        entries: dict[str, Value] = {}
        encoded_before = b""
        for _ in range(length):
            start = self._position
            key = self._key()
            encoded = self._data[start : self._position]
            if encoded <= encoded_before:
                raise self._refusal(Reason.ENCODING_KEY_ORDER)
            entries[key] = self.item(levels_left)
            encoded_before = encoded
        return entries

    def _key(self) -> str:
        major, argument = self._header()
        if major != _TEXT:
            raise self._refusal(Reason.ENCODING_KEY)
        return self._text(argument)

    def _text(self, length: int) -> str:
        encoded = self._take(length)
        try:
            return encoded.decode()
        except UnicodeDecodeError:
            raise self._refusal(Reason.ENCODING_TEXT) from None

    def _announce(self, count: int) -> None:
        if count > self._items_left:
            raise self._refusal(Reason.ENCODING_TOO_MANY)
        self._items_left -= count

    def _take(self, length: int) -> bytes:
        end = self._position + length
        if end > self._length:
            raise self._refusal(Reason.ENCODING_TRUNCATED)
        taken = self._data[self._position : end]
        self._position = end
        return taken

    def _refusal(self, reason: Reason) -> PeerError:
        return PeerError(reason, f"at byte {self._position}")
