"""The window in which others say no: who is asked, what counts, what becomes of the cards."""

from __future__ import annotations

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.games.api import action
from nodealer.games.papas import PAPAS
from nodealer.games.registry import resolve
from nodealer.kernel import PeerError, Reason, Seat
from tests.games.papas.positions import (
    Dealer,
    answer,
    asked,
    discard,
    do,
    end,
    faces,
    golden,
    kinds,
    number,
    on_turn,
    play,
    position,
    sizes,
    slots_of,
    take,
    trio,
)

CHAIN = {"interrupt_chain": True}


def can_say(dealer: Dealer, seat: int) -> list[str]:
    """Return what a seat may say, each once."""
    return sorted({chosen.kind for chosen in dealer.legal(Seat(seat))})


def test_all_but_the_player_who_have_cards_are_asked() -> None:
    dealer = position(["year po", "du", "", "te", "po"])
    play(dealer, "year")
    assert asked(dealer) == (1, 3, 4)
    assert [dealer.legal(Seat(seat)) for seat in (0, 2)] == [(), ()]
    assert dealer.choice is not None
    assert dealer.choice.asked == (1, 3, 4)


def test_everybody_is_asked_whatever_they_hold() -> None:
    for held in ("du", "no", "te"):
        dealer = position(["year po", held])
        play(dealer, "year")
        assert asked(dealer) == (1,)


def test_where_nobody_else_has_cards_nobody_is_asked() -> None:
    dealer = position(["year po", "", ""])
    assert kinds(play(dealer, "year")) == ["played", "gained", "carried-out"]


def test_nobody_has_the_turn_in_the_window() -> None:
    dealer = position(["year po", "no du", "po"])
    play(dealer, "year")
    assert (number(dealer), dealer.view(Seat(0)).has_turn) == (20, False)
    with pytest.raises(PeerError) as error:
        end(dealer)
    assert error.value.reason is Reason.RULES_ILLEGAL


def test_who_has_answered_has_answered() -> None:
    dealer = position(["year po", "no du", "po"])
    play(dealer, "year")
    dealer.act(Seat(1), action("skip-reaction"))
    assert asked(dealer) == (2,)
    assert dealer.state.playing is not None
    with pytest.raises(PeerError):
        dealer.act(Seat(1), action("no-poh", card=slots_of(dealer, 1, "no")))


def test_the_state_is_the_same_until_all_have_answered() -> None:
    dealer = position(["year po", "no du", "po"])
    play(dealer, "year")
    before = dealer.state
    dealer.act(Seat(1), action("no-poh", card=slots_of(dealer, 1, "no")))
    assert dealer.state == before
    assert not dealer.board.faces.keys() & set(dealer.board.at(hand(Seat(1))))


@pytest.mark.parametrize("seconds", [0, 10, 120])
def test_the_window_lasts_as_agreed(seconds: int) -> None:
    dealer = position(["year po", "no du", "po"], options={"window": seconds})
    play(dealer, "year")
    assert dealer.choice is not None
    assert dealer.choice.window == seconds
    assert PAPAS.longest_window(resolve(PAPAS, 3, {"window": seconds})) == seconds


def test_what_may_be_said_to_a_card() -> None:
    dealer = position(["year po", "no no te du", "du"])
    play(dealer, "year")
    assert can_say(dealer, 1) == ["no-poh", "skip-reaction", "te-dije-que-no-poh"]
    assert len(dealer.legal(Seat(1))) == 4
    assert can_say(dealer, 2) == ["skip-reaction"]


def test_no_poh_is_not_said_to_a_trio() -> None:
    dealer = position(["po po po du", "no te du"])
    trio(dealer, "po po po")
    assert can_say(dealer, 1) == ["skip-reaction", "te-dije-que-no-poh"]
    with pytest.raises(PeerError) as error:
        do(dealer, action("no-poh", card=slots_of(dealer, 1, "no")), 1)
    assert error.value.reason is Reason.RULES_ILLEGAL
    assert kinds(answer(dealer, s1="te")) == ["interrupted", "cancelled"]
    assert (golden(dealer), sizes(dealer), on_turn(dealer)) == ([0, 0], [1, 2], 0)


def test_what_is_said_is_what_it_is() -> None:
    dealer = position(["year po", "no te du"])
    play(dealer, "year")
    for kind, word in (("no-poh", "te"), ("te-dije-que-no-poh", "no"), ("no-poh", "du")):
        with pytest.raises(PeerError):
            do(dealer, action(kind, card=slots_of(dealer, 1, word)), 1)


@pytest.mark.parametrize("said", ["no", "te"])
def test_an_interrupt_cancels_and_the_turn_goes_on(said: str) -> None:
    dealer = position(["harry po du", f"{said} fr"])
    play(dealer, "harry")
    events = answer(dealer, s1=said)
    assert kinds(events) == ["interrupted", "cancelled"]
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (2, 0, [2, 1])
    assert dealer.board.faces_at(DISCARD) == tuple(faces(f"harry {said}"))
    assert events[0].get("slots") == dealer.board.at(DISCARD)[1:]


def test_an_aimed_card_that_is_cancelled_does_nothing() -> None:
    dealer = position(["buck po", "no fr", "du"])
    play(dealer, "buck", [1])
    assert asked(dealer) == (1, 2)
    answer(dealer, s1="no")
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (2, 0, [1, 1, 1])


def test_a_cancelled_papageddon_does_not_turn() -> None:
    dealer = position(["papa po", "no fr", "du"])
    play(dealer, "papa")
    answer(dealer, s1="no")
    assert (dealer.state.direction, on_turn(dealer)) == (1, 0)


def test_who_is_left_with_an_empty_hand_by_a_cancelled_card_draws_and_is_done() -> None:
    dealer = position(["year", "no fr"])
    play(dealer, "year")
    assert kinds(answer(dealer, s1="no")) == ["interrupted", "cancelled", "empty", "drew"]
    assert (on_turn(dealer), golden(dealer)) == (1, [0, 0])


@pytest.mark.parametrize(("direction", "first"), [(1, 3), (-1, 1)])
def test_of_several_the_nearest_after_the_player_counts(direction: int, first: int) -> None:
    hands = ["po", "no du", "year po", "te no du", "po"]
    dealer = position(hands, turn=Seat(2), direction=direction)
    play(dealer, "year")
    said = {"s1": "no", "s3": "te"}
    (interrupted, _) = answer(dealer, **said)
    seats = interrupted.get("seats")
    assert isinstance(seats, tuple)
    assert (seats[0], len(seats)) == (first, 2)
    assert dealer.board.faces_at(DISCARD)[1:] == tuple(faces(said[f"s{first}"]))


def test_the_others_stay_in_hand_named_until_it_is_restacked() -> None:
    dealer = position(["year buck po", "no du", "te fr po", "du"])
    play(dealer, "year")
    answer(dealer, s1="no", s2="te")
    named = [card.face for card in dealer.view(Seat(3)).zone("hand", Seat(2))]
    assert named == ["te-dije-que-no-poh", None, None]
    assert sizes(dealer) == [2, 1, 3, 1]
    play(dealer, "buck", [2])
    answer(dealer)
    assert [card.face for card in dealer.view(Seat(3)).zone("hand", Seat(2))] == [None] * 3
    take(dealer, 2, 0)
    assert sizes(dealer) == [2, 1, 2, 1]


def test_a_named_card_can_be_said_again_discarded_and_given() -> None:
    dealer = position(["year year po", "te no du", "te no fr", "du"])
    play(dealer, "year")
    answer(dealer, s1="no", s2="no")
    play(dealer, "year")
    answer(dealer, s2="no")
    assert dealer.board.faces_at(DISCARD) == tuple(faces("year no year no"))
    dealer = position(["year spider po", "te no du", "te " + "no " * 7])
    play(dealer, "year")
    answer(dealer, s1="no", s2="te")
    play(dealer, "spider", [1, 2])
    answer(dealer)
    named = [card.face for card in dealer.view().zone("hand", Seat(1)) if card.face]
    assert named == ["te-dije-que-no-poh"]


def test_a_named_card_is_discarded_like_another() -> None:
    dealer = position(["po", "year po", "no du", "te " + "po " * 7], turn=Seat(1))
    play(dealer, "year")
    answer(dealer, s2="no", s3="te")
    end(dealer)
    end(dealer)
    (named,) = set(dealer.board.at(hand(Seat(3)))) & dealer.board.faces.keys()
    end(dealer)
    assert number(dealer) == 30
    discard(dealer, "te")
    assert dealer.board.at(DISCARD)[-1] == named


def test_reshuffled_discards_include_what_was_said() -> None:
    rest = hand(Seat(1))
    dealer = position(["year harry po", "no du", "te du"], rest=rest)
    play(dealer, "year")
    answer(dealer, s2="te")
    play(dealer, "harry")
    events = answer(dealer)
    assert kinds(events)[:2] == ["reshuffled", "drew"]
    assert events[0].get("count") == 3
    assert not dealer.board.at(DISCARD)
    assert len(dealer.board.at(STOCK)) == 0


# Interrupts of interrupts.


def test_in_a_chain_an_interrupt_is_interrupted_and_the_card_is_carried_out() -> None:
    dealer = position(["year no po", "no du", "fr"], options=CHAIN)
    play(dealer, "year")
    assert kinds(answer(dealer, s1="no")) == ["interrupted"]
    assert (number(dealer), asked(dealer)) == (20, (0, 2))
    assert kinds(answer(dealer, s0="no")) == ["interrupted"]
    assert asked(dealer) == (1, 2)
    assert kinds(answer(dealer)) == ["gained", "carried-out"]
    assert (golden(dealer), sizes(dealer)) == ([1, 0, 0], [1, 1, 1])


def test_in_a_chain_the_pile_is_resolved_from_the_top() -> None:
    dealer = position(["year no po", "no te du", "fr"], options=CHAIN)
    play(dealer, "year")
    answer(dealer, s1="no")
    answer(dealer, s0="no")
    assert kinds(answer(dealer, s1="te")) == ["interrupted"]
    assert can_say(dealer, 0) == ["skip-reaction"]
    assert kinds(answer(dealer)) == ["cancelled"]
    assert (golden(dealer), on_turn(dealer)) == ([0, 0, 0], 0)


def test_in_a_chain_no_poh_answers_a_no_poh_but_no_te_dije() -> None:
    dealer = position(["po po po no te", "te du", "no te fr"], options=CHAIN)
    trio(dealer, "po po po")
    answer(dealer, s1="te")
    assert can_say(dealer, 0) == ["skip-reaction", "te-dije-que-no-poh"]
    assert can_say(dealer, 2) == ["skip-reaction", "te-dije-que-no-poh"]
    answer(dealer, s0="te", s2="te")
    assert dealer.state.play.said[-1] == (2, "te-dije-que-no-poh")
    assert kinds(answer(dealer)) == ["paid"]


def test_a_chain_ends_where_nobody_else_has_cards() -> None:
    dealer = position(["year", "no no", ""], options=CHAIN)
    play(dealer, "year")
    assert kinds(answer(dealer, s1="no"))[:2] == ["interrupted", "cancelled"]


def test_without_a_chain_one_interrupt_ends_the_window() -> None:
    dealer = position(["year no po", "no du", "fr"])
    play(dealer, "year")
    assert kinds(answer(dealer, s1="no")) == ["interrupted", "cancelled"]
    assert asked(dealer) == ()
