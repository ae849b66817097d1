"""What tests remember of the library is what the curve has, also when it is asked for again."""

from __future__ import annotations

import pytest
from coincurve import PublicKey

from tests.crypto.reference_curve import GENERATOR, ORDER, encode, multiply
from tests.support import remembered
from tests.support.remembered import Products


def times_generator(scalar: int) -> PublicKey:
    return PublicKey.from_valid_secret(scalar.to_bytes(32, "big"))


def test_a_product_is_that_of_the_curve_whenever_it_is_asked_for() -> None:
    scalars = (1, 2, 3 << 200, ORDER - 1)
    for _ in range(2):
        for one in scalars:
            point = times_generator(one)
            assert point.format() == encode(multiply(one, GENERATOR))
            for other in scalars:
                product = point.multiply(other.to_bytes(32, "big"))
                assert product.format() == encode(multiply(one * other % ORDER, GENERATOR))


def test_what_was_asked_for_long_ago_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "PRODUCTS_MAX", 2)
    memory, made = Products(), list[int]()

    def ask(number: int) -> PublicKey:
        def make() -> PublicKey:
            made.append(number)
            return times_generator(number)

        return memory.product(bytes([number]), make)

    for number in (1, 2, 3, 1, 4, 5, 1):
        assert ask(number).format() == encode(multiply(number, GENERATOR))
    assert made == [1, 2, 3, 4, 5, 1]
    assert len(memory.young) + len(memory.old) <= 4
