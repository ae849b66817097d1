"""The notation of the vectors, read: hex, items of the encoding, points, seats, moments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from nodealer.cards import Zone
from nodealer.crypto import SECP256K1, Masked, Point
from nodealer.deck import PUBLIC, ProofMoment
from nodealer.kernel import EntryId, Height, Seat, TableId, Value

Json: TypeAlias = dict[str, Any]


def data_of(given: Json) -> bytes:
    """Return the bytes of a vector, which stand in `data` or repeated in `pieces`."""
    if "pieces" in given:
        return b"".join([bytes.fromhex(text) * times for text, times in given["pieces"]])
    return bytes.fromhex(given["data"])


def value_of(noted: object) -> Value:
    """Return the value of an item of the encoding."""
    match noted:
        case None | bool():
            return noted
        case {"int": text}:
            return int(text)
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"text": text}:
            return str(text)
        case {"array": items}:
            return [value_of(item) for item in items]
        case {"map": entries}:
            return {key: value_of(item) for key, item in entries}
        case _:
            raise ValueError(f"{noted!r} is no item")


def noted(value: Value) -> object:
    """Return the notation of a value that was read."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, str):
        return {"text": value}
    if isinstance(value, Mapping):
        return {"map": [[key, noted(item)] for key, item in value.items()]}
    return {"array": [noted(item) for item in value]}


def point(text: str) -> Point:
    """Return a point, O included, which only hashes can write."""
    data = bytes.fromhex(text)
    return SECP256K1.identity if data == b"\x00" else SECP256K1.read_point(data)


def points(texts: Iterable[str]) -> list[Point]:
    """Return points."""
    return [point(text) for text in texts]


def cards(pairs: Iterable[tuple[str, str]]) -> list[Masked]:
    """Return masked cards."""
    return [Masked(point(E), point(M)) for E, M in pairs]


def scalar(text: str) -> int:
    """Return a scalar."""
    return SECP256K1.read_scalar(bytes.fromhex(text))


def seats(members: Iterable[str | int]) -> list[Seat]:
    """Return seats; `all` stands for everybody."""
    return [PUBLIC if member == "all" else Seat(int(member)) for member in members]


def listed(members: Iterable[Seat]) -> list[str | int]:
    """Return seats in ascending order as the vectors write them, `all` in front."""
    return [*["all"] * (PUBLIC in set(members)), *sorted({int(s) for s in members} - {PUBLIC})]


def zone(text: str) -> Zone:
    """Return a zone from its name and, behind a stroke, its owner."""
    name, stroke, owner = text.partition("/")
    return Zone(name, Seat(int(owner)) if stroke else None)


def moment(given: Json) -> ProofMoment:
    """Return a moment."""
    return ProofMoment(
        TableId(bytes.fromhex(given["table"])),
        Height(given["height"]),
        EntryId(bytes.fromhex(given["parent"])),
        bytes.fromhex(given["step"]),
    )


def merged(before: object, patch: object) -> Any:  # noqa: ANN401 - any JSON
    """Return `before` with a JSON merge patch (RFC 7396) applied."""
    if not isinstance(patch, dict):
        return patch
    after = dict(before) if isinstance(before, dict) else {}
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = merged(after.get(name), value)
    return after
