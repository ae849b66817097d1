"""Hashed points: never O, fixed by domain and item, and derivable from the description alone."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, Group, toy_group
from tests.crypto import reference_curve as reference

TOYS = [toy_group(order) for order in (7, 13, 19)]
all_groups = pytest.mark.parametrize("group", [SECP256K1, *TOYS], ids=lambda group: group.name)

FACES = "nodealer/1/face"
GENERATORS = "nodealer/1/tw-gen"

ITEMS: st.SearchStrategy[int | str] = st.one_of(st.integers(0, 70_000), st.text(max_size=40))


def head(major: int, argument: int) -> bytes:
    for size, code in ((1, 24), (2, 25), (4, 26), (8, 27)):
        if argument < 24:
            return bytes([major << 5 | argument])
        if argument < 1 << 8 * size:
            return bytes([major << 5 | code]) + argument.to_bytes(size, "big")
    raise ValueError(argument)


def framed(item: int | str) -> bytes:
    if isinstance(item, int):
        return head(0, item)
    return head(3, len(item.encode())) + item.encode()


def derived(domain: str, item: int | str) -> bytes:
    """Return the encoding that the specs prescribe, computed without the code under test."""
    for counter in range(100):
        framed_try = head(4, 3) + framed(domain) + framed(item) + framed(counter)
        x = int.from_bytes(sha256(framed_try).digest(), "big")
        if x < reference.FIELD and reference.y_of(x) is not None:
            return b"\x02" + x.to_bytes(32, "big")
    raise ValueError(item)


@given(st.sampled_from([FACES, GENERATORS, ""]), ITEMS)
def test_a_hashed_point_is_what_the_specs_prescribe(domain: str, item: int | str) -> None:
    assert SECP256K1.hash_to_point(domain, item).encode() == derived(domain, item)


def test_the_points_of_a_whole_deck_and_its_generators_all_differ() -> None:
    faces = [SECP256K1.hash_to_point(FACES, f"face {number}") for number in range(210)]
    generators = [SECP256K1.hash_to_point(GENERATORS, number) for number in range(257)]
    assert len({SECP256K1.generator, *faces, *generators}) == 1 + 210 + 257
    assert not any(point.is_identity for point in (*faces, *generators))


@all_groups
def test_a_hashed_point_is_never_the_identity_and_always_the_same(group: Group) -> None:
    for item in (*range(60), *map(str, range(60))):
        point = group.hash_to_point(FACES, item)
        assert not point.is_identity
        assert group.hash_to_point(FACES, item) == point
        assert group.read_point(point.encode()) == point


@pytest.mark.parametrize("group", TOYS, ids=lambda group: group.name)
def test_hashed_points_reach_all_of_a_toy_group(group: Group) -> None:
    reached = {group.hash_to_point(FACES, item) for item in range(300)}
    assert len(reached) == group.order - 1


def test_domain_item_and_type_of_item_all_count() -> None:
    points = [
        SECP256K1.hash_to_point(domain, item)
        for domain in (FACES, GENERATORS)
        for item in (1, "1", 11, "11", "")
    ]
    assert len(set(points)) == len(points)
    assert SECP256K1.hash_to_point("a", "bc") != SECP256K1.hash_to_point("ab", "c")


@pytest.mark.parametrize(
    ("domain", "item", "start"),
    [(FACES, "QH", "02e1b973b3346de9"), (GENERATORS, 0, "02c1ddacd7c3d7dd")],
)
def test_golden_points(domain: str, item: int | str, start: str) -> None:
    assert SECP256K1.hash_to_point(domain, item).encode().hex().startswith(start)
