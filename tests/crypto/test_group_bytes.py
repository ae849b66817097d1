"""A point and a scalar have one encoding each, and nothing else is read."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, Group, Point, toy_group, write_scalar
from nodealer.kernel import Reason
from tests.crypto import reference_curve as reference
from tests.crypto.tools import POINTS, SCALARS, G, Q, chosen, hashed, refused

TOYS = [toy_group(order) for order in (7, 13, 19)]
all_groups = pytest.mark.parametrize("group", [SECP256K1, *TOYS], ids=lambda group: group.name)
toy_groups = pytest.mark.parametrize("group", TOYS, ids=lambda group: group.name)

VALID = G.encode()
HIGHEST = (1 << 256) - 1


@given(POINTS)
def test_points_are_read_as_they_were_written(P: Point) -> None:
    data = P.encode()
    if P.is_identity:
        assert data == b"\x00"
        return
    assert len(data) == 33
    assert data[0] in {2, 3}
    assert SECP256K1.read_point(data) == P
    assert SECP256K1.read_point(data).encode() == data
    assert (2 * SECP256K1.read_point(data)) == P + P


@given(POINTS)
def test_the_prefix_tells_a_point_from_its_negation(P: Point) -> None:
    if not P.is_identity:
        assert (-P).encode() == bytes([5 - P.encode()[0]]) + P.encode()[1:]


@toy_groups
def test_every_point_of_a_toy_group_has_its_own_bytes(group: Group) -> None:
    points = [group.times_generator(scalar) for scalar in range(group.order)]
    assert len({point.encode() for point in points}) == group.order
    for point in points[1:]:
        assert len(point.encode()) == 33
        assert group.read_point(point.encode()) == point


@all_groups
def test_a_point_has_no_other_length(group: Group) -> None:
    for length in {*range(71)} - {33}:
        for data in (bytes(length), VALID * 3, b"\x04" * length, hashed(length) * 3):
            with refused(Reason.GROUP_POINT_LENGTH):
                group.read_point(data[:length])


def test_long_forms_of_a_real_point_are_not_read() -> None:
    point = reference.decode(VALID)
    assert point is not None
    rest = point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")
    for prefix in range(256):
        with refused(Reason.GROUP_POINT_LENGTH):
            SECP256K1.read_point(bytes([prefix]) + rest)
        with refused(Reason.GROUP_POINT_LENGTH):
            SECP256K1.read_point(bytes([prefix]) + rest[:-1])


def test_a_point_has_no_other_prefix() -> None:
    prefixes = {*range(256)} - {2, 3}
    for prefix, rest in product(prefixes, (VALID[1:], bytes(32), b"\xff" * 32)):
        with refused(Reason.GROUP_POINT_PREFIX):
            SECP256K1.read_point(bytes([prefix]) + rest)


@toy_groups
def test_a_toy_point_has_one_prefix_and_a_small_value(group: Group) -> None:
    for prefix in range(256):
        if prefix != 2:
            with refused(Reason.GROUP_POINT_PREFIX):
                group.read_point(bytes([prefix]) + (1).to_bytes(32, "big"))
    for value in (0, group.order, group.order + 1, HIGHEST):
        with refused(Reason.GROUP_POINT_OFF_CURVE):
            group.read_point(b"\x02" + value.to_bytes(32, "big"))


@pytest.mark.parametrize("prefix", [2, 3])
def test_exactly_the_points_of_the_curve_are_read(prefix: int) -> None:
    small = range(40)
    scattered = [chosen("x", name) % reference.FIELD for name in range(40)]
    read = 0
    for x in (*small, *scattered, reference.FIELD - 1, reference.FIELD - 2):
        data = bytes([prefix]) + x.to_bytes(32, "big")
        if reference.y_of(x) is None:
            with refused(Reason.GROUP_POINT_OFF_CURVE):
                SECP256K1.read_point(data)
        else:
            assert SECP256K1.read_point(data).encode() == data
            read += 1
    assert 20 < read < 60


@pytest.mark.parametrize("prefix", [2, 3])
def test_coordinates_are_not_reduced(prefix: int) -> None:
    assert reference.y_of(1) is not None
    beyond = [*range(reference.FIELD, reference.FIELD + 40), HIGHEST - 1, HIGHEST]
    for x in beyond:
        with refused(Reason.GROUP_POINT_OFF_CURVE):
            SECP256K1.read_point(bytes([prefix]) + x.to_bytes(32, "big"))


@given(SCALARS)
def test_scalars_are_read_as_they_were_written(scalar: int) -> None:
    data = write_scalar(scalar)
    assert data == scalar.to_bytes(32, "big")
    assert SECP256K1.read_scalar(data) == scalar


@all_groups
def test_a_scalar_has_no_other_length(group: Group) -> None:
    for length, filler in product({*range(71)} - {32}, (b"\x00", b"\x01", b"\xff")):
        with refused(Reason.GROUP_SCALAR_LENGTH):
            group.read_scalar(filler * length)


@all_groups
def test_a_scalar_is_below_the_order(group: Group) -> None:
    for inside in (0, 1, group.order - 1):
        assert group.read_scalar(inside.to_bytes(32, "big")) == inside
    for outside in (group.order, group.order + 1, 2 * group.order - 1, HIGHEST):
        if outside <= HIGHEST:
            with refused(Reason.GROUP_SCALAR_RANGE):
                group.read_scalar(outside.to_bytes(32, "big"))


def test_the_two_ends_of_the_range_of_scalars() -> None:
    assert SECP256K1.read_scalar((Q - 1).to_bytes(32, "big")) == Q - 1
    for outside in (Q, HIGHEST):
        with refused(Reason.GROUP_SCALAR_RANGE):
            SECP256K1.read_scalar(outside.to_bytes(32, "big"))


@pytest.mark.parametrize("scalar", [-1, 1 << 256])
def test_a_scalar_that_was_not_reduced_is_not_written(scalar: int) -> None:
    with pytest.raises(OverflowError):
        write_scalar(scalar)


@all_groups
def test_a_challenge_has_no_other_length(group: Group) -> None:
    for length in {*range(71)} - {16}:
        with refused(Reason.GROUP_CHALLENGE_LENGTH):
            group.short_scalar(bytes(length))


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1))
def test_a_short_scalar_is_a_plus_b_times_lambda(a: int, b: int) -> None:
    data = a.to_bytes(8, "big") + b.to_bytes(8, "big")
    for group in (SECP256K1, *TOYS):
        assert group.short_scalar(data) == (a + b * group.endomorphism) % group.order


def test_short_scalars_differ() -> None:
    top = (1 << 64) - 1
    halves = [*range(24), *range(top - 23, top + 1), *(1 << bit for bit in range(5, 64))]
    values = {
        SECP256K1.short_scalar(a.to_bytes(8, "big") + b.to_bytes(8, "big"))
        for a, b in product(halves, repeat=2)
    }
    assert len(values) == len(halves) ** 2


def test_two_different_pairs_of_halves_are_never_the_same_short_scalar() -> None:
    """Show it for all pairs at once: (a - a') + (b - b') * lambda has no small zero.

    Zeros of a + b * lambda modulo q form a lattice of determinant q. Its shortest vector, found by
    Gauss's reduction, is longer than any difference of two pairs of 64-bit halves.
    """
    short, long = sorted([(Q, 0), (-SECP256K1.endomorphism, 1)], key=squared)
    while True:
        turns = round_half_up(dot(short, long), squared(short))
        long = (long[0] - turns * short[0], long[1] - turns * short[1])
        if squared(long) >= squared(short):
            break
        short, long = long, short
    assert (short[0] + short[1] * SECP256K1.endomorphism) % Q == 0
    assert squared(short) > 2 * (1 << 64) ** 2


def dot(one: tuple[int, int], other: tuple[int, int]) -> int:
    return one[0] * other[0] + one[1] * other[1]


def squared(vector: tuple[int, int]) -> int:
    return dot(vector, vector)


def round_half_up(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)
