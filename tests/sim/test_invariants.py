"""Every checker of the simulator is shown a bug that was planted for it, and finds it.

The bugs are planted in the real code: a rule of signing is switched off, a deck loses a card, a key
leaves too early, a notebook says too much, nobody is missed any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from high_card.rules import Rules, State
from nodealer.cards import STOCK, Board
from nodealer.deck import (
    PUBLIC,
    Deck,
    MaskPart,
    OpenKey,
    ReleasePart,
    Vetted,
    deck_messages,
    take_masks,
)
from nodealer.games.api import Notebook, Step
from nodealer.games.effects import Effect, Show
from nodealer.games.effects import Outcome as Result
from nodealer.games.registry import game
from nodealer.kernel import EntryId, Seat, SlotId
from nodealer.ledger import DUTIES, Contribution, Duties, Ledger
from nodealer.ledger.messages import Contributed
from nodealer.ledger.ready import Outgoing, Ready
from nodealer.sim.faults import FaultPlan, Partition
from nodealer.sim.game import Order, PlayedGame, play
from nodealer.sim.peer import Peer
from nodealer.table import Player, Position, Table, sit_down
from tests.sim.games import CALM_PLAN, details, lied, macaua, named, played

SEEDS = range(12)


def broken(outcome: PlayedGame) -> set[str]:
    return {one.invariant for one in outcome.violations}


def play_by(patch: pytest.MonkeyPatch, duties: Duties) -> None:
    """Let every table follow other rules of signing."""
    patch.setattr("nodealer.sim.world.sit_down", partial(sit_down, duties=duties))


PARTED = FaultPlan(
    parts=(Partition(3_000, 400_000, tuple((Seat(seat), seat % 2) for seat in range(4))),)
)


def test_nothing_is_found_where_nothing_is_planted() -> None:
    assert not details(play(macaua(4, plan=PARTED)))


def test_two_histories_are_found_where_no_majority_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play_by(monkeypatch, replace(DUTIES, quorum_of=lambda _: 1))
    assert "one history" in broken(play(macaua(4, plan=PARTED)))


def test_an_honest_seat_that_is_named_is_found_where_a_rule_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play_by(monkeypatch, replace(DUTIES, guard=lambda *_: True, replace=lambda *_: True))
    assert any("honest unnamed" in broken(played(3, seed, "lossy")) for seed in SEEDS)


def test_a_deck_that_loses_a_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def losing(deck: Deck, parts: Sequence[Vetted[MaskPart]]) -> Deck:
        deck = take_masks(deck, parts)
        first, last = min(deck.slots), max(deck.slots)
        lost = {**deck.slots, last: replace(deck.slots[first], id=last)}
        return replace(deck, slots=lost)

    monkeypatch.setattr("nodealer.deck.take_masks", losing)
    assert "cards conserved" in broken(played(2))


def test_a_key_that_leaves_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    take = Peer.take

    def leaking(peer: Peer, table: Table, ready: Ready) -> tuple[Outgoing, ...]:
        sends = take(peer, table, ready)
        if table.ledger.tip.height == 6 and peer.seat == 0:
            return (*sends, Outgoing(Contributed(early(peer, table))))
        return sends

    monkeypatch.setattr(Peer, "take", leaking)
    assert "nothing early" in broken(played(2))


def early(peer: Peer, table: Table) -> Contribution:
    """Return the release of the next card of the stock, which nobody has drawn."""
    deck, tip = table.position.deck, table.ledger.tip
    assert deck is not None
    slot = deck.slots[deck.layout.at(STOCK)[0]]
    secret = peer.player.keyring.layer_secret(slot.layers[peer.seat])
    data = deck_messages(deck.group).write(ReleasePart((OpenKey(secret),)))
    height = tip.moment().height
    return Contribution(tip.table, height, tip.id, peer.seat, ((b"early", data),), (), bytes(64))


class TwoSee(Rules):
    """A game in which every hand is shown to its seat and to the one after it."""

    def resume(self, state: State, board: Board, outcome: Result) -> Step[State]:
        step = super().resume(state, board, outcome)
        return replace(step, effects=tuple(_to_two(one, len(state.seats)) for one in step.effects))


def _to_two(effect: Effect, seats: int) -> Effect:
    if not isinstance(effect, Show):
        return effect
    (seat,) = effect.seats
    return Show(effect.slots, tuple(sorted((seat, Seat((seat + 1) % seats)))))


def test_shares_that_leave_for_a_seat_that_was_not_shown_a_card_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What two seats may see is released to them in sealed shares."""
    order = Order(TwoSee(), 3, 0)
    assert not details(play(order))
    monkeypatch.setattr("nodealer.sim.invariants._granted", _less)
    assert "nothing early" in broken(play(order))


def _less(position: Position) -> dict[SlotId, frozenset[Seat]]:
    """Return who was shown what by a step, but for one seat of two."""
    return {
        slot: frozenset(show.seats[:1] or (PUBLIC,))
        for show in position.program.neighbours(Show)
        for slot in show.slots
    }


def test_a_part_over_what_nobody_has_taken_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    take = Peer.take

    def leaking(peer: Peer, table: Table, ready: Ready) -> tuple[Outgoing, ...]:
        sends = take(peer, table, ready)
        if table.ledger.tip.height == 6 and peer.seat == 0:
            one = replace(early(peer, table), parent=EntryId(bytes(32)))
            return (*sends, Outgoing(Contributed(one)))
        return sends

    monkeypatch.setattr(Peer, "take", leaking)
    assert "nothing early" in broken(played(2))


def test_a_notebook_that_says_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Player.notebook

    def leaking(player: Player, position: Position) -> Notebook:
        known = dict(notebook(player, position))
        if position.deck is not None:
            known[position.deck.layout.at(STOCK)[0]] = position.deck.composition.faces[0]
        return known

    monkeypatch.setattr(Player, "notebook", leaking)
    assert "views true" in broken(played(2))


def test_a_table_that_stands_still_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodealer.ledger.rounds.missed", lambda _: ())
    found = broken(lied(named("silent instead of acting"), 3))
    assert found == {"progress", "verdict as predicted"}


def test_a_verdict_that_nobody_predicted_is_found() -> None:
    wrong = replace(named("wrong state"), codes=("E7",))
    assert broken(lied(wrong, 3)) == {"verdict as predicted"}
    assert not details(lied(named("wrong state"), 3))


def test_a_history_that_the_judge_refuses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that takes in what a replay does not come to."""
    monkeypatch.setattr("nodealer.sim.judging.transcript_of", _without_an_entry)
    outcome = play(macaua(2, plan=CALM_PLAN))
    assert "verdict as predicted" in broken(outcome)
    assert outcome.report.failure is not None


def _without_an_entry(ledger: Ledger) -> bytes:
    from nodealer.verify import read_transcript, transcript_of, write_transcript  # noqa: PLC0415

    whole = read_transcript(transcript_of(ledger))
    return write_transcript(replace(whole, entries=(*whole.entries[:5], *whole.entries[6:])))


def test_what_the_last_of_all_seats_is_shown_is_open_to_everybody() -> None:
    """With two seats every card that one has seen is opened when the other is to see it."""
    order = Order(game("66"), 2, 10, {"variant": "v2"}, plan=CALM_PLAN)
    outcome = play(order)
    assert not details(outcome)
    assert outcome.counts["table alike"]
