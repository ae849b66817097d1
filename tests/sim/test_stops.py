"""A seat that stops at any point of a game and comes back from its journal changes nothing.

Nobody is accused, and the game ends with the very same entries as if nothing had happened. And when
one seat comes back while another has gone for good, the others leave that one out and play on.
"""

from __future__ import annotations

import os

import pytest

from nodealer.kernel import Seat
from nodealer.sim.faults import FaultPlan, Stop
from tests.sim.stops import anybody_proven, stopping

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

SAMPLE = 6
"""Of the points of a game, so many in the ordinary run, spread over all of it."""

PARTS = 4 if IS_FULL else 1
"""Tests among which the points are divided."""


@pytest.mark.parametrize("part", range(PARTS))
def test_a_seat_that_stops_at_any_point_and_comes_back_changes_nothing(
    part: int, is_full: bool
) -> None:
    calm = stopping(3, None)
    assert calm.result is not None
    points = calm.world.points
    step = 1 if is_full else points // SAMPLE
    for target in range(part * step, points, PARTS * step):
        stopped = stopping(3, target, like=calm.world, is_judged=False)
        assert stopped.world.stopped is not None
        assert not stopped.found, target
        assert not anybody_proven(stopped.world), target
        assert (stopped.result, stopped.tip) == (calm.result, calm.tip), target


@pytest.mark.parametrize("part", range(PARTS))
def test_a_power_cut_at_any_point_changes_nothing(part: int, is_full: bool) -> None:
    """What has not been synced is forgotten, which is nothing that anybody was told."""
    calm = stopping(3, None)
    points, lost = calm.world.points, 0
    step = 1 if is_full else points // SAMPLE
    for target in range(part * step, points, PARTS * step):
        stopped = stopping(3, target, like=calm.world, is_judged=False, is_power_cut=True)
        assert not stopped.found, target
        assert not anybody_proven(stopped.world), target
        assert (stopped.result, stopped.tip) == (calm.result, calm.tip), target
        lost += stopped.world.lost
    assert lost


def test_while_one_seat_is_away_for_long_the_others_play_on(is_full: bool) -> None:
    calm = stopping(3, None)
    step = 5 if is_full else calm.world.points // 2
    for target in range(0, calm.world.points, step):
        for after in (80_000, None):
            stopped = stopping(3, target, after, like=calm.world)
            assert not stopped.found, target
            assert not anybody_proven(stopped.world), target


def test_one_seat_comes_back_while_another_has_gone_for_good(is_full: bool) -> None:
    gone = FaultPlan(stops=(Stop(Seat(1), 9_000, None),))
    calm = stopping(4, None, plan=gone)
    step = 5 if is_full else calm.world.points // 2
    for target in range(0, calm.world.points, step):
        stopped = stopping(4, target, 3_000, plan=gone, like=calm.world)
        assert not stopped.found, target
        assert not anybody_proven(stopped.world), target
        assert stopped.result is not None, target


def test_a_seat_that_stops_again_while_it_reads_its_journal_comes_back_all_the_same() -> None:
    twice = FaultPlan(stops=(Stop(Seat(0), 2_000, 3_000), Stop(Seat(0), 4_000, 3_000)))
    stopped = stopping(3, None, plan=twice)
    assert stopped.world.counts["stopped"] == 2
    assert stopped.world.counts["came back"] == 2
    assert not stopped.found
    assert not anybody_proven(stopped.world)
