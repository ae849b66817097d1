"""Both groups are groups of prime order in which O is a value like any other.

secp256k1 is compared with an implementation of its own on random points; the toy groups are tried
in every element.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, Group, Point, toy_group
from nodealer.kernel import Reason
from tests.crypto import reference_curve as reference
from tests.crypto.tools import POINTS, SCALARS, G, Q, chosen, our_mistake

TOYS = [toy_group(order) for order in (7, 13, 19)]
GROUPS = [SECP256K1, *TOYS]
all_groups = pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
toy_groups = pytest.mark.parametrize("group", TOYS, ids=lambda group: group.name)

O = SECP256K1.identity  # noqa: E741 - the letter that the specs use


def elements(group: Group) -> list[Point]:
    return [group.times_generator(scalar) for scalar in range(group.order)]


@given(POINTS, POINTS, POINTS)
def test_addition_is_associative_and_commutative(A: Point, B: Point, C: Point) -> None:
    assert (A + B) + C == A + (B + C)
    assert A + B == B + A
    assert A + O == O + A == A


@given(POINTS, POINTS)
def test_subtraction_undoes_addition(A: Point, B: Point) -> None:
    assert A + B - B == A
    assert A - A == O
    opposite = -A
    assert -opposite == A
    assert A - B == -(B - A)


@given(SCALARS, SCALARS, POINTS, POINTS)
def test_multiplication_is_distributive(a: int, b: int, A: Point, B: Point) -> None:
    assert (a + b) * A == a * A + b * A
    assert a * (A + B) == a * A + a * B
    assert a * (b * A) == (a * b) * A


@given(SCALARS, st.integers(-5, 5), POINTS)
def test_scalars_count_modulo_the_order(a: int, turns: int, A: Point) -> None:
    assert (a + turns * Q) * A == a * A
    assert SECP256K1.times_generator(a + turns * Q) == SECP256K1.times_generator(a) == a * G


@given(SCALARS, SCALARS)
def test_secp256k1_agrees_with_the_reference(a: int, b: int) -> None:
    A = reference.multiply(a, reference.GENERATOR)
    B = reference.multiply(b, A)
    assert reference.is_on_curve(A)
    assert SECP256K1.times_generator(a).encode() == reference.encode(A)
    assert (b * SECP256K1.times_generator(a)).encode() == reference.encode(B)
    assert (a * G + b * (a * G)).encode() == reference.encode(reference.add(A, B))
    assert (-(a * G)).encode() == reference.encode(reference.negated(A))


@given(st.lists(st.tuples(SCALARS, POINTS), max_size=6))
def test_sums_of_any_length_agree_with_addition_one_by_one(parts: list[tuple[int, Point]]) -> None:
    total = O
    for scalar, point in parts:
        total += scalar * point
    scalars, points = [scalar for scalar, _ in parts], [point for _, point in parts]
    assert SECP256K1.linear(scalars, points) == total
    assert SECP256K1.total(scalar * point for scalar, point in parts) == total


@all_groups
def test_nothing_times_a_point_is_the_identity(group: Group) -> None:
    P = group.times_generator(5)
    for nothing in (0, group.order, -group.order, 3 * group.order):
        assert nothing * P == group.identity
        assert group.times_generator(nothing) == group.identity
    assert (P - P).is_identity
    assert group.total([]).is_identity
    assert group.linear([], []).is_identity
    assert not P.is_identity


@all_groups
def test_the_identity_takes_part_in_everything(group: Group) -> None:
    P, nothing = group.times_generator(5), group.identity
    assert nothing + P == P + nothing == P - nothing == P
    assert nothing - P == -P
    assert (nothing + nothing).is_identity
    assert (-nothing).is_identity
    assert (4 * nothing).is_identity
    assert (0 * nothing).is_identity
    assert group.total([nothing, nothing]).is_identity
    assert group.total([nothing, P, nothing]) == P


@all_groups
def test_sums_may_cancel_anywhere(group: Group) -> None:
    P, R = group.times_generator(5), group.times_generator(3)
    assert group.total([P, R, -P, -R]).is_identity
    assert group.total([P, -P, R]) == R
    assert group.total([P, P]) == 2 * P
    assert group.total([P, P, -2 * P, R, -R]).is_identity
    assert group.linear([1, group.order - 1], [P, P]).is_identity
    assert group.linear([0, 0], [P, R]).is_identity


@all_groups
def test_the_order_is_that_of_the_generator(group: Group) -> None:
    assert not group.generator.is_identity
    assert group.generator == group.times_generator(1)
    assert (group.order * group.generator).is_identity
    assert (group.order - 1) * group.generator == -group.generator


def test_the_order_is_that_of_the_curve() -> None:
    assert Q == reference.ORDER
    assert G.encode() == reference.encode(reference.GENERATOR)


@all_groups
def test_as_many_scalars_as_points_are_wanted(group: Group) -> None:
    with pytest.raises(ValueError, match="argument"):
        group.linear([1, 2], [group.generator])


@toy_groups
def test_every_sum_of_two_in_a_toy_group(group: Group) -> None:
    q = group.order
    for a, b in product(range(q), repeat=2):
        A, B = group.times_generator(a), group.times_generator(b)
        assert A + B == B + A == group.times_generator(a + b)
        assert A - B == group.times_generator(a - b)
        assert (A == B) == (a == b)
        assert (A + B).is_identity == ((a + b) % q == 0)
        assert b * A == group.times_generator(a * b) == a * B


@toy_groups
def test_every_law_of_three_in_a_toy_group(group: Group) -> None:
    for A, B, C in product(elements(group), repeat=3):
        assert (A + B) + C == A + (B + C) == group.total([A, B, C])
    for a, b in product(range(group.order), repeat=2):
        for A in elements(group):
            assert (a + b) * A == a * A + b * A


@all_groups
def test_points_can_be_compared_and_collected(group: Group) -> None:
    P = group.times_generator(5)
    assert P == group.times_generator(2) + group.times_generator(3)
    assert len({P, group.times_generator(5), group.times_generator(6)}) == 2
    assert P != group.times_generator(6)
    assert P != P.encode()
    assert P != 5


@all_groups
def test_a_point_shows_the_start_of_its_encoding(group: Group) -> None:
    P = group.times_generator(5)
    assert repr(P) == f"<point {P.encode().hex()[:12]}>"
    assert repr(group.identity) == "<point 00>"


def test_points_of_different_groups_do_not_add() -> None:
    real, toy = G, TOYS[0].generator
    with pytest.raises(TypeError, match="another group"):
        real + toy
    with pytest.raises(TypeError, match="another group"):
        toy + real
    with pytest.raises(TypeError, match="another group"):
        SECP256K1.total([real, toy])


@pytest.mark.parametrize("order", [-7, 0, 1, 2, 3, 5, 6, 8, 11, 17, 31, Q])
def test_there_are_three_toy_groups(order: int) -> None:
    with our_mistake(Reason.LOCAL_ARGUMENT):
        toy_group(order)


@all_groups
def test_the_endomorphism_is_a_cube_root_of_one(group: Group) -> None:
    cube_root, q = group.endomorphism, group.order
    assert cube_root != 1
    assert (cube_root**2 + cube_root + 1) % q == 0
    assert pow(cube_root, 3, q) == 1


def test_the_endomorphism_of_the_curve_keeps_y_and_turns_x() -> None:
    turn = None
    for name in range(8):
        P = chosen("endomorphism", name) * G
        before, after = (
            reference.decode(point.encode()) for point in (P, SECP256K1.endomorphism * P)
        )
        assert before is not None
        assert after is not None
        assert before[1] == after[1]
        factor = after[0] * pow(before[0], -1, reference.FIELD) % reference.FIELD
        assert turn in (None, factor)
        turn = factor
    assert turn not in (None, 1)
    assert pow(turn, 3, reference.FIELD) == 1
