"""Values with some fields changed: as the standard library does it, only faster."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import Bug, changed


class Values(TypedDict, total=False):
    """What is changed of a tally."""

    one: int
    other: int


@dataclass(frozen=True)
class Tally:
    """Two numbers, and their sum once somebody has asked for it."""

    one: int
    other: int = 0
    known: int | None = field(default=None, init=False, compare=False)

    @property
    def total(self) -> int:
        """The sum; put together when it is asked for first."""
        if self.known is None:
            object.__setattr__(self, "known", self.one + self.other)
        assert self.known is not None
        return self.known


@dataclass(frozen=True)
class Careful:
    """A number that looks at itself."""

    one: int

    def __post_init__(self) -> None:
        """Refuse what is below zero."""
        if self.one < 0:
            raise ValueError


@dataclass(frozen=True)
class Gathering:
    """Numbers that it makes itself."""

    numbers: list[int] = field(default_factory=list, init=False)


@dataclass(frozen=True, slots=True)
class Slotted:
    """A number that has no dictionary."""

    one: int


VALUES = st.fixed_dictionaries({}, optional={"one": st.integers(), "other": st.integers()})


@given(st.integers(), st.integers(), VALUES)
def test_it_is_what_the_standard_library_makes(one: int, other: int, values: Values) -> None:
    before = Tally(one, other)
    assert before.total == one + other
    after = changed(before, **values)
    assert after == replace(before, **values)
    assert after.total == after.one + after.other
    assert (before.one, before.other, before.known) == (one, other, one + other)


@pytest.mark.parametrize("name", ["one", "other", "known"])
def test_what_comes_out_is_another_value_and_frozen_too(name: str) -> None:
    before = Tally(1)
    after = changed(before)
    assert after is not before
    assert vars(after) is not vars(before)
    with pytest.raises(FrozenInstanceError):
        setattr(after, name, 2)


def test_a_class_that_looks_at_its_fields_is_refused() -> None:
    with pytest.raises(Bug, match="Careful"):
        changed(Careful(1), one=-1)


def test_a_class_with_slots_is_refused() -> None:
    with pytest.raises(Bug, match="Slotted"):
        changed(Slotted(1), one=2)


def test_what_is_computed_has_a_value_to_begin_with() -> None:
    with pytest.raises(Bug, match="Gathering"):
        changed(Gathering())


def test_a_name_that_is_no_field_is_a_mistake() -> None:
    misspelt: dict[str, int] = {"onne": 2}
    with pytest.raises(Bug, match="onne"):
        changed(Tally(1), **misspelt)


def test_what_is_computed_is_nothing_to_be_changed() -> None:
    computed: dict[str, int] = {"known": 2}
    with pytest.raises(Bug, match="known"):
        changed(Tally(1), **computed)
