"""A group so small that everything in it can be tried: the integers modulo a prime below 20.

It runs the very code that secp256k1 runs, with the same 33-byte points and 32-byte scalars, so
that tests can go through every witness, nonce and challenge. It protects nothing: a point *is* its
discrete logarithm, hashed points collide, and a false proof passes once in `order` tries. Hence it
is for completeness and algebra, never for soundness.

The order must be one more than a multiple of three, so that a cube root of one exists for short
scalars: 7, 13 or 19.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import Final

from nodealer.crypto.group import IDENTITY_HASHED, POINT_BYTES, Group, Point, hash_input
from nodealer.kernel import LocalError, PeerError, Reason

_CUBE_ROOTS: Final = {7: 2, 13: 3, 19: 7}
_PREFIX: Final = 0x02


class _ToyPoint(Point):
    __slots__ = ("order", "value")

    def __init__(self, value: int, order: int) -> None:
        self.value = value % order
        self.order = order

    @property
    def is_identity(self) -> bool:
        return self.value == 0

    def encode(self) -> bytes:
        if self.value == 0:
            return IDENTITY_HASHED
        return bytes([_PREFIX]) + self.value.to_bytes(POINT_BYTES - 1, "big")

    def __add__(self, other: Point) -> Point:
        if not isinstance(other, _ToyPoint) or other.order != self.order:
            raise TypeError("points of another group cannot be added")
        return _ToyPoint(self.value + other.value, self.order)

    def __neg__(self) -> Point:
        return _ToyPoint(-self.value, self.order)

    def __rmul__(self, scalar: int) -> Point:
        return _ToyPoint(scalar * self.value, self.order)


class _ToyGroup(Group):
    def __init__(self, order: int) -> None:
        if order not in _CUBE_ROOTS:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"no toy group has order {order}")
        self.name = f"toy-{order}"
        self.order = order
        self.endomorphism = _CUBE_ROOTS[order]

    @property
    def generator(self) -> Point:
        return _ToyPoint(1, self.order)

    @property
    def identity(self) -> Point:
        return _ToyPoint(0, self.order)

    def times_generator(self, scalar: int) -> Point:
        return _ToyPoint(scalar, self.order)

    def total(self, points: Iterable[Point]) -> Point:
        return sum(points, start=self.identity)

    def read_point(self, data: bytes) -> Point:
        if len(data) != POINT_BYTES:
            raise PeerError(Reason.GROUP_POINT_LENGTH, f"{len(data)} bytes")
        if data[0] != _PREFIX:
            raise PeerError(Reason.GROUP_POINT_PREFIX, f"prefix {data[0]:02x}")
        value = int.from_bytes(data[1:], "big")
        if not 0 < value < self.order:
            raise PeerError(Reason.GROUP_POINT_OFF_CURVE)
        return _ToyPoint(value, self.order)

    def hash_to_point(self, domain: str, item: int | str) -> Point:
        counter = 0
        while True:
            hashed = sha256(hash_input(domain, item, counter)).digest()
            point = _ToyPoint(int.from_bytes(hashed, "big"), self.order)
            if not point.is_identity:
                return point
            counter += 1


@cache
def toy_group(order: int) -> Group:
    """Return the toy group of order 7, 13 or 19."""
    return _ToyGroup(order)
