"""A second secp256k1, in Python alone and from the curve's definition (SEC 2, section 2.4.1).

Slow, affine, and without any trick, so that it shares no mistake with the library. A point is a
pair of coordinates, or None for O.
"""

from __future__ import annotations

from typing import TypeAlias

FIELD = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141

Affine: TypeAlias = tuple[int, int] | None

GENERATOR: Affine = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def is_on_curve(point: Affine) -> bool:
    """Return whether y^2 = x^3 + 7; O counts as on the curve."""
    return point is None or (point[1] ** 2 - point[0] ** 3 - 7) % FIELD == 0


def negated(point: Affine) -> Affine:
    """Return the mirrored point."""
    return None if point is None else (point[0], -point[1] % FIELD)


def add(one: Affine, other: Affine) -> Affine:
    """Return the sum by chord or tangent."""
    if one is None or other is None:
        return other if one is None else one
    if one == negated(other):
        return None
    if one == other:
        slope = 3 * one[0] ** 2 * pow(2 * one[1], -1, FIELD)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, FIELD)
    x = (slope**2 - one[0] - other[0]) % FIELD
    return x, (slope * (one[0] - x) - one[1]) % FIELD


def multiply(scalar: int, point: Affine) -> Affine:
    """Return the multiple, by doubling and adding."""
    result: Affine = None
    for bit in f"{scalar % ORDER:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def y_of(x: int) -> int | None:
    """Return the even y of an x below the field prime, or None if x lies on no point."""
    square = (x**3 + 7) % FIELD
    y = pow(square, (FIELD + 1) // 4, FIELD)
    if y * y % FIELD != square:
        return None
    return FIELD - y if y % 2 else y


def encode(point: Affine) -> bytes:
    """Return 33 bytes, or 00 for O."""
    if point is None:
        return b"\x00"
    return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")


def decode(data: bytes) -> Affine:
    """Return the point of 33 bytes that are known to be right, or O for 00."""
    if data == b"\x00":
        return None
    x = int.from_bytes(data[1:], "big")
    y = y_of(x)
    assert len(data) == 33
    assert y is not None
    return (x, y) if data[0] == 2 else (x, FIELD - y)
