"""Liars whose occasion comes late, or in a game in which other things go wrong too."""

from __future__ import annotations

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.kernel import Bug, Seat
from nodealer.ledger import ChainEntry, Evict, Keep, Seal, read, write
from nodealer.ledger.messages import Contributed, Sealed, Voted
from nodealer.ledger.ready import Outgoing
from nodealer.sim import repertoire
from nodealer.sim.faults import FaultPlan, Partition, Stop
from nodealer.sim.game import Order, PlayedGame, play
from nodealer.sim.judging import Judge
from nodealer.sim.lying import Liar, Lie
from nodealer.sim.simulated_links import ROUGH
from nodealer.verify import Verdict
from tests.sim.games import details, lied, macaua, named


def codes(outcome: PlayedGame) -> set[str]:
    return {cheat.code for cheat in outcome.report.cheats}


@pytest.mark.parametrize(
    ("name", "seed"),
    [("illegal move", 3), ("card of another", 11), ("no opening", 11), ("two actions", 11)],
)
def test_a_liar_waits_for_a_turn_in_which_it_can_lie(name: str, seed: int) -> None:
    outcome = lied(named(name), 2, seed)
    assert not details(outcome)
    assert codes(outcome) == set(named(name).codes)


def test_nobody_refuses_what_has_long_been_sealed() -> None:
    outcome = play(macaua(3, 7, plan=FaultPlan(weather=ROUGH), behaviour=named("false refusal")))
    assert not details(outcome)


@pytest.mark.parametrize("name", ["regressing vote", "vote against its seal"])
def test_a_liar_votes_where_a_seat_was_left_out_before(name: str) -> None:
    """Over an entry that a round has decided it has nothing to deny yet, and lets that pass."""
    gone = FaultPlan(stops=(Stop(Seat(1), 1_200, None),))
    outcome = play(macaua(3, 1, plan=gone, behaviour=named(name)))
    assert not details(outcome)
    assert outcome.counts["table eviction"]


def test_a_key_is_copied_of_the_present_step_alone() -> None:
    (liar,) = lied(named("copied key"), 3).world.liars.values()
    liar.strikes = 0
    stored = [read(data) for data in liar.peer.journal]
    old = next(message for message in stored if isinstance(message, Contributed))
    assert old.contribution.parent != liar.tip.id
    assert not liar.seen(old)


def test_rounds_without_end_are_voted_in_and_end() -> None:
    outcome = lied(named("ever new rounds"), 3)
    (liar,) = outcome.world.liars.values()
    assert len(liar.kept) > 2
    assert outcome.counts["table keep"]


def of_ever_new_rounds() -> Liar:
    """Return a liar that has struck, at the end of its game, as if it had said nothing so far."""
    (liar,) = lied(named("ever new rounds"), 3).world.liars.values()
    liar.strikes, liar.kept = 0, []
    liar.said.clear()
    liar.built_on.clear()
    return liar


def hears(liar: Liar, base: ChainEntry | None) -> list[Lie]:
    """Return what a liar says to a vote over an entry, in a round that nobody has come to."""
    assert base is not None
    liar.strikes = 1
    number = max(len(liar.kept), liar.tip.rank) + 1
    return liar.seen(Voted(liar.vote(base, number, Evict(liar.others[:1]))))


def over_its_tip(liar: Liar) -> Seal:
    """Return a seal over the tip of a liar, on something that nobody will look at."""
    moment = liar.tip.moment()
    place = (moment.table, moment.height, liar.tip.id)
    return liar.signed(Seal(*place, liar.tip.id, liar.tip.rank, liar.seat, b""))


def test_who_votes_in_ever_new_rounds_denies_nothing_that_it_has_kept() -> None:
    liar = of_ever_new_rounds()
    keep = Outgoing(Voted(liar.vote(liar.tip, 1, Keep(liar.tip.id, 0))), None)
    assert liar.leaving(keep) == [(None, write(keep.message))]
    assert not hears(liar, liar.tip)
    assert not liar.kept
    liar.said.clear()
    assert hears(liar, liar.tip)


def test_who_votes_in_ever_new_rounds_denies_nothing_that_it_has_sealed_over() -> None:
    liar = of_ever_new_rounds()
    liar.passes(Outgoing(Sealed(over_its_tip(liar)), None))
    assert not hears(liar, liar.tip.below)
    liar.said.clear()
    assert hears(liar, liar.tip.below)


def test_who_votes_in_ever_new_rounds_does_not_build_on_what_it_has_denied() -> None:
    """The others may have kept the entry against which it voted: by E4 it would be named."""
    liar = of_ever_new_rounds()
    assert hears(liar, liar.tip.below)
    assert not hears(liar, liar.tip)
    liar.said.clear()
    assert hears(liar, liar.tip)


def test_who_is_out_seals_nothing_over_what_it_has_voted_against() -> None:
    (liar,) = lied(named("sealing after being left out"), 3).world.liars.values()
    assert liar.seat not in liar.tip.roster
    assert liar.tip.below is not None
    heard = Sealed(over_its_tip(liar))
    vote = liar.vote(liar.tip.below, liar.tip.rank + 1, Evict(liar.others[:1]))
    liar.said.clear()
    assert liar.seen(heard)
    liar.strikes = 0
    liar.leaving(Outgoing(Voted(vote), None))
    liar.strikes = 1
    assert not liar.seen(heard)


def test_the_journals_speak_where_all_are_gone() -> None:
    gone = FaultPlan(stops=tuple(Stop(Seat(seat), 5_000, None) for seat in range(2)))
    outcome = play(macaua(2, plan=gone))
    assert not details(outcome)
    assert outcome.report.verdict is Verdict.UNFINISHED
    assert outcome.tip.height > 0


def test_who_lies_does_not_stop_by_accident_and_is_no_witness() -> None:
    gone = FaultPlan(stops=tuple(Stop(Seat(seat), 5_000, None) for seat in range(2)))
    outcome = play(macaua(2, plan=gone, behaviour=named("handing nothing on")))
    assert not details(outcome)
    assert outcome.witness.is_honest
    assert outcome.counts["fault gone"] == 1


def test_parts_come_together_while_a_peer_is_away() -> None:
    parted = Partition(2_000, 3_000, ((Seat(0), 0), (Seat(1), 1)))
    outcome = play(macaua(2, plan=FaultPlan(parts=(parted,), stops=(Stop(Seat(1), 0, 9_000),))))
    assert not details(outcome)
    assert outcome.report.verdict is Verdict.COMPLETE


def test_the_judge_is_asked_about_this_table_alone() -> None:
    outcome = play(Order(HIGH_CARD, 2, 0))
    with pytest.raises(Bug):
        Judge(lied(named("handing nothing on"), 2).world).report(outcome.transcript)


def test_a_peer_stops_again_as_it_comes_back() -> None:
    twice = FaultPlan(stops=(Stop(Seat(1), 5_000, 4_000), Stop(Seat(1), 8_000, 1_000)))
    outcome = play(macaua(2, plan=twice))
    assert not details(outcome)
    assert outcome.counts["fault stopped"] == outcome.counts["fault came back"] == 2
    assert outcome.report.verdict is Verdict.COMPLETE


def test_a_network_that_falls_into_one_part_has_not_parted() -> None:
    whole = FaultPlan(parts=(Partition(1_000, 5_000, ((Seat(0), 1), (Seat(1), 1))),))
    outcome = play(macaua(2, plan=whole))
    assert not details(outcome)
    assert outcome.counts["fault parting"] == 0


def test_with_two_seats_both_keys_are_told_to_the_same_seat() -> None:
    outcome = lied(named("two keys"), 2)
    assert [cheat.code for cheat in outcome.report.cheats] == ["E1"]


def test_no_more_is_remembered_of_games_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repertoire, "KNOWN_MAX", 1)
    monkeypatch.setattr(repertoire, "_KNOWN", {})
    for seats in (2, 3):
        assert repertoire.features_of(HIGH_CARD, seats, {})
        assert len(repertoire._KNOWN) == 1
