"""Seats that leave a game of Papas, in every one of its states."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import action
from nodealer.games.papas import PAPAS
from nodealer.kernel import Seat
from tests.games.papas.positions import (
    Dealer,
    answer,
    asked,
    begun,
    discard,
    do,
    end,
    faces,
    fresh,
    golden,
    held,
    leave,
    number,
    on_turn,
    play,
    position,
    sizes,
    slots_of,
    trio,
)

HANDS = ["buck dawan po", "du fr te no", "po", "du du"]


def at_turn() -> Dealer:
    return position(HANDS, golden=[1, 2, 3, 4], discards="pony harry")


def at_targets() -> Dealer:
    dealer = at_turn()
    play(dealer, "buck")
    return dealer


def at_window() -> Dealer:
    dealer = at_turn()
    play(dealer, "buck", [1])
    return dealer


def in_window() -> Dealer:
    """Return a game in which one has said no, and others have not answered."""
    dealer = at_window()
    dealer.act(Seat(1), action("no-poh", card=slots_of(dealer, 1, "no")))
    return dealer


def at_position() -> Dealer:
    dealer = at_window()
    answer(dealer)
    return dealer


def at_name() -> Dealer:
    dealer = position(["pope dawan po", *HANDS[1:]], golden=[1, 2, 3, 4], discards="pony harry")
    play(dealer, "pope", [1])
    answer(dealer)
    return dealer


def giving() -> Dealer:
    """Return a game in which a card is about to be given."""
    dealer = at_position()
    slot = dealer.board.at(hand(Seat(1)))[0]
    dealer.begin(Seat(0), action("select-card", card=(slot,)))
    return dealer


MAKING: list[tuple[int, Callable[[], Dealer], list[int]]] = [
    (2, at_turn, [3, 4, 1, 2]),
    (25, at_targets, [2, 4, 1, 2]),
    (20, at_window, [2, 4, 1, 2]),
    (20, in_window, [2, 4, 1, 2]),
    (26, at_position, [2, 4, 1, 2]),
    (28, at_name, [2, 4, 1, 2]),
    (27, giving, [2, 4, 1, 2]),
]


@pytest.mark.parametrize(("state", "make", "hands"), MAKING)
def test_a_play_is_dropped_and_the_turn_stays(
    state: int, make: Callable[[], Dealer], hands: list[int]
) -> None:
    dealer = make()
    assert number(dealer) == state
    lying = dealer.board.faces_at(DISCARD)
    assert leave(dealer, 2) == ["left", "redealt", "dealt"]
    assert (number(dealer), on_turn(dealer), asked(dealer)) == (2, 0, ())
    assert sizes(dealer) == [hands[0], hands[1], hands[3]]
    assert golden(dealer) == [1, 2, 4]
    assert dealer.board.faces_at(DISCARD) == lying
    assert len(dealer.board.at(STOCK)) == 103 - sum(sizes(dealer)) - len(lying)
    assert dealer.state.playing is None
    assert not dealer.board.faces.keys() & set(dealer.board.at(hand(Seat(1))))


@pytest.mark.parametrize(("state", "make", "hands"), MAKING)
def test_the_turn_of_who_leaves_goes_to_the_next(
    state: int, make: Callable[[], Dealer], hands: list[int]
) -> None:
    dealer = make()
    assert number(dealer) == state
    assert leave(dealer, 0) == ["left", "redealt", "dealt"]
    assert (number(dealer), on_turn(dealer), dealer.state.turns) == (2, 1, 1)
    assert sizes(dealer) == hands[1:]


@pytest.mark.parametrize(("state", "make", "hands"), MAKING)
def test_a_void_game_begins_anew_with_the_same_threshold(
    state: int, make: Callable[[], Dealer], hands: list[int]
) -> None:
    dealer = make()
    assert (number(dealer), len(hands)) == (state, 4)
    assert leave(dealer, 3, policy="void") == ["left", "voided", "dealt"]
    assert (sizes(dealer), golden(dealer)) == ([5, 5, 5], [0, 0, 0])
    assert (dealer.state.threshold, dealer.state.turns) == (6, 1)
    assert not dealer.board.at(DISCARD)


def test_who_has_said_no_in_the_window_has_lost_it_no_less() -> None:
    """What was said and not opened is forgotten; the card goes into the deck like all others."""
    dealer = in_window()
    leave(dealer, 3)
    assert not dealer.board.faces.keys() & set(dealer.board.at(hand(Seat(1))))


def test_named_cards_are_forgotten_by_a_redeal() -> None:
    dealer = position(["year po", "no du", "te fr", "po"])
    play(dealer, "year")
    answer(dealer, s1="no", s2="te")
    leave(dealer, 3)
    assert not any(card.face for card in dealer.view().zone("hand", Seat(2)))
    assert sizes(dealer) == [1, 1, 2]


def test_a_discard_that_is_owed_is_owed_again() -> None:
    dealer = position(["po " * 8, "du", "fr"])
    end(dealer)
    discard(dealer, "po")
    assert leave(dealer, 1) == ["left", "redealt", "dealt", "surplus"]
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (30, 0, [8, 1])
    do(dealer, dealer.legal(Seat(0))[0])
    assert (number(dealer), on_turn(dealer)) == (2, 2)


def test_who_leaves_owes_no_discard() -> None:
    dealer = position(["po " * 8, "du", "fr"])
    end(dealer)
    leave(dealer, 0)
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (2, 1, [1, 1])


def test_direction_and_mark_stay() -> None:
    dealer = position(["jump " + "po " * 7, "du", "fr", "du"], direction=-1)
    play(dealer, "jump")
    answer(dealer)
    assert (number(dealer), dealer.state.skipped) == (30, 3)
    leave(dealer, 1)
    assert (dealer.state.skipped, dealer.state.direction) == (3, -1)
    while number(dealer) == 30:
        do(dealer, dealer.legal(Seat(0))[0])
    assert (on_turn(dealer), dealer.state.skipped) == (2, None)


def test_the_mark_of_who_leaves_is_gone_and_who_is_next_may_be_skipped() -> None:
    dealer = position(["jump " + "po " * 7, "du", "fr", "du"])
    play(dealer, "jump")
    answer(dealer)
    twin = dealer.fork(dealer._chance)
    leave(dealer, 1)
    assert dealer.state.skipped is None
    leave(twin, 0)
    assert on_turn(twin) == 2


def test_the_draw_at_the_end_of_a_turn_goes_on() -> None:
    dealer = position(["po du", "du", "fr", "po"], rest=hand(Seat(2)), turn=Seat(3))
    dealer.begin(Seat(3), action("discard-and-draw", card=slots_of(dealer, 3, "po")))
    assert dealer.state.drawing is not None
    dealer.advance()
    assert sizes(dealer)[3] == 1
    leave(dealer, 2)
    assert sizes(dealer) == [2, 1, 3]
    assert on_turn(dealer) == 0


def test_the_draw_of_a_card_is_dropped_with_it() -> None:
    dealer = position(["harry po", "du", "fr"])
    play(dealer, "harry")
    for seat in (1, 2):
        dealer.begin(Seat(seat), action("skip-reaction"))
    dealer.advance()
    assert (number(dealer), sizes(dealer)) == (27, [3, 1, 1])
    leave(dealer, 2)
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (2, 0, [3, 1])


@pytest.mark.parametrize(("gone", "hands"), [((2,), [1, 3, 2]), ((1,), [1, 1, 2])])
def test_a_hand_that_was_being_discarded_goes_back(gone: tuple[int, ...], hands: list[int]) -> None:
    dealer = position(["destiny po", "du fr te", "po", "du du"])
    play(dealer, "destiny", [1])
    for seat in (1, 2, 3):
        dealer.begin(Seat(seat), action("skip-reaction"))
    dealer.advance()
    assert (number(dealer), sizes(dealer)) == (27, [1, 0, 1, 2])
    leave(dealer, *gone)
    assert sizes(dealer) == hands
    assert dealer.board.faces_at(DISCARD) == tuple(faces("destiny"))


def test_seats_leave_one_after_the_other_while_it_is_dealt_again() -> None:
    dealer = at_position()
    dealer.leave([Seat(2)], "redeal")
    dealer.leave([Seat(3)], "redeal")
    assert dict(dealer.state.hands) == {0: 2, 1: 4}
    dealer.advance()
    assert len(dealer.state.hands) == 0
    assert leave(dealer, 1) == ["left", "won"]


def test_a_discard_owed_is_owed_also_when_two_leave_one_after_the_other() -> None:
    dealer = position(["po " * 8, "du", "fr", "du"])
    end(dealer)
    dealer.leave([Seat(1)], "redeal")
    leave(dealer, 2)
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (30, 0, [9, 1])


def test_a_redeal_with_no_card_outside_of_the_discards_takes_these() -> None:
    dealer = position(["buck", "", ""], rest=DISCARD)
    play(dealer, "buck")
    assert len(dealer.board.at(DISCARD)) == 103
    kinds = ["left", "redealt", "dealt", "empty", "drew", "empty", "drew"]
    assert leave(dealer, 2) == kinds
    assert (on_turn(dealer), sizes(dealer)) == (0, [3, 3])


@pytest.mark.parametrize("policy", ["redeal", "void"])
def test_the_first_deal_begins_anew_until_it_is_shuffled(policy: str) -> None:
    assert leave(fresh(3, 0), 1, policy=policy) == ["left", "voided", "dealt"]
    dealer = fresh(3, 1)
    turn = dealer.state.turn
    kinds = leave(dealer, 0 if turn != 0 else 1, policy=policy)
    assert kinds == ["left", "voided" if policy == "void" else "redealt", "dealt"]
    assert sizes(dealer) == [5, 5]


@pytest.mark.parametrize("policy", ["redeal", "void"])
@pytest.mark.parametrize("make", [row[1] for row in MAKING])
def test_whoever_is_left_alone_wins(make: Callable[[], Dealer], policy: str) -> None:
    dealer = make()
    assert leave(dealer, 0, 1, 3, policy=policy) == ["left", "won"]
    standing = dealer.result()
    assert standing is not None
    assert (standing.places, dict(standing.points)) == (((2,), (0, 1, 3)), {2: 3})
    assert leave(dealer, 2) == []
    assert dealer.result() == standing


def test_who_stayed_longer_is_ranked_better() -> None:
    dealer = begun(4)
    leave(dealer, 2)
    leave(dealer, 0)
    leave(dealer, 3)
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((1,), (3,), (0,), (2,))


def test_a_trio_in_the_window_is_not_paid() -> None:
    dealer = position(["po po po du", "te du", "fr"])
    trio(dealer, "po po po")
    leave(dealer, 2)
    assert (golden(dealer), sizes(dealer), number(dealer)) == ([0, 0], [1, 2], 2)


def test_the_turn_can_be_given_on_after_a_redeal() -> None:
    dealer = at_turn()
    leave(dealer, 1)
    end(dealer)
    assert on_turn(dealer) == 2
    assert len(held(dealer, 0)) == 4
    assert PAPAS.duty(dealer.state) == dealer.view().duty
