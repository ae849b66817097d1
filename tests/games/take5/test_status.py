"""How a round of 6 nimmt! stands, and what cards and stacks cost, as people see it."""

from __future__ import annotations

import pytest

from nodealer.games.take5 import TAKE5
from nodealer.kernel import Seat
from tests.games.take5.positions import Dealer, fresh, leave, play, position, take

NAMES = {Seat(0): "Ana", Seat(1): "Bea", Seat(2): "Ida"}
LEGEND = "in brackets: bull heads"


def told(dealer: Dealer) -> list[str]:
    """Return what everybody is told, who all are told the same."""
    views = [dealer.view(), *map(dealer.view, dealer.seats)]
    (status,) = {TAKE5.status(view, NAMES) for view in views}
    return list(status)


def remarked(dealer: Dealer, *words: str) -> list[str]:
    """Return what is remarked of words."""
    return [TAKE5.remark(dealer.view(), word) for word in words]


def test_round_turn_and_bull_heads_are_told() -> None:
    dealer = position(["41 2", "90 3"], options={"turn_count": 2}, scores=[10, 20], piles=["55"])
    scores = "bull heads, until 66: Ana 17, Bea 20"
    assert told(dealer) == ["round 1, turn 1 of 2", LEGEND, scores]
    play(dealer, "41", "90")
    assert told(dealer)[0] == "round 1, turn 2 of 2"


def test_a_limit_of_rounds_is_told_and_while_it_is_dealt_no_turn() -> None:
    dealer = position(["41 2", "90 3"], options={"turn_count": 2, "max_rounds": 3})
    assert told(dealer)[0] == "round 1 of 3, turn 1 of 2"
    assert told(fresh(3, 2))[0] == "round 1"


def test_cards_that_wait_are_told_with_whose_they_are() -> None:
    dealer = position(["6 2", "5 3", "104 4"])
    play(dealer, "6", "5", "104")
    assert told(dealer)[2] == "to be placed: 5 of Bea, 6 of Ana, 104 of Ida"
    take(dealer, "A")
    assert not any("placed" in phrase for phrase in told(dealer))


def test_who_has_left_is_told_so() -> None:
    dealer = position(["41 2", "90 3", "7 8"], piles=["55", "", ""])
    leave(dealer, 0)
    assert told(dealer)[-1] == "bull heads, until 66: Ana 7 (has left), Bea 0, Ida 0"


@pytest.mark.parametrize(
    ("word", "remark"),
    [("1", "1"), ("5", "2"), ("10", "3"), ("11", "5"), ("55", "7"), ("0", ""), ("105", "")],
)
def test_a_card_is_worth_its_bull_heads(word: str, remark: str) -> None:
    assert remarked(position(["41 2", "90 3"]), word) == [remark]


def test_a_stack_is_worth_what_lies_in_it() -> None:
    dealer = position(["41 2", "90 3"], ["20 30 55", "40", "60", "80"])
    assert remarked(dealer, "stack-A", "A", "stack-D", "D") == ["13", "13", "3", "3"]
    assert remarked(dealer, "stack-E", "E", "taken", "") == [""] * 4
    took = position(["41 2", "90 3"], piles=["55 5", ""])
    told_to = [TAKE5.remark(took.view(seat), "taken") for seat in (Seat(0), Seat(1), None)]
    assert told_to == ["9", "", ""]
    assert remarked(fresh(3, 1), "stack-A", "A") == ["", ""]
