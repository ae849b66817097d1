"""Each relation says what it is meant to say: its equations have a solution iff the claim is true.

Over a toy group every witness is tried. What a claim means is taken from `tests.crypto.shapes`,
where it stands as arithmetic on logarithms, written without the equations under test.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from nodealer.crypto import toy_group
from tests.crypto.shapes import Shape, absent, exchange
from tests.crypto.toy_algebra import is_satisfiable, sample, solves, table, value
from tests.crypto.view_shapes import SHAPES, not_equal

all_shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


@all_shapes
@pytest.mark.parametrize("order", [7, 13])
def test_a_statement_has_a_witness_iff_the_claim_is_true(
    shape: Shape, order: int, *, is_full: bool
) -> None:
    group = toy_group(order)
    zeros = dict.fromkeys(shape.public, 0)
    witnesses = order ** len(shape.statement(group, zeros).witnesses)
    count = max((4_000_000 if is_full else 40_000) // witnesses, 30)
    seen = Counter[bool]()
    for values in sample(order, len(shape.public), count):
        logs = dict(zip(shape.public, values, strict=True))
        true = shape.truth(order, logs)
        assert is_satisfiable(group, shape.statement(group, logs)) == true, logs
        seen[true] += 1
    if shape.name != "key":
        assert seen[True]
        assert seen[False]


@all_shapes
def test_an_honest_witness_is_one(shape: Shape, *, is_full: bool) -> None:
    for order in (7, 13):
        group = toy_group(order)
        for values in sample(order, len(shape.free), 20_000 if is_full else 200):
            logs, witness = shape.at(order, values)
            statement = shape.statement(group, logs)
            assert len(witness) == len(statement.witnesses)
            assert shape.truth(order, logs)
            assert solves(order, table(group, statement), witness)


@pytest.mark.parametrize("order", [7, 13])
def test_a_card_that_is_absent_has_every_blinded_difference_and_one_that_is_there_has_none(
    order: int,
) -> None:
    """Soundness and zero knowledge of `absent`: T is O alone, or each other point exactly once."""
    shape, group = absent(1), toy_group(order)
    uniform = Counter(dict.fromkeys(range(order), 1))
    for k, E, N, C in sample(order, 4, order**4 if order == 7 else 800):
        logs = {"L0": k, "E0": E, "N0": N, "C": C, "T0": 0}
        blinded, product_row = table(group, shape.statement(group, logs))
        reachable = Counter(
            value(blinded, witness) % order
            for witness in product(range(order), repeat=2)
            if solves(order, [product_row], witness)
        )
        is_there = (N - k * E - C) % order == 0
        assert reachable == (Counter({0: order}) if is_there else uniform)


@pytest.mark.parametrize("faces", list(product(range(3), repeat=3)))
def test_the_blinded_sum_of_views_is_uniform_unless_all_are_equal(
    faces: tuple[int, int, int],
) -> None:
    """T shows neither which views differ nor by what; a sum that is O needs other weights."""
    layers, order = (True, False, True), 7
    shape, group = not_equal(layers), toy_group(order)
    uniform = Counter(dict.fromkeys(range(order), 1))
    differing = 0
    for w1, w2 in product(range(order), repeat=2):
        free = {name: 2 + 3 * place for place, name in enumerate(shape.free)}
        free |= {f"C{i}": shown for i, shown in enumerate(faces)} | {"w1": w1, "w2": w2}
        logs, _ = shape.honest(order, {name: free[name] % order for name in shape.free})
        blinded, *forced = table(group, shape.statement(group, logs))
        reachable = Counter(
            value(blinded, witness) % order
            for witness in product(range(order), repeat=4)
            if solves(order, forced, witness)
        )
        difference = w1 * (faces[1] - faces[0]) + w2 * (faces[2] - faces[0])
        assert reachable == (uniform if difference % order else Counter({0: order}))
        differing += difference % order != 0
    assert differing == (0 if len(set(faces)) == 1 else order * (order - 1))


def test_merging_lets_a_false_exchange_pass_for_one_weight_in_the_order_of_the_group() -> None:
    """The merged equation of `exchange` holds for all weights iff all unmerged ones hold."""
    order = 7
    shape, group = exchange(2), toy_group(order)
    for values in sample(order, 8, 100):
        L0, L1, K0, K1, E0, E1, Z0, Z1 = values
        passing = 0
        for weights in product(range(order), repeat=2):
            logs = dict(zip(shape.public, (*values, *weights), strict=True))
            rows = table(group, shape.statement(group, logs))
            passing += solves(order, rows, (K0 - L0, K1 - L1))
        gaps = (Z0 - (K0 - L0) * E0, Z1 - (K1 - L1) * E1)
        true = all(gap % order == 0 for gap in gaps)
        assert passing == (order**2 if true else order)
