"""secp256k1 on libsecp256k1: the one module that touches the curve library.

The library is fast and careful with honest callers; handed the wrong bytes it aborts the whole
process or reads past a buffer (`specs/02-proofs.md`, section "The library"). Everything that could
do so is stopped here, before the call:

- a point is read only from exactly 33 bytes with prefix 02 or 03 (the library also takes 65 bytes
  and two "hybrid" prefixes, so that one point would have several encodings);
- scalars are integers reduced by us and written as exactly 32 bytes (33 bytes starting with 00
  pass the library's own check and are then read shifted; short ones are read past their end);
- O never reaches the library: multiplying by 0 or adding up to O is answered here, and an empty
  list is never combined (that call aborts).

`times_generator` runs in constant time. Multiplying another point does not: an attacker who can
time this process on the same machine is outside the threat model.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from coincurve import PublicKey

from nodealer.crypto.group import (
    IDENTITY_HASHED,
    POINT_BYTES,
    SCALAR_BYTES,
    Group,
    Point,
    hash_input,
)
from nodealer.kernel import PeerError, Reason

ORDER: Final = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141
ENDOMORPHISM: Final = 0x5363AD4C_C05C30E0_A5261C02_8812645A_122E22EA_20816678_DF02967C_1B23BD72

_PREFIXES: Final = (0x02, 0x03)


class _CurvePoint(Point):
    """A point that the library holds, or O, which it cannot hold."""

    __slots__ = ("_encoded", "key")

    def __init__(self, key: PublicKey | None, encoded: bytes | None = None) -> None:
        self.key = key
        self._encoded = encoded

    @property
    def is_identity(self) -> bool:
        return self.key is None

    def encode(self) -> bytes:
        if self._encoded is None:
            self._encoded = IDENTITY_HASHED if self.key is None else self.key.format()
        return self._encoded

    def __add__(self, other: Point) -> Point:
        return _total((self, other))

    def __neg__(self) -> Point:
        return (ORDER - 1) * self

    def __rmul__(self, scalar: int) -> Point:
        reduced = scalar % ORDER
        if self.key is None or reduced == 0:
            return _IDENTITY
        return _CurvePoint(self.key.multiply(reduced.to_bytes(SCALAR_BYTES, "big")))


_IDENTITY: Final = _CurvePoint(None)


def _times_generator(scalar: int) -> _CurvePoint:
    reduced = scalar % ORDER
    if reduced == 0:
        return _IDENTITY
    return _CurvePoint(PublicKey.from_valid_secret(reduced.to_bytes(SCALAR_BYTES, "big")))


def _total(points: Iterable[Point]) -> Point:
    present = [point for point in points if not point.is_identity]
    keys = [_key(point) for point in present]
    if not keys:  # combining nothing would abort the process
        return _IDENTITY
    if len(keys) == 1:
        return present[0]
    try:
        return _CurvePoint(PublicKey.combine_keys(keys))
    except ValueError:  # the library's way of saying that the sum is O; it has no other cause here
        return _IDENTITY


def _key(point: Point) -> PublicKey:
    if not isinstance(point, _CurvePoint) or point.key is None:
        raise TypeError("points of another group cannot be added")
    return point.key


def _read_point(data: bytes) -> _CurvePoint:
    if len(data) != POINT_BYTES:
        raise PeerError(Reason.GROUP_POINT_LENGTH, f"{len(data)} bytes")
    if data[0] not in _PREFIXES:
        raise PeerError(Reason.GROUP_POINT_PREFIX, f"prefix {data[0]:02x}")
    try:
        # Anything but bytes would pass the library unread, as if it were its own structure.
        return _CurvePoint(PublicKey(bytes(data)), bytes(data))
    except ValueError:
        raise PeerError(Reason.GROUP_POINT_OFF_CURVE) from None


@lru_cache(maxsize=2048, typed=True)
def _hash_to_point(domain: str, item: int | str) -> _CurvePoint:
    """Try x-coordinates until one lies on the curve; the even y is taken."""
    counter = 0
    while True:
        candidate = b"\x02" + sha256(hash_input(domain, item, counter)).digest()
        try:
            return _read_point(candidate)
        except PeerError:
            counter += 1


class _Secp256k1(Group):
    name = "secp256k1"
    order = ORDER
    endomorphism = ENDOMORPHISM

    def __init__(self) -> None:
        self._generator = _times_generator(1)

    @property
    def generator(self) -> Point:
        return self._generator

    @property
    def identity(self) -> Point:
        return _IDENTITY

    def times_generator(self, scalar: int) -> Point:
        return _times_generator(scalar)

    def total(self, points: Iterable[Point]) -> Point:
        return _total(points)

    def read_point(self, data: bytes) -> Point:
        return _read_point(data)

    def hash_to_point(self, domain: str, item: int | str) -> Point:
        return _hash_to_point(domain, item)


SECP256K1: Final[Group] = _Secp256k1()
"""The group of every real table."""
