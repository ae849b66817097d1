"""How a game of Papas stands, and what a card is, as people see it."""

from __future__ import annotations

import pytest

from nodealer.games.papas import PAPAS
from nodealer.kernel import Seat
from tests.games.papas.positions import Dealer, answer, begun, end, fresh, leave, play, position

NAMES = {Seat(0): "Ana", Seat(1): "Bea", Seat(2): "Ida"}


def told(dealer: Dealer) -> list[str]:
    """Return what everybody is told, who all are told the same."""
    views = [dealer.view(), *map(dealer.view, dealer.seats)]
    (status,) = {PAPAS.status(view, NAMES) for view in views}
    return list(status)


def test_golden_potatoes_and_direction_are_told() -> None:
    dealer = position(["po", "du", "du"], golden=[1, 0, 3])
    assert told(dealer) == [
        "golden potatoes, until 8: Ana 1, Bea 0, Ida 3",
        "it goes forwards, after Ana comes Bea",
    ]
    dealer = position(["po", "du", "du"], direction=-1)
    assert told(dealer)[1] == "it goes backwards, after Ana comes Ida"


def test_what_was_played_and_who_is_asked_how_long_are_told() -> None:
    dealer = position(["buck po", "du", "du"])
    play(dealer, "buck", [1])
    assert told(dealer)[2:] == [
        "Ana has played Lend me a buck, aimed at Bea",
        "asked: Bea and Ida, 10 seconds to answer",
    ]
    dealer = position(["year po", "du", ""], options={"window": 0})
    play(dealer, "year")
    assert told(dealer)[-1] == "asked: Bea, no limit to answer"


def test_an_interrupt_that_counts_is_told() -> None:
    dealer = position(["year no", "no du", "du"], options={"interrupt_chain": True})
    play(dealer, "year")
    answer(dealer, s1="no")
    assert "Bea has said No poh" in told(dealer)


def test_who_is_skipped_is_told() -> None:
    dealer = position(["jump " + "po " * 7, "du", "du"])
    play(dealer, "jump")
    answer(dealer)
    assert "Bea is skipped" in told(dealer)


def test_hands_that_others_know_cards_of_are_told() -> None:
    dealer = position(["spider po", "du du", "du"])
    play(dealer, "spider", [0, 1])
    answer(dealer)
    assert told(dealer)[-1] == "others know cards in the hand of Ana and Bea"


def test_the_number_of_the_turn_is_told_where_it_counts() -> None:
    dealer = position(["po", "du", "du"], options={"max_turns": 5})
    end(dealer)
    assert told(dealer)[-1] == "turn 2 of 5"


def test_it_can_be_told_before_the_deal_and_after_the_end() -> None:
    assert told(fresh(3, 0)) == ["golden potatoes, until 8: Ana 0, Bea 0, Ida 0"]
    dealer = begun(3)
    leave(dealer, 0, 1)
    assert told(dealer) == ["golden potatoes, until 8: Ida 0"]


@pytest.mark.parametrize(
    ("word", "remark"),
    [
        ("potato", "value 0"),
        ("no-poh", "value 0"),
        ("harry-potato", "value 1, alarm"),
        ("look-ahead", "value 3, alarm"),
        ("spider-potato", "value 3"),
        ("hand", ""),
        ("", ""),
    ],
)
def test_a_card_has_a_value_and_may_be_an_alarm(word: str, remark: str) -> None:
    assert PAPAS.remark(begun().view(), word) == remark
