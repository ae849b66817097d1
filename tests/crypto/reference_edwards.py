"""A second Ed25519, in Python alone and from RFC 8032, section 5.1; slow and for tests only.

Points are affine pairs (x, y). `encodings` is more generous than the RFC: it returns every string
of 32 bytes that some verifier might take for the point.

The curve has eight times as many points as the base point makes: every point is a multiple of the
base point plus a part of small order. `mixed` makes keys and signatures of which some points have
such a part, and `remainder` says what of it the check of a signature sees.
"""

from __future__ import annotations

from hashlib import sha512
from typing import TypeAlias

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, FIELD) % FIELD

Affine: TypeAlias = tuple[int, int]

NEUTRAL: Affine = (0, 1)


def x_of(y: int, *, is_odd: bool) -> int | None:
    """Return the x of the point with this y, or None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if (x * x - square) % FIELD:
        x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    if (x * x - square) % FIELD:
        return None
    return FIELD - x if x and x % 2 != is_odd else x


def base() -> Affine:
    """Return the base point, whose y is 4/5 and whose x is even."""
    y = 4 * pow(5, -1, FIELD) % FIELD
    x = x_of(y, is_odd=False)
    assert x is not None
    return x, y


def add(one: Affine, other: Affine) -> Affine:
    """Return the sum; the law of this curve has no exceptions."""
    (x1, y1), (x2, y2) = one, other
    turn = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + turn, -1, FIELD)
    y = (y1 * y2 + x1 * x2) * pow(1 - turn, -1, FIELD)
    return x % FIELD, y % FIELD


def multiply(scalar: int, point: Affine) -> Affine:
    """Return the multiple, by doubling and adding, of a number that is not reduced."""
    result = NEUTRAL
    for bit in f"{scalar:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def encode(point: Affine) -> bytes:
    """Return the one encoding that the RFC knows."""
    x, y = point
    return (y | x % 2 << 255).to_bytes(32, "little")


def encodings(point: Affine) -> set[bytes]:
    """Return all strings that might be read as the point: y not reduced, x = 0 with a sign."""
    x, y = point
    ys = [y, *([y + FIELD] if y + FIELD < 1 << 255 else [])]
    signs = [0, 1] if x == 0 else [x % 2]
    return {(value | sign << 255).to_bytes(32, "little") for value in ys for sign in signs}


def points_of_small_order() -> list[Affine]:
    """Return the eight points whose order divides eight."""
    for y in range(2, 100):
        x = x_of(y, is_odd=False)
        if x is not None:
            found = [multiply(turns * ORDER, (x, y)) for turns in range(8)]
            if len(set(found)) == 8:
                return found
    raise ValueError("no point among these has a part of order eight")


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature as section 5.1.6 makes it."""
    expanded = sha512(seed).digest()
    secret = int.from_bytes(expanded[:32], "little") & ((1 << 254) - 8) | 1 << 254
    public = encode(multiply(secret, base()))
    nonce = as_number(sha512(expanded[32:] + message).digest()) % ORDER
    R = encode(multiply(nonce, base()))
    challenge = as_number(sha512(R + public + message).digest())
    S = (nonce + challenge * secret) % ORDER
    return R + S.to_bytes(32, "little")


def mixed(
    seed: bytes, message: bytes, in_key: Affine, in_R: Affine, nonce: int
) -> tuple[bytes, bytes]:
    """Return a key and its signature, made with the right secret, and with parts of small order.

    A = a·B + `in_key`, R = r·B + `in_R`, s = r + k·a. So s·B - k·A - R is of small order, whatever
    the parts are: a check that multiplies it by eight sees nothing of them.
    """
    secret = as_number(sha512(seed).digest()) % ORDER
    A = encode(add(multiply(secret, base()), in_key))
    R = encode(add(multiply(nonce, base()), in_R))
    s = (nonce + challenge_of(A, R, message) * secret) % ORDER
    return A, R + s.to_bytes(32, "little")


def remainder(key: bytes, message: bytes, signature: bytes) -> Affine:
    """Return s·B - k·A - R: the neutral element if the signature is good.

    Whoever checks it eight times over takes it also if it is another point of small order.
    """
    A, R, s = decode(key), decode(signature[:32]), as_number(signature[32:])
    k = challenge_of(key, signature[:32], message)
    right = negated(add(multiply(k, A), R))
    return add(multiply(s, base()), right)


def challenge_of(key: bytes, R: bytes, message: bytes) -> int:
    """Return the k of a signature."""
    return as_number(sha512(R + key + message).digest()) % ORDER


def decode(data: bytes) -> Affine:
    """Return the point of an encoding that is known to have one."""
    y = as_number(data) & ((1 << 255) - 1)
    x = x_of(y, is_odd=bool(data[31] >> 7))
    assert x is not None, "this is the encoding of a point"
    return x, y


def negated(point: Affine) -> Affine:
    """Return the point that gives the neutral element together with this one."""
    x, y = point
    return -x % FIELD, y


def as_number(data: bytes) -> int:
    """Return the number that the bytes stand for, as the RFC writes numbers."""
    return int.from_bytes(data, "little")
