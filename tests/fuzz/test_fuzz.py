"""A fixed sample of inputs to every reader and to the judge."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from nodealer.kernel import PeerError, Reason
from tests.fuzz.driving import GROWTH_BYTES, SLOW_SECONDS, Found, feed, shares, take
from tests.fuzz.judging import judge_many
from tests.fuzz.readers import TARGETS, Target

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"
INPUTS = 1_000_000 if IS_FULL else 20_000
JUDGED = 2_000 if IS_FULL else 60


@pytest.mark.parametrize(
    ("target", "inputs"), shares(TARGETS, INPUTS), ids=lambda one: str(one)[:40]
)
def test_nothing_but_a_refusal_comes_of_an_input(target: Target, inputs: int) -> None:
    found = feed(target, inputs, 7)
    assert found.bad == []
    assert found.inputs == inputs
    assert found.grown <= GROWTH_BYTES


@pytest.mark.parametrize("target", TARGETS, ids=lambda one: one.name)
def test_good_inputs_are_read(target: Target) -> None:
    """Else all that is made of them would be refused at the door, and show nothing."""
    for data in target.good():
        target.read(data)


def test_no_record_costs_the_judge_much_more_than_a_good_one() -> None:
    found = judge_many(JUDGED, 7)
    assert found.bad == []
    assert found.verdicts.total() == JUDGED
    assert len(found.verdicts) > 1


def raises(error: Exception) -> Callable[[bytes], None]:
    def read(_: bytes) -> None:
        raise error

    return read


def spends(_: bytes) -> None:
    enough = time.thread_time() + SLOW_SECONDS + 0.05
    while time.thread_time() < enough:
        pass


@pytest.mark.parametrize(
    ("read", "is_bad"),
    [
        (raises(PeerError(Reason.ENCODING_SHAPE)), False),
        (raises(KeyError("x")), True),
        (raises(RecursionError()), True),
        (spends, True),
    ],
)
def test_what_must_not_happen_is_seen(read: Callable[[bytes], None], is_bad: bool) -> None:
    found = Found("one")
    take(Target("one", read, tuple, 1), b"x", found)
    assert found.is_bad is is_bad
