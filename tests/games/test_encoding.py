"""States become plain values that are the same everywhere; what is not plain is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import NamedTuple

import pytest

from nodealer.games.api import action
from nodealer.games.encoding import encode_named, encode_state, is_plain, nesting
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
    encode(encode_state(state))


@pytest.mark.parametrize(
    "state",
    [1.5, Odd(3), [1], {1}, object(), Pair(1, 2), Inner, (1, 2.0), {"": 1}, Inner(Seat(0.5)), len],  # type: ignore[arg-type]
)
def test_what_no_state_holds(state: object) -> None:
    with pytest.raises(LocalError):
        encode_state(state)


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
