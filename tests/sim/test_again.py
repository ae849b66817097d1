"""Another game at the same table: a new deck on the same chain, under the same eyes."""

from __future__ import annotations

import pytest

from nodealer.kernel import Seat
from nodealer.sim.counting import AGAIN
from nodealer.sim.faults import FaultPlan, Stop
from nodealer.sim.game import play
from nodealer.verify import Verdict
from tests.sim.games import details, macaua, named


@pytest.mark.parametrize("seats", [2, 3])
def test_another_game_is_played_where_one_is_over(seats: int) -> None:
    outcome = play(macaua(seats, plan=FaultPlan(games=2)))
    assert not details(outcome)
    assert outcome.counts[AGAIN] == 1
    assert outcome.table.position.games == 2
    assert outcome.standing is not None
    assert {peer.table and peer.table.ledger.tip.id for peer in outcome.world.honest} == {
        outcome.tip.id
    }


def test_the_first_of_two_games_is_the_game_that_is_played_alone() -> None:
    alone, two = play(macaua(2)), play(macaua(2, plan=FaultPlan(games=2)))
    again = two.tip.at(alone.tip.height)
    assert again is not None
    assert again.id == alone.tip.id


def test_there_is_no_other_game_where_the_one_that_would_ask_is_gone() -> None:
    gone = FaultPlan(stops=(Stop(Seat(0), 3_000, None),), games=2)
    assert play(macaua(3, plan=gone)).table.position.games == 2, "the next one asks in its place"
    outcome = play(macaua(2, plan=gone))
    assert not details(outcome)
    assert outcome.report.verdict is Verdict.UNFINISHED


def test_a_second_game_that_is_lied_in_has_its_end_too() -> None:
    outcome = play(macaua(3, plan=FaultPlan(games=2), behaviour=named("silent instead of closing")))
    assert not details(outcome)
    assert outcome.table.position.games == 2
    assert outcome.report.verdict is Verdict.COMPLETE
