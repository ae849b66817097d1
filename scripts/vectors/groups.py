"""Vectors of the group: points, scalars, challenges, sums of multiples, hashing to points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from nodealer.crypto import SECP256K1, Point, write_scalar
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import hashed, point, points, some_point

_Q: Final = SECP256K1.order
_P: Final = 2**256 - 2**32 - 977
"""The prime of the field."""

_FACES: Final = ("A", "QH", "potato", "käse 🂡", "10♠")


def vectors() -> Iterator[Vector]:
    """Return the vectors of points, scalars, challenges and hashing."""
    yield from _points()
    yield from _sums()
    yield from _scalars()
    yield from _challenges()
    yield from _hashed()


def _points() -> Iterator[Vector]:
    good = {
        "generator": ("the base point G", SECP256K1.generator),
        "negated": ("the base point negated: the other prefix", -SECP256K1.generator),
        "any": ("some point", some_point("any")),
    }
    for name, (about, element) in good.items():
        yield _reading("points", name, "point", about, element.encode())
    x = SECP256K1.generator.encode()[1:]
    y = (-SECP256K1.generator).encode()[1:]
    no_x = (5).to_bytes(32, "big")
    bad = {
        "empty": ("no bytes", b"", "group/point-length"),
        "identity": ("O as hashes write it", b"\x00", "group/point-length"),
        "short": ("a byte too few", b"\x02" + x[:-1], "group/point-length"),
        "long": ("a byte too many", b"\x02" + x + b"\x00", "group/point-length"),
        "uncompressed": ("both coordinates", b"\x04" + x + y, "group/point-length"),
        "prefix-00": ("33 zero bytes", bytes(33), "group/point-prefix"),
        "prefix-04": ("the prefix of the long form", b"\x04" + x, "group/point-prefix"),
        "prefix-06": ("a hybrid prefix", b"\x06" + x, "group/point-prefix"),
        "no-point": ("an x that no point has", b"\x02" + no_x, "group/point-off-curve"),
        "x-is-zero": ("x is zero", b"\x02" + bytes(32), "group/point-off-curve"),
        "x-not-reduced": (
            "1 + p, where 1 is the x of a point",
            b"\x02" + _big(_P + 1),
            "group/point-off-curve",
        ),
        "x-is-largest": (
            "the largest x that 32 bytes hold",
            b"\x03" + b"\xff" * 32,
            "group/point-off-curve",
        ),
    }
    for name, (about, data, reason) in bad.items():
        yield _reading("points/refused", name, "point", about, data, reason)


def _sums() -> Iterator[Vector]:
    G, P = SECP256K1.generator, some_point("sum")
    lam = SECP256K1.endomorphism
    cases: dict[str, tuple[str, Sequence[int], Sequence[Point]]] = {
        "linear": ("a sum of multiples", (2, 3, _Q - 1), (G, P, some_point("other"))),
        "doubled": ("a point and itself", (1, 1), (P, P)),
        "identity": ("a point and its negation: O is one byte", (1, _Q - 1), (P, P)),
        "empty": ("no summand: O", (), ()),
        "zero": ("zero times a point beside another", (0, 1), (P, G)),
        "endomorphism": ("1, λ and λ² times a point: O", (1, lam, lam * lam % _Q), (P, P, P)),
    }
    for name, (about, scalars, bases) in cases.items():
        given = {"scalars": [_big(s).hex() for s in scalars], "points": points(bases)}
        then = {"sum": point(SECP256K1.linear(scalars, bases))}
        yield Vector(f"points/{name}", about, "point/linear", given, then=then)


def _scalars() -> Iterator[Vector]:
    good = {"zero": ("zero is allowed", 0), "one": ("one", 1), "largest": ("order - 1", _Q - 1)}
    for name, (about, value) in good.items():
        yield _reading("scalars", name, "scalar", about, write_scalar(value))
    bad = {
        "order": ("the order itself", _big(_Q), "group/scalar-range"),
        "largest": ("the largest number in 32 bytes", b"\xff" * 32, "group/scalar-range"),
        "short": ("a byte too few", _big(1)[1:], "group/scalar-length"),
        "long": ("a zero byte in front", b"\x00" + _big(1), "group/scalar-length"),
        "empty": ("no bytes", b"", "group/scalar-length"),
    }
    for name, (about, data, reason) in bad.items():
        yield _reading("scalars/refused", name, "scalar", about, data, reason)


def _challenges() -> Iterator[Vector]:
    good = {
        "zero": ("both halves are zero", bytes(16)),
        "plain": ("the first half alone", (5).to_bytes(8, "big") + bytes(8)),
        "rotated": ("the second half alone is multiplied by λ", bytes(8) + (5).to_bytes(8, "big")),
        "largest": ("both halves at their largest", b"\xff" * 16),
        "any": ("any challenge", hashed("challenge")[:16]),
    }
    for name, (about, data) in good.items():
        then = {"scalar": write_scalar(SECP256K1.short_scalar(data)).hex()}
        given = {"data": data.hex()}
        yield Vector(f"challenges/{name}", about, "challenge/scalar", given, then=then)
    for name, length in (("short", 15), ("long", 17), ("full-scalar", 32)):
        given = {"data": bytes(length).hex()}
        about = f"{length} bytes"
        path = f"challenges/refused/{name}"
        yield Vector(path, about, "challenge/scalar", given, "group/challenge-length")


def _hashed() -> Iterator[Vector]:
    cases: list[tuple[str, str, str, int | str]] = [
        (f"face-{place}", "the point of a face", "nodealer/1/face", name)
        for place, name in enumerate(_FACES)
    ]
    cases += [
        (f"generator-{index}", "a generator of the proof of shuffle", "nodealer/1/tw-gen", index)
        for index in (0, 1, 2, 3, 24, 256)
    ]
    for name, about, domain, hashed_item in cases:
        given: Json = {"domain": domain, "item": hashed_item}
        then = {"point": point(SECP256K1.hash_to_point(domain, hashed_item))}
        yield Vector(f"hash-to-point/{name}", about, "hash-to-point", given, then=then)


def _reading(
    topic: str, name: str, what: str, about: str, data: bytes, reason: str = "ok"
) -> Vector:
    return Vector(f"{topic}/{name}", about, f"{what}/read", {"data": data.hex()}, reason)


def _big(number: int) -> bytes:
    return number.to_bytes(32, "big")
