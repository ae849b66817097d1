"""What games of Papas come to is told by what happens in them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nodealer.cards import hand
from nodealer.games.api import Event, action
from nodealer.games.papas import PAPAS
from nodealer.games.papas.cards import ACTION_CARDS, name_of
from nodealer.kernel import Seat
from tests.games.papas.positions import (
    SHORT,
    answer,
    discard,
    do,
    end,
    leave,
    play,
    position,
    slots_of,
    take,
    trio,
)


def told(events: Sequence[Event]) -> set[str]:
    """Return the names of the milestones that events tell of."""
    return {one.name for one in PAPAS.milestones() for event in events if one.is_told_by(event)}


AIMED = {"pony": [1], "buck": [1], "pope": [1], "ahead": [1], "destiny": [1], "dawan": [1]}
WORDS = {word for word, face in SHORT.items() if face in ACTION_CARDS and word != face}


@pytest.mark.parametrize("word", sorted(WORDS))
def test_each_card_is_carried_out_and_cancelled(word: str) -> None:
    at = [0, 1] if word == "spider" else AIMED.get(word, [])
    name = name_of(SHORT[word])
    dealer = position([f"{word} po", "no du", "du"])
    play(dealer, word, at)
    assert told(answer(dealer, s1="no")) == {f"{name} cancelled", "No poh said"}
    dealer = position([f"{word} po", "no du", "du"])
    play(dealer, word, at)
    since = len(dealer.events)
    answer(dealer)
    if word == "pope":
        do(dealer, action("select-card-name", name="no-poh"))
    elif word in ("buck", "dawan", "papa"):
        take(dealer, 1, 0)
    assert f"{name} carried out" in told(dealer.events[since:])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("po po wi", "potatoes"),
        ("du du du", "duchesses potatoes"),
        ("fr wi wi", "french fries"),
        ("wi wi wi", "wildcards"),
        ("run run spider", "cards of value 3"),
    ],
)
def test_each_kind_of_trio_is_paid(words: str, name: str) -> None:
    dealer = position([f"{words} po", "te du"])
    trio(dealer, words)
    assert told(answer(dealer)) == {f"trio of {name} paid"}


def test_a_trio_is_cancelled() -> None:
    dealer = position(["po po po du", "te du"])
    trio(dealer, "po po po")
    assert told(answer(dealer, s1="te")) == {"trio cancelled", "Te dije que no poh said"}


def test_two_say_no() -> None:
    dealer = position(["year po", "no du", "no"])
    play(dealer, "year")
    assert "two interrupts at once" in told(answer(dealer, s1="no", s2="no"))


@pytest.mark.parametrize(("name", "milestone"), [("potato", "denied"), ("no-poh", "given")])
def test_claims(name: str, milestone: str) -> None:
    dealer = position(["pope po", "no du", "no"])
    play(dealer, "pope", [1])
    answer(dealer)
    assert f"claim {milestone}" in told(do(dealer, action("select-card-name", name=name)))


def test_a_steal_from_a_hand_that_was_seen_before() -> None:
    dealer = position(["buck buck po", "du du du", "no"])
    play(dealer, "buck", [1])
    assert told(answer(dealer)) == set()
    take(dealer, 1, 0)
    end(dealer)
    dealer = position(["dawan buck po", "du du du", "no"])
    play(dealer, "dawan", [1])
    answer(dealer)
    take(dealer, 1, 0)
    play(dealer, "buck", [1])
    assert told(answer(dealer)) == {"steal from a hand seen before"}


@pytest.mark.parametrize(
    ("at", "name"), [((0, 1), "hand exchanged for another"), ((1, 2), "hands of others exchanged")]
)
def test_exchanges(at: Sequence[int], name: str) -> None:
    dealer = position(["spider po", "du", "no"])
    play(dealer, "spider", at)
    assert name in told(answer(dealer))


def test_draws_discards_and_turns() -> None:
    assert "empty hand drawn up" in told(end(position(["po", "", "du"])))
    dealer = position(["po", "du", "du"])
    change = action("discard-and-draw", card=slots_of(dealer, 0, "po"))
    assert told(do(dealer, change)) == {"last card changed"}
    dealer = position(["po " * 8, "du"])
    end(dealer)
    assert told(discard(dealer, "po")) == {"several cards discarded"}
    assert told(discard(dealer, "po")) == set()
    dealer = position(["po", "du", ""], discards="no no", rest=hand(Seat(1)))
    assert "discards reshuffled" in told(end(dealer))
    dealer = position(["jump po", "du", "du"])
    play(dealer, "jump")
    assert "turn skipped" in told(answer(dealer))
    dealer = position(["papa po", "du", "du"], direction=-1)
    play(dealer, "papa")
    assert told(answer(dealer)) == {"direction turned back"}


def test_each_end() -> None:
    dealer = position(["year po", "du", "du"], golden=[7, 0, 0])
    play(dealer, "year")
    assert "threshold reached" in told(answer(dealer))
    dealer = position(["po", "du", "du"], options={"max_turns": 1})
    assert told(end(dealer)) == {"turns over"}
    dealer = position(["po", "du", "du"])
    leave(dealer, 0, 1)
    assert told(dealer.events) == {"seat left", "left alone"}


def test_every_milestone_has_a_name_of_its_own() -> None:
    names = [one.name for one in PAPAS.milestones()]
    assert len(set(names)) == len(names)
