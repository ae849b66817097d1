"""Vectors of the encoding: bytes that are an item, bytes that are not, frames and hashes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nodealer.kernel import Value, digest, encode, frame
from nodealer.kernel.limits import ITEMS_MAX, MESSAGE_BYTES_MAX, NESTING_MAX, UINT_MAX
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import hashed, item

_VALUES: Final[dict[str, tuple[str, Value]]] = {
    "zero": ("the smallest unsigned integer", 0),
    "uint-23": ("the largest integer in the first byte", 23),
    "uint-24": ("the smallest integer in one byte more", 24),
    "uint-65536": ("the smallest integer in four bytes more", 65536),
    "uint-max": ("the largest integer", UINT_MAX),
    "negative-max": ("minus one", -1),
    "negative-min": ("the smallest integer", -UINT_MAX - 1),
    "bytes": ("a byte string", bytes(range(5))),
    "text": ("text beyond ASCII", "käse 🂡"),
    "text-empty": ("no text at all", ""),
    "constants": ("the three simple values", [False, True, None]),
    "map": ("keys in bytewise order of their encoding: shorter ones first", {"z": 1, "aa": 2}),
    "nested": ("arrays and maps in each other", [[], {"list": [1, [2, b"\x03"]]}]),
}

_DEEPEST: Final = b"\x81" * (NESTING_MAX - 1) + b"\x80"

_REFUSED: Final[dict[str, tuple[str, bytes, str]]] = {
    "empty": ("no byte at all", b"", "encoding/truncated"),
    "truncated-number": ("a length without its second byte", b"\x19\x01", "encoding/truncated"),
    "truncated-string": ("four of five announced bytes", b"\x45abcd", "encoding/truncated"),
    "truncated-array": ("one of two announced items", b"\x82\x00", "encoding/truncated"),
    "truncated-map": ("a key without its value", b"\xa1\x61a", "encoding/truncated"),
    "trailing": ("a second item", b"\x00\x00", "encoding/trailing"),
    "not-minimal-1": ("23 in a byte of its own", b"\x18\x17", "encoding/not-minimal"),
    "not-minimal-2": ("255 in two bytes", b"\x19\x00\xff", "encoding/not-minimal"),
    "not-minimal-4": ("65535 in four bytes", b"\x1a\x00\x00\xff\xff", "encoding/not-minimal"),
    "not-minimal-8": (
        "2^32 - 1 in eight bytes",
        b"\x1b" + b"\0" * 4 + b"\xff" * 4,
        "encoding/not-minimal",
    ),
    "not-minimal-length": (
        "a string's length of 1 in one more byte",
        b"\x58\x01a",
        "encoding/not-minimal",
    ),
    "indefinite-bytes": ("a byte string in chunks", b"\x5f\x41a\xff", "encoding/indefinite"),
    "indefinite-array": ("an array without length", b"\x9f\x00\xff", "encoding/indefinite"),
    "break": ("a stop code alone", b"\xff", "encoding/indefinite"),
    "tag": ("a tagged date", b"\xc1\x00", "encoding/unsupported"),
    "float": ("1.0 as a half float", b"\xf9\x3c\x00", "encoding/unsupported"),
    "undefined": ("the simple value 23", b"\xf7", "encoding/unsupported"),
    "simple-extended": ("a simple value in a byte of its own", b"\xf8\x20", "encoding/unsupported"),
    "reserved": ("a first byte that CBOR leaves free", b"\x1c", "encoding/unsupported"),
    "text-invalid": ("a byte that UTF-8 does not know", b"\x61\xff", "encoding/text"),
    "text-surrogate": ("half of a surrogate pair", b"\x63\xed\xa0\x80", "encoding/text"),
    "text-overlong": ("a stroke in two bytes", b"\x62\xc0\xaf", "encoding/text"),
    "key-integer": ("a map key that is no text", b"\xa1\x00\x00", "encoding/key"),
    "key-order": ("b before a", b"\xa2\x61b\x00\x61a\x00", "encoding/key-order"),
    "key-order-length": ("aa before b", b"\xa2\x62aa\x00\x61b\x00", "encoding/key-order"),
    "key-twice": ("a twice", b"\xa2\x61a\x00\x61a\x00", "encoding/key-order"),
    "too-deep": ("nine arrays in each other", b"\x81" + _DEEPEST, "encoding/too-deep"),
    "too-many": (
        "as many items as a message may have, and the array itself",
        b"\x99" + ITEMS_MAX.to_bytes(2, "big"),
        "encoding/too-many",
    ),
    "too-many-map": (
        "half as many entries: keys and values count each",
        b"\xb9" + (ITEMS_MAX // 2).to_bytes(2, "big"),
        "encoding/too-many",
    ),
}


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `cbor`."""
    for name, (about, value) in _VALUES.items():
        yield _decoded(name, about, encode(value), value)
    yield _decoded("deepest", "eight arrays in each other", _DEEPEST, [[[[[[[[]]]]]]]])
    for name, (about, data, reason) in _REFUSED.items():
        given = {"data": data.hex()}
        yield Vector(f"cbor/refused/{name}", about, "encoding/decode", given, reason)
    yield _oversized()
    yield from _hashes()


def _decoded(name: str, about: str, data: bytes, value: Value) -> Vector:
    given = {"data": data.hex()}
    then = {"value": item(value)}
    return Vector(f"cbor/{name}", about, "encoding/decode", given, then=then)


def _oversized() -> Vector:
    """Return a byte string of which every byte is in order but the last, which is too many."""
    length = MESSAGE_BYTES_MAX + 1 - 5
    given: Json = {"pieces": [["5a" + length.to_bytes(4, "big").hex(), 1], ["00", length]]}
    about = "a byte string that makes the message one byte too long"
    return Vector("cbor/refused/oversized", about, "encoding/decode", given, "encoding/oversized")


def _hashes() -> Iterator[Vector]:
    items: tuple[Value, ...] = (hashed("table"), 7, "text", [1, 2], None)
    yield Vector(
        "cbor/frame",
        "the frame of several items is the encoding of the array of them",
        "encoding/frame",
        {"items": [item(value) for value in items]},
        then={"frame": frame(*items).hex()},
    )
    yield Vector(
        "cbor/hash",
        "H is SHA-256 over the frame of domain and items",
        "encoding/hash",
        {"domain": "nodealer/1/proof", "items": [item(value) for value in items]},
        then={"hash": digest("nodealer/1/proof", *items).hex()},
    )
