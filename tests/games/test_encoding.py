"""States become plain values that are the same everywhere; what is not plain is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.games.api import action
from nodealer.games.encoding import (
    STATE_NESTING_MAX,
    encode_named,
    encode_state,
    is_plain,
    nesting,
    state_in_bytes,
)
from nodealer.kernel import LocalError, Seat, encode


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


class Odd(int):
    """Shows itself otherwise than it counts."""


class Pair(NamedTuple):
    one: int
    other: int


@dataclass(frozen=True)
class Inner:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Outer:
    colour: Colour
    inner: Inner
    rest: tuple[Inner, ...] = ()


ENCODED = [
    (3, 3),
    (True, True),
    ("x", "x"),
    (None, None),
    (b"x", b"x"),
    (Colour.RED, "red"),
    (Level.HIGH, 3),
    ((1, (2,)), (1, (2,))),
    (frozenset({3, 1, 2}), (1, 2, 3)),
    ({"b": 1, "a": (2,)}, {"a": (2,), "b": 1}),
    ({2: "x", 1: "y"}, ((1, "y"), (2, "x"))),
    (MappingProxyType({Seat(1): 1}), ((1, 1),)),
    (Inner(Seat(2)), {"": "Inner", "seat": 2}),
    (
        Outer(Colour.RED, Inner(Seat(1)), (Inner(Seat(2)),)),
        {
            "": "Outer",
            "colour": "red",
            "inner": {"": "Inner", "seat": 1},
            "rest": ({"": "Inner", "seat": 2},),
        },
    ),
]


@pytest.mark.parametrize(("state", "value"), ENCODED)
def test_what_a_state_becomes(state: object, value: object) -> None:
    assert encode_state(state) == value
    assert state_in_bytes(state) == encode(encode_state(state))


@pytest.mark.parametrize(
    "state",
    [1.5, Odd(3), [1], {1}, object(), Pair(1, 2), Inner, (1, 2.0), {"": 1}, Inner(Seat(0.5)), len],  # type: ignore[arg-type]
)
def test_what_no_state_holds(state: object) -> None:
    for write in (encode_state, state_in_bytes):
        with pytest.raises(LocalError):
            write(state)


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.integers(), st.text(), st.binary()
)
STATES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.builds(Inner, inner),
        st.builds(Outer, st.just(Colour.RED), inner),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
        st.frozensets(st.integers(0, 9), max_size=3),
    ),
    max_leaves=12,
)


@given(STATES)
def test_a_state_put_together_has_the_bytes_of_the_whole(state: object) -> None:
    try:
        whole = encode(encode_state(state))
    except LocalError:
        with pytest.raises(LocalError):
            state_in_bytes(state)
        return
    if nesting(encode_state(state)) <= STATE_NESTING_MAX:
        assert state_in_bytes(state) == whole


def test_equal_values_of_two_types_are_remembered_apart() -> None:
    for state in ((1, 0), (True, False), (1, 0), Inner(Seat(True)), Inner(Seat(1))):
        assert state_in_bytes(state) == encode(encode_state(state))


def test_a_dataclass_of_many_fields_is_a_map_in_the_order_of_its_keys() -> None:
    names = [f"{'x' * (30 - number)}{number:02}" for number in range(30)]
    state = make_dataclass("Many", names)(*range(30))
    assert state_in_bytes(state) == encode(encode_state(state))


@pytest.mark.parametrize(
    "wrap",
    [lambda inner: (inner,), Inner, lambda inner: {"inner": inner}],
    ids=["tuple", "dataclass", "mapping"],
)
def test_a_state_that_is_nested_too_deeply_is_not_hashed(wrap: Callable[[object], object]) -> None:
    state: object = 1
    for _ in range(STATE_NESTING_MAX):
        state = wrap(state)
    assert state_in_bytes(state) == encode(encode_state(state))
    with pytest.raises(LocalError, match="levels"):
        state_in_bytes(wrap(state))


def test_the_order_of_a_mapping_makes_no_difference() -> None:
    one = encode(encode_state({(2, 1): "a", (1, 9): "b"}))
    assert one == encode(encode_state({(1, 9): "b", (2, 1): "a"}))


def test_actions_become_their_kind_and_fields() -> None:
    assert encode_named(action("lay", seat=1, card=(2,))) == ("lay", {"card": (2,), "seat": 1})


@pytest.mark.parametrize(
    "value", [None, True, 1, -(1 << 62), "ü", (), (1, ("x", None)), ((((),),),)]
)
def test_plain_values(value: object) -> None:
    assert is_plain(value)


@pytest.mark.parametrize(
    "value", [1.0, [1], b"x", 1 << 63, "\ud800", (1, [2]), Level.HIGH, {}, (((((),),),),)]
)
def test_values_that_are_not_plain(value: object) -> None:
    assert not is_plain(value)


@pytest.mark.parametrize(
    ("state", "levels"),
    [(3, 0), ((), 1), ({}, 1), ((1, (2,)), 2), (Outer(Colour.RED, Inner(Seat(1))), 2)],
)
def test_levels_of_an_encoded_state(state: object, levels: int) -> None:
    assert nesting(encode_state(state)) == levels
