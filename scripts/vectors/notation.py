"""How values stand in the JSON of a vector: bytes, items of the encoding, points, seats, zones.

JSON has no bytes, and its numbers are not exact beyond 2^53 in every reader. So bytes are hex, and
an item of the encoding is written so that its type is always visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from nodealer.cards import Zone
from nodealer.crypto import SECP256K1, Masked, Point
from nodealer.deck import PUBLIC, ProofMoment
from nodealer.kernel import Seat, Value
from scripts.vectors.files import Json


def item(value: Value) -> object:
    """Return an item of the encoding in the notation of the vectors."""
    match value:
        case None | bool():
            return value
        case int():
            return {"int": str(value)}
        case bytes():
            return {"bytes": value.hex()}
        case str():
            return {"text": value}
        case dict():
            return {"map": [[key, item(inner)] for key, inner in value.items()]}
        case _:
            assert isinstance(value, Sequence), "no other values can be encoded"
            return {"array": [item(inner) for inner in value]}


def hashed(*words: str | int) -> bytes:
    """Return 32 bytes that follow from a few words: ids, seeds and the like."""
    return sha256("/".join(["vectors", *map(str, words)]).encode()).digest()


def scalar(*words: str | int) -> int:
    """Return a scalar that follows from a few words."""
    return int.from_bytes(hashed("scalar", *words), "big") % SECP256K1.order


def some_point(*words: str | int) -> Point:
    """Return a point that follows from a few words."""
    return SECP256K1.times_generator(scalar(*words))


def point(element: Point) -> str:
    """Return the hex of a point."""
    return element.encode().hex()


def points(elements: Iterable[Point]) -> list[str]:
    """Return the hex of each point."""
    return [point(element) for element in elements]


def cards(pairs: Iterable[Masked]) -> list[list[str]]:
    """Return masked cards as pairs of points."""
    return [points(pair) for pair in pairs]


def seats(members: Iterable[Seat]) -> list[str | int]:
    """Return seats in ascending order, with `all` for everybody in front."""
    return ["all" if seat == PUBLIC else int(seat) for seat in sorted(members)]


def zone(place: Zone) -> str:
    """Return the name of a zone, with its owner behind a stroke."""
    return place.name if place.seat is None else f"{place.name}/{place.seat}"


def moment(at: ProofMoment) -> Json:
    """Return a moment."""
    return {
        "table": at.table.hex(),
        "height": int(at.height),
        "parent": at.parent.hex(),
        "step": at.step.hex(),
    }


def flipped(data: bytes, at: int = -1) -> bytes:
    """Return the bytes with the lowest bit of one of them changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def merge_patch(before: Json, after: Json) -> Json:
    """Return the JSON merge patch (RFC 7396) that makes `after` of `before`."""
    patch: Json = {name: None for name in before if name not in after}
    for name, value in after.items():
        former = before.get(name)
        if isinstance(value, dict) and isinstance(former, dict):
            inner = merge_patch(former, value)
            if inner:
                patch[name] = inner
        elif value != former:
            patch[name] = value
    return patch
