"""Games in which the simulator once found a bug: the smallest that shows each of them.

In most of these a table stood still for good although an honest majority was there:

    5 seats, 66   nobody answered a seat that had voted in many rounds while it was alone
    5 seats, 6    who voted first in a round seemed to have left the agreement it acted on, for ever
    7 seats, 95   the same, after an eviction
    4 seats, 5002 nothing is wrong here: half of the seats lie, and the others stand apart
    4, 321052832  a liar that is to leave no proof denied what it later built on; named rightly
    HURRIED       a clock that ran 40 times too fast asked so often that nobody answered any more

In the last two the simulator was wrong. In HURRIED of four seats two are gone and two stand apart,
and which of these owes the next vote of the round depends on the moment.

Faults and behaviours that came later are kept out of these games, so that they stay what they were.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from nodealer.kernel import Seat
from nodealer.sim.faults import FaultPlan, Partition, Stop
from nodealer.sim.game import play, world_of
from nodealer.sim.invariants import Findings
from nodealer.sim.simulated_links import ROUGH
from tests.sim.games import details, macaua, named

FOUND = [
    (5, 6, "all", None),
    (7, 95, "all", None),
    (4, 5002, "all", "wrong opening"),
    (4, 4, "crash", None),
    (4, 321052832, "all", "ever new rounds"),
]

SLOW = [(5, 66, "all", None)]
IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"


HURRIED = FaultPlan(
    weather=ROUGH,
    parts=(
        Partition(7855, 30_000, tuple((Seat(seat), int(seat == 1)) for seat in range(4))),
        Partition(39_812, 30_000, tuple((Seat(seat), int(seat != 3)) for seat in range(4))),
    ),
    stops=(Stop(Seat(0), 7902, None), Stop(Seat(1), 18_273, 3215)),
    hasty=(Seat(2),),
)


def as_it_was(plan: FaultPlan) -> FaultPlan:
    """Return a plan in which all journals are whole and there is one game."""
    return replace(plan, stops=tuple(replace(stop, lost=0) for stop in plan.stops), games=1)


@pytest.mark.parametrize(("seats", "seed", "faults", "lie"), [*FOUND, *SLOW] if IS_FULL else FOUND)
def test_what_was_found_once_is_found_no_more(
    seats: int, seed: int, faults: str, lie: str | None
) -> None:
    plan = as_it_was(world_of(macaua(seats, seed, faults), Findings()).plan)
    behaviour = None if lie is None else named(lie)
    assert not details(play(macaua(seats, seed, plan=plan, behaviour=behaviour)))


def test_a_clock_that_runs_much_too_fast_is_met_in_a_round() -> None:
    assert not details(play(macaua(4, 516, plan=HURRIED)))


def test_one_seat_that_is_left_asks_for_no_other_game() -> None:
    plan = FaultPlan(games=2)
    assert not details(play(macaua(2, plan=plan, behaviour=named("leaving"))))
