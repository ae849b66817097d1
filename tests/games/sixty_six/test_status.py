"""How a round of 66 stands, and what a taken card can do, as people see it."""

from __future__ import annotations

import pytest

from nodealer.games.dealer import PlainDealer
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.state import V1, V2
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.sixty_six.positions import Dealer, act, position

NAMES = {Seat(0): "Ana", Seat(1): "Bea", Seat(2): "Ida"}
HANDS = ("1 2 3 4", "5 5 6 7", "8 9 10 11")
NOTHING = "points, until one has more than 66: Ana 0, Bea 0, Ida 0"


def told(dealer: Dealer) -> list[str]:
    """Return what everybody is told, who all are told the same."""
    views = [dealer.view(), *map(dealer.view, dealer.seats)]
    (status,) = {SIXTY_SIX.status(view, NAMES) for view in views}
    return list(status)


def remarked(dealer: Dealer, viewer: int | None) -> str:
    """Return what is remarked to a seat of what it has taken."""
    return SIXTY_SIX.remark(dealer.view(None if viewer is None else Seat(viewer)), "taken")


@pytest.mark.parametrize("variant", [V1, V2])
def test_before_the_first_round_and_while_it_is_dealt(variant: str) -> None:
    seats, options = tuple(NAMES), resolve(SIXTY_SIX, 3, {"variant": variant})
    dealer: Dealer = PlainDealer(SIXTY_SIX, seats, options, Chance("fresh"))
    assert told(dealer) == [NOTHING]
    dealer.begin(Seat(0), dealer.legal(Seat(0))[0])
    assert told(dealer) == ["round 1", NOTHING]


@pytest.mark.parametrize("variant", [V1, V2])
def test_a_stop_is_told_until_the_hands_are_counted(variant: str) -> None:
    dealer = position(variant, HANDS, totals=((0, 60), (1, 12), (2, 0)))
    points = "points, until one has more than 66: Ana 60, Bea 12, Ida 0"
    assert told(dealer) == ["round 1, turn 1: Ana", points]
    act(dealer, "stop-round")
    assert told(dealer)[1] == "Ana has stopped it, 2 turns are left"
    for left in ("1 turn is left", None):
        act(dealer, "take-card-from-deck")
        act(dealer, "discard")
        if left:
            assert told(dealer)[1] == f"Ana has stopped it, {left}"
    assert told(dealer) == [
        "round 1",
        "Ana has stopped it, no turns are left",
        "points, until one has more than 66: Ana 60, Bea 35, Ida 38",
        "in this round: Ana 0, Bea 23, Ida 38",
        "Ana will begin the next round",
    ]


def test_the_card_to_be_exchanged_is_told() -> None:
    dealer = position(V2, HANDS, stock="11 1 1")
    act(dealer, "take-card-from-deck")
    act(dealer, "discard")
    act(dealer, "pick-own-card", 1)
    assert told(dealer)[1] == "card 2 of Ana is to be exchanged"
    act(dealer, "pick-anothers-card", (1, 0))
    assert told(dealer) == ["round 1, turn 2: Bea", NOTHING]


def test_who_has_left_is_told_so() -> None:
    dealer = position(V2, HANDS)
    dealer.leave([Seat(1)], "void")
    dealer.settle()
    assert told(dealer)[-1].endswith("Ana 0, Bea 0 (has left), Ida 0")


@pytest.mark.parametrize(
    ("card", "remark"),
    [
        ("7", "look at your own"),
        ("9", "look at another's"),
        ("12", "exchange"),
        ("6", ""),
        ("13", ""),
    ],
)
def test_what_a_taken_card_can_do_is_remarked_to_who_sees_it(card: str, remark: str) -> None:
    dealer = position(V2, HANDS, stock=f"{card} 1 1")
    assert remarked(dealer, 0) == ""
    act(dealer, "take-card-from-deck")
    assert remarked(dealer, 0) == remark
    assert [remarked(dealer, viewer) for viewer in (1, 2, None)] == [""] * 3
    assert SIXTY_SIX.remark(dealer.view(Seat(0)), card) == ""
