"""A peer that comes back from an old copy of its journal, and knows that it may be old.

It has forgotten what it signed last, and signs nothing before all others have told it. Nobody is
named for what it says then, and the game goes on.
"""

from __future__ import annotations

import pytest

from nodealer.kernel import Seat
from nodealer.ledger.objects import Evidence
from nodealer.ledger.ready import Suspect
from nodealer.sim.faults import FaultPlan, Stop
from nodealer.sim.game import PlayedGame, play
from nodealer.table import position_of
from nodealer.verify import Verdict
from tests.sim.games import details, macaua

SAMPLE = [(1, 100), (2_000, 60), (6_000, 10), (9_000, 30), (14_000, 100)]


def restored(seats: int, *stops: Stop) -> PlayedGame:
    return play(macaua(seats, plan=FaultPlan(stops=stops)))


def events(outcome: PlayedGame, kind: type) -> int:
    shown = [event for peer in outcome.world.peers.values() for event in peer.shown]
    return sum(isinstance(event, kind) for event in shown)


@pytest.mark.parametrize(("at", "lost"), SAMPLE)
def test_an_old_copy_of_a_journal_changes_nothing_about_a_game(at: int, lost: int) -> None:
    calm = play(macaua(3))
    outcome = restored(3, Stop(Seat(1), at, 3_000, lost))
    assert not details(outcome)
    assert outcome.counts["fault restored"] == 1
    assert events(outcome, Suspect) >= 1
    assert not events(outcome, Evidence)
    assert outcome.tip.id == calm.tip.id


def test_an_old_copy_at_any_time(is_full: bool) -> None:
    step = 200 if is_full else 8_000
    for at in range(0, 24_000, step):
        for lost in (5, 50) if is_full else (50,):
            outcome = restored(3, Stop(Seat(at // step % 3), at, 2_500, lost))
            assert not details(outcome), at
            assert not events(outcome, Evidence), at
            assert outcome.report.verdict is Verdict.COMPLETE, at


def test_who_waits_for_the_answer_of_a_seat_that_is_gone_is_left_out_with_it() -> None:
    gone, old = Stop(Seat(3), 8_000, None), Stop(Seat(1), 9_000, 3_000, 40)
    outcome = restored(5, gone, old)
    assert not details(outcome)
    assert outcome.report.verdict is Verdict.COMPLETE
    assert position_of(outcome.tip).roster == (0, 2, 4)


def test_where_the_others_are_no_majority_it_waits_for_ever() -> None:
    outcome = restored(3, Stop(Seat(1), 8_000, 6_000, 40), Stop(Seat(2), 8_000, None))
    assert not details(outcome)
    assert outcome.counts["fault restored"] == 1
    assert outcome.report.verdict is Verdict.UNFINISHED
    assert not events(outcome, Evidence)


def test_a_journal_of_which_nothing_is_missing_is_no_old_one() -> None:
    outcome = restored(2, Stop(Seat(1), 0, 100, 1))
    assert not details(outcome)
    assert outcome.counts["fault restored"] == 0
    assert not events(outcome, Suspect)
