"""The products of the curve, remembered: what the library has multiplied it is not asked again.

Most of the time of a table goes into products of points and scalars. All seats of a test stand in
one process, and each checks what the others have sent: the same products, again and again. They
follow from the point and the scalar alone, so an answer of the library is kept as it is, under
exactly what the library was handed. What it raises is not kept, and nothing else of it is touched.

Full sizes are run without: there every product is the library's own.
"""

from __future__ import annotations

from collections.abc import Callable

from coincurve import PublicKey
from coincurve._libsecp256k1 import ffi  # type: ignore[import-not-found]  # a compiled module

PRODUCTS_MAX = 50_000
"""In each of the two halves of a memory, of which the older is given up: 20 MB."""


class Products:
    """The latest answers of the library, each under what it was asked."""

    def __init__(self) -> None:
        self.young: dict[bytes, PublicKey] = {}
        self.old: dict[bytes, PublicKey] = {}

    def product(self, asked: bytes, make: Callable[[], PublicKey]) -> PublicKey:
        """Return what is remembered, or else what is made now."""
        found = self.young.get(asked) or self.old.get(asked)
        if found is None:
            if len(self.young) >= PRODUCTS_MAX:
                self.young, self.old = {}, self.young
            found = self.young[asked] = make()
        return found


def remember_products() -> None:
    """Let the library be asked once for each product that is still remembered."""
    multiply, times_generator = PublicKey.multiply, PublicKey.from_valid_secret
    of_points, of_generator = Products(), Products()

    def multiplied(point: PublicKey, scalar: bytes) -> PublicKey:
        asked = ffi.buffer(point.public_key)[:] + scalar
        return of_points.product(asked, lambda: multiply(point, scalar))

    def generated(secret: bytes) -> PublicKey:
        return of_generator.product(secret, lambda: times_generator(secret))

    PublicKey.multiply = multiplied  # type: ignore[method-assign, assignment]
    PublicKey.from_valid_secret = staticmethod(generated)  # type: ignore[method-assign, assignment]
