"""The one encoding of everything that is hashed or signed.

`frame(a, b, ...)` is the deterministic CBOR (RFC 8949, section 4.2.1) of the array `[a, b, ...]`.
Every hash and every signature of the project covers a frame whose first item is a domain string,
so that bytes made for one purpose can never be read as bytes made for another, and no two
different lists of items have the same bytes.

Long values of which little changes need not be written anew each time: `array_of` and `map_of` put
an array or a map together from items that were encoded before, and give the same bytes as `encode`
of the whole.

Only what the wire knows may be framed: unsigned and negative integers of at most 64 bits, byte
strings, text, booleans, null, and arrays and maps of these, nested no deeper than the reader
accepts. Map keys are text. Within text keys the order of RFC 8949 (bytewise) and the older
length-first order are the same, so the encoder of `cbor2` gives the deterministic form; tuples are
arrays.

`wire` holds the strict reader of the same encoding. It stands above this module because only
peers' bytes need reading; hashing needs writing alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import cbor2

from nodealer.kernel.errors import LocalError
from nodealer.kernel.limits import NESTING_MAX, UINT_MAX
from nodealer.kernel.reasons import Reason

_ARRAY: Final = 0x80
_MAP: Final = 0xA0
_DIRECT_MAX: Final = 23
"""A container announces up to so many items in its first byte, and more in the bytes behind it."""

Value: TypeAlias = int | bytes | str | bool | Sequence["Value"] | Mapping[str, "Value"] | None
"""What can be framed and sent."""


def encode(value: Value) -> bytes:
    """Return the deterministic CBOR of `value`; a value outside the profile is the caller's bug."""
    _require_framable(value, NESTING_MAX)
    return cbor2.dumps(value, canonical=True)


def array_of(encoded: Sequence[bytes], *, after: Sequence[Value] = ()) -> bytes:
    """Return the deterministic CBOR of an array of items that `encode` has encoded.

    Before them stand values that are encoded here.
    """
    before = encode(after)[len(_head(_ARRAY, len(after))) :] if after else b""
    return _head(_ARRAY, len(after) + len(encoded)) + before + b"".join(encoded)


def map_of(encoded: Sequence[bytes]) -> bytes:
    """Return the deterministic CBOR of a map of items that `encode` has encoded.

    Each key stands before its value; keys are text, in ascending order of their bytes, each once.
    """
    return _head(_MAP, len(encoded) // 2) + b"".join(encoded)


def frame(*items: Value) -> bytes:
    """Return the deterministic CBOR of the array of `items`."""
    return encode(items)


def digest(domain: str, *items: Value) -> bytes:
    """Return SHA-256 over the frame of `domain` and `items`: the project's `H`."""
    return hashlib.sha256(frame(domain, *items)).digest()


def digest_of(domain: str, *items: Value, then: Sequence[bytes]) -> bytes:
    """Return what `digest` returns for items the last of which `encode` has encoded."""
    return hashlib.sha256(array_of(then, after=(domain, *items))).digest()


def _head(kind: int, length: int) -> bytes:
    if length <= _DIRECT_MAX:
        return bytes((kind | length,))
    size = next(size for size in (1, 2, 4) if length < 1 << 8 * size)
    return bytes((kind | _DIRECT_MAX + size.bit_length(),)) + length.to_bytes(size, "big")


def _require_framable(value: object, levels_left: int) -> None:
    match value:
        case list() | tuple():
            _require_level(levels_left)
            _require_items(value, levels_left - 1)
        case bytes() | bool() | None:
            return
        case str():
            _require_unicode(value)
        case int():
            if not -UINT_MAX - 1 <= value <= UINT_MAX:
                # Not the number itself: Python refuses to write very long ones in decimal.
                raise _unframable(f"an integer of {value.bit_length()} bits")
        case dict():
            _require_level(levels_left)
            for key, item in value.items():
                _require_key(key)
                _require_framable(item, levels_left - 1)
        case _:
            raise _unframable(type(value).__name__)


def _require_items(items: Sequence[object], levels_left: int) -> None:
    # Most items are small numbers, bytes or plain words; a call for each is felt. What is compared
    # is the type itself, because of subclasses; the type checker does not follow that to the item.
    for item in items:
        kind = type(item)
        if kind is int:
            if -UINT_MAX - 1 <= item <= UINT_MAX:  # type: ignore[operator]
                continue
        elif kind is bytes or item is None or (kind is str and item.isascii()):  # type: ignore[attr-defined]
            continue
        _require_framable(item, levels_left)


def _require_unicode(text: str) -> None:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise _unframable("text with half a surrogate pair, which has no UTF-8")


def _require_level(levels_left: int) -> None:
    # A list that holds itself ends here as well.
    if levels_left == 0:
        raise _unframable(f"more than {NESTING_MAX} levels of arrays and maps")


def _require_key(key: object) -> None:
    if not isinstance(key, str):
        raise _unframable(f"a map key of type {type(key).__name__}")
    _require_unicode(key)


def _unframable(found: str) -> LocalError:
    return LocalError(Reason.LOCAL_UNFRAMABLE, found)
