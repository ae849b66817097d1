"""The vectors of signatures with points of mixed order are the trap that they are meant to be."""

from __future__ import annotations

from typing import Any

import pytest

from nodealer.kernel import frame
from tests.crypto import reference_edwards as curve
from tests.vectors.runner.reading import value_of
from tests.vectors.test_vectors import VECTORS

MIXED = {
    name: vector for name, vector in VECTORS.items() if "signatures/" in name and "mixed" in name
}


def remainder_of(given: dict[str, Any]) -> curve.Affine:
    message = frame(given["domain"], value_of(given["value"]))
    key, signature = bytes.fromhex(given["key"]), bytes.fromhex(given["signature"])
    return curve.remainder(key, message, signature)


def test_there_are_some_of_both_kinds() -> None:
    assert {vector["expect"] for vector in MIXED.values()} == {"ok", "signature/bad"}


@pytest.mark.parametrize("name", MIXED)
def test_a_check_with_cofactor_takes_all_and_ours_those_that_cancel(name: str) -> None:
    left = remainder_of(MIXED[name]["given"])
    assert curve.multiply(8, left) == curve.NEUTRAL
    assert (left == curve.NEUTRAL) == (MIXED[name]["expect"] == "ok")
