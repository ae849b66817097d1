"""How a game of Macaua stands, in the words that people see beside the cards."""

from __future__ import annotations

from typing import Any

import pytest

from nodealer.games.dealer import PlainDealer
from nodealer.games.macaua import MACAUA
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.positions import Dealer, act, play, position

NAMES = {Seat(0): "Ana", Seat(1): "Bea", Seat(2): "Ida"}


def told(dealer: Dealer) -> list[str]:
    """Return what everybody is told, who all are told the same."""
    views = [dealer.view(), *map(dealer.view, dealer.seats)]
    (status,) = {MACAUA.status(view, NAMES) for view in views}
    return list(status)


CASES = [
    ({}, []),
    ({"suit": "H"}, ["hearts are asked for"]),
    ({"challenge": 1}, ["Ida challenges Ana to draw 1 card"]),
    ({"challenge": 40}, ["Ida challenges Ana to draw 40 cards, of which 18 can be drawn"]),
    ({"skip": 2}, ["Ida makes Ana miss 2 turns"]),
    ({"misses": ((1, 2), (2, 1))}, ["turns still missed: Bea 2, Ida 1"]),
]


@pytest.mark.parametrize(("facts", "phrases"), CASES)
def test_what_the_cards_do_not_say_is_told(facts: dict[str, Any], phrases: list[str]) -> None:
    assert told(position(["9H 8C", "QS 9C", "QD KC"], "AH", **facts)) == phrases


def test_while_cards_are_drawn_nobody_is_challenged() -> None:
    dealer = position(["2H 8C", "QS 9C", "QD KC"], "AH", options=("call",))
    dealer.begin(Seat(0), next(one for one in dealer.legal(Seat(0)) if not one.get("macaua")))
    assert told(dealer) == ["Ana challenges to draw 2 cards"]


def test_that_nothing_is_left_to_draw_is_told_with_who_has_passed() -> None:
    dealer = position(["9C 5H", "8C 6S", "QD KC"], "7D", stock="")
    assert told(dealer) == ["nothing is left to draw"]
    act(dealer, "pass")
    assert told(dealer) == ["nothing is left to draw", "passed: Ana"]


def test_of_a_game_that_is_not_dealt_there_is_nothing_to_tell() -> None:
    seats = tuple(NAMES)
    dealer: Dealer = PlainDealer(MACAUA, seats, resolve(MACAUA, 3, {}), Chance("fresh"))
    assert told(dealer) == []


def test_an_ace_asks_until_it_is_covered() -> None:
    dealer = position(["AH 9H", "QS 9C", "QD KC"], "7H")
    play(dealer, "AH", "S")
    assert told(dealer) == ["spades are asked for"]
    play(dealer, "QS")
    assert told(dealer) == []
