"""Every row of the table of transitions happens in some game; what never could is not in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from nodealer.cards import hand
from nodealer.games.api import action
from nodealer.games.papas import dealing
from nodealer.games.papas.state import TRANSITIONS, Phase, State
from nodealer.kernel import Bug, Seat
from tests.games.papas.positions import (
    Dealer,
    answer,
    begun,
    discard,
    do,
    end,
    fresh,
    leave,
    play,
    position,
    slots_of,
    take,
    trio,
)
from tests.games.papas.test_leaving import MAKING
from tests.games.ways import ways_seen


def discarding(*, eight: bool = False) -> Dealer:
    """Return a game in which the first seat owes a card, or two."""
    dealer = position(["po " * (8 if eight else 7), "du", "fr"])
    end(dealer)
    return dealer


def drawing() -> Dealer:
    """Return a game in the draw at the end of a turn."""
    dealer = position(["po du", "du", "fr"])
    dealer.begin(Seat(0), action("end-turn"))
    return dealer


def won(word: str, words: str) -> None:
    """Reach the threshold."""
    dealer = position([f"{words} po", "du"], golden=[7, 0])
    if word == "trio":
        trio(dealer, words)
    else:
        play(dealer, words)
    answer(dealer)


def cancelled() -> None:
    dealer = position(["year no po", "no du"], options={"interrupt_chain": True})
    play(dealer, "year")
    answer(dealer, s1="no")
    answer(dealer)


def stolen() -> None:
    dealer = position(["buck papa pope po", "du fr"])
    play(dealer, "buck", [1])
    answer(dealer)
    take(dealer, 1, 0)
    play(dealer, "pope", [1])
    answer(dealer)
    do(dealer, action("select-card-name", name="wildcard"))
    play(dealer, "papa")
    answer(dealer)
    take(dealer, 1, 0)


def changed() -> None:
    dealer = position(["po", "du"])
    do(dealer, action("discard-and-draw", card=slots_of(dealer, 0, "po")))


def trio_paid() -> None:
    dealer = position(["po po po du", "du"])
    trio(dealer, "po po po")
    answer(dealer)


def carried_out(word: str, at: Sequence[int] = ()) -> None:
    dealer = position([f"{word} po", "du fr", "du"])
    play(dealer, word, at)
    answer(dealer)


def asked_for() -> None:
    dealer = position(["pope po", "du fr"])
    play(dealer, "pope", [1])
    answer(dealer)
    do(dealer, action("select-card-name", name="french-fries"))


def reshuffled(words: str) -> None:
    """Let cards be drawn from the discards."""
    dealer = position([words, "du", "du"], discards="no no no no", rest=hand(Seat(2)))
    if words == "harry po":
        play(dealer, "harry")
        answer(dealer)
    elif words == "po du":
        end(dealer)
    else:
        do(dealer, action("discard-and-draw", card=slots_of(dealer, 0, words)))


EVERYTHING: list[Callable[[], object]] = [
    lambda: begun(2),
    cancelled,
    stolen,
    changed,
    trio_paid,
    asked_for,
    lambda: carried_out("run"),
    lambda: carried_out("destiny", [1]),
    lambda: carried_out("spider", [0, 1]),
    lambda: reshuffled("harry po"),
    lambda: reshuffled("po du"),
    lambda: reshuffled("po"),
    lambda: discard(discarding(eight=True), "po"),
    lambda: won("trio", "fr fr fr"),
    lambda: won("year", "year"),
    lambda: discard(discarding(), "po"),
    lambda: leave(discarding(), 2),
    lambda: end(position(["po", "du"], options={"max_turns": 1})),
    *[
        lambda make=make, gone=gone: leave(make(), *gone)
        for make in (discarding, drawing, *(row[1] for row in MAKING))
        for gone in ((1,), (0, 1), (0, 1, 3))
        if not (make in (discarding, drawing) and 3 in gone)
    ],
    lambda: leave(fresh(2, 0), 1),
    lambda: leave(fresh(3, 0), 1),
]


def test_every_transition_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = (None, "setup", fresh(2, 0).state.phase.value)
    seen = ways_seen(monkeypatch, State, dealing)
    for happening in EVERYTHING:
        happening()
    assert {(row.source, row.trigger, row.target) for row in TRANSITIONS} == {setup, *seen}


def test_a_way_that_the_table_does_not_know_is_a_bug() -> None:
    state = begun(2).state
    assert state.moved("end-turn", Phase.NEXT_PLAYER).phase is Phase.NEXT_PLAYER
    with pytest.raises(Bug):
        state.moved("end-turn", Phase.DISCARD)
