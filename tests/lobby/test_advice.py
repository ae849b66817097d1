"""Clocks that leave honest seats out are called so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.ledger import Clock
from nodealer.lobby import clock_warnings
from nodealer.lobby.advice import ANSWER_TICKS_LEAST
from nodealer.node.clocks import CLOCKS, SECOND

USUAL = Clock(act=60 * SECOND, answer=10 * SECOND, rejoin=60 * SECOND, longest=600 * SECOND)


@pytest.mark.parametrize("name", CLOCKS)
def test_no_clock_that_a_host_can_choose_by_its_name_is_unusual(name: str) -> None:
    assert not clock_warnings(CLOCKS[name])


def test_a_time_to_answer_below_two_seconds_is_called_too_short() -> None:
    assert ANSWER_TICKS_LEAST == 2 * SECOND
    assert not clock_warnings(replace(USUAL, answer=ANSWER_TICKS_LEAST))
    (warning,) = clock_warnings(replace(USUAL, answer=ANSWER_TICKS_LEAST - 1))
    assert warning.startswith("too short to answer")


def test_less_time_to_come_back_than_to_act_is_called_so() -> None:
    assert not clock_warnings(replace(USUAL, rejoin=USUAL.act))
    (warning,) = clock_warnings(replace(USUAL, rejoin=USUAL.act - 1))
    assert warning.startswith("less time to come back than for a turn")


def test_both_are_said_of_a_clock_that_is_both() -> None:
    assert len(clock_warnings(replace(USUAL, answer=1, rejoin=1))) == 2
