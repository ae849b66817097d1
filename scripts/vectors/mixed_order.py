"""Vectors of signatures whose points have a part of small order.

The group of Ed25519 has eight times as many points as its base point makes: every point is a
multiple of the base point plus a part whose order divides eight. Whoever knows the secret a of a
key can publish A = a·B + T with such a part T, and sign with R = r·B + T' and s = r + k·a. Then
s·B − k·A − R = −(k·T + T'), which is of small order: a library that multiplies the equation by
eight, or checks many signatures at once, takes the signature; the check of the specs takes it only
where k·T + T' is the neutral element. Both kinds are here: two programs that differ on one of these
signatures could be parted by a single crafted key.

The points are added by the second Ed25519 of the tests, since no library offers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

from nodealer.kernel import Value, frame
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import hashed, item
from tests.crypto import reference_edwards as curve

_DOMAIN: Final = "nodealer/1/test"

_NONE, _EIGHT, _FOUR, _TWO = (curve.points_of_small_order()[turns] for turns in (0, 1, 2, 4))

_Parts = tuple[curve.Affine, curve.Affine]

_REFUSED: Final[dict[str, tuple[str, _Parts]]] = {
    # name: about, the parts of key and R
    "mixed-key": ("a key with a part of order eight", (_EIGHT, _NONE)),
    "mixed-key-four": ("a key with a part of order four", (_FOUR, _NONE)),
    "mixed-key-two": ("a key with a part of order two", (_TWO, _NONE)),
    "mixed-R": ("an R with a part of order eight", (_NONE, _EIGHT)),
    "mixed-R-two": ("an R with a part of order two", (_NONE, _TWO)),
    "mixed-both": ("key and R with parts of order eight that do not cancel", (_EIGHT, _EIGHT)),
}

_GOOD: Final[dict[str, tuple[str, _Parts]]] = {
    "mixed-key": ("a key with a part of order eight, which k takes to nothing", (_EIGHT, _NONE)),
    "mixed-both": ("key and R with parts of order eight that cancel", (_EIGHT, _EIGHT)),
}


def vectors() -> Iterator[Vector]:
    """Return the vectors of signatures with points of mixed order."""
    for name, (about, parts) in _GOOD.items():
        yield Vector(f"signatures/{name}", about, "signature/verify", _signed(parts, cancels=True))
    for name, (about, parts) in _REFUSED.items():
        given = _signed(parts, cancels=False)
        path = f"signatures/refused/{name}"
        yield Vector(path, about, "signature/verify", given, "signature/bad")


def _signed(parts: _Parts, *, cancels: bool) -> Json:
    """Return the first of these signatures whose parts cancel, or the first where they do not."""
    value: list[Value] = [hashed("table"), 7, "text"]
    message = frame(_DOMAIN, value)
    for nonce in count(1):
        key, signature = curve.mixed(hashed("mixed key"), message, *parts, nonce)
        if (curve.remainder(key, message, signature) == curve.NEUTRAL) == cancels:
            return {
                "key": key.hex(),
                "domain": _DOMAIN,
                "value": item(value),
                "signature": signature.hex(),
            }
    raise AssertionError("one in eight is found soon")
