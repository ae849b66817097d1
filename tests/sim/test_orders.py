"""What is ordered can be played, and what came of it is written down."""

from __future__ import annotations

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.kernel import LocalError
from nodealer.sim.faults import FaultPlan
from nodealer.sim.game import Order, check_order, play
from nodealer.sim.game_record import record_of
from nodealer.verify import Verdict, judge_bytes
from tests.sim.games import lied, macaua, named


def test_an_order_that_cannot_be_played_is_refused() -> None:
    check_order(macaua(10))
    check_order(Order(HIGH_CARD, 2, 0, policy=HIGH_CARD.policies[0]))
    with pytest.raises(LocalError, match="is for"):
        check_order(macaua(11))
    with pytest.raises(LocalError, match="has no policy"):
        check_order(Order(HIGH_CARD, 2, 0, policy="never"))


def test_the_record_of_a_game_says_how_it_ended() -> None:
    order = Order(HIGH_CARD, 3, 1)
    record = record_of(order, play(order))
    assert (record.game, record.players, record.seed) == ("high-card", 3, 1)
    assert (record.verdict, record.culprit, record.behaviour) == ("complete", None, None)
    assert record.places is not None
    assert sorted(seat for place in record.places for seat in place) == [0, 1, 2]
    report = judge_bytes(record.transcript, find_game=lambda _, __: HIGH_CARD).report
    assert (report.verdict, report.height) == (Verdict.COMPLETE, record.height)
    assert not record.violations
    assert dict(record.counts)["verdict complete"] == 1


def test_the_record_of_a_game_names_who_lied() -> None:
    behaviour = named("wrong share")
    order = macaua(4, 0, plan=FaultPlan(), behaviour=behaviour)
    outcome = lied(behaviour, 4)
    record = record_of(order, outcome)
    assert record.behaviour == "wrong share"
    assert record.culprit == outcome.report.culprit is not None
    assert dict(record.counts)["lie wrong share"] == 1
