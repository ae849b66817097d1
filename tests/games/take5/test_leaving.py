"""Seats leave games of 6 nimmt!: what goes on, what is dealt again, who comes last."""

from __future__ import annotations

import pytest

from nodealer.cards import hand
from nodealer.games.api import Turn, event
from nodealer.games.take5.dealing import PLAYED
from nodealer.games.take5.placing import OUT
from nodealer.games.take5.state import Phase
from nodealer.kernel import Seat
from tests.games.take5.positions import (
    Dealer,
    begun,
    fresh,
    kinds,
    leave,
    lying,
    owing,
    pile,
    play,
    playing,
    position,
    scores,
    take,
)

HANDS = ["50 2", "90 3", "91 4"]


def revealing(hands: list[str] = HANDS) -> Dealer:
    """Return a game in which all have chosen their first card, and none is open yet."""
    dealer = position(hands)
    for seat, held in enumerate(hands):
        dealer.begin(Seat(seat), playing(dealer, seat, held.split()[0]))
    dealer.advance()
    assert dealer.state.phase is Phase.REVEALING
    return dealer


def faces(dealer: Dealer, *slots: int) -> list[str]:
    """Return the faces of slots."""
    return sorted((face for slot, face in dealer.pack.faces.items() if slot in slots), key=int)


def test_the_round_goes_on_without_the_cards_of_the_leaver() -> None:
    dealer = position(HANDS, scores=[1, 2, 3])
    assert leave(dealer, 1) == ["left"]
    assert owing(dealer) == (0, 2)
    assert faces(dealer, *dealer.board.at(OUT)) == ["3", "90"]
    play(dealer, "50", "91")
    assert lying(dealer) == ["20", "40 50", "60", "80 91"]
    assert scores(dealer) == [1, 2, 3]


def test_who_has_chosen_does_not_choose_again() -> None:
    dealer = position(HANDS)
    dealer.act(Seat(0), playing(dealer, 0, "50"))
    leave(dealer, 1)
    assert owing(dealer) == (2,)
    dealer.act(Seat(2), playing(dealer, 2, "91"))
    assert lying(dealer) == ["20", "40 50", "60", "80 91"]


def test_the_turn_goes_on_when_the_last_who_owed_a_card_leaves() -> None:
    dealer = position(HANDS)
    dealer.act(Seat(0), playing(dealer, 0, "50"))
    dealer.act(Seat(2), playing(dealer, 2, "91"))
    assert leave(dealer, 1) == ["left", "played", "placed", "placed"]
    assert lying(dealer) == ["20", "40 50", "60", "80 91"]


def test_a_chosen_card_that_is_not_open_is_out() -> None:
    dealer = revealing()
    assert len(dealer.board.at(PLAYED)) == 3
    assert leave(dealer, 1) == ["left", "played", "placed", "placed"]
    assert faces(dealer, *dealer.board.at(OUT)) == ["3", "90"]
    assert dealer.board.at(PLAYED) == ()
    assert not {"3", "90"} & set(dealer.board.faces.values())
    assert lying(dealer) == ["20", "40 50", "60", "80 91"]


def test_an_open_card_is_placed_and_what_it_takes_counts() -> None:
    dealer = position(
        ["5 2", "90 3", "91 4"], ["20", "40", "60", "76 77 78 79 80"], scores=[0, 7, 0]
    )
    play(dealer, "5", "90", "91")
    assert leave(dealer, 1) == ["left"]
    assert dealer.view().duty == Turn(Seat(0), ("take",))
    assert kinds(take(dealer, "A")) == ["taken", "taken", "placed"]
    assert pile(dealer, 1) == "76 77 78 79 80"
    assert scores(dealer) == [3, 7 + 1 + 5 + 1 + 1 + 3, 0]
    assert lying(dealer)[3] == "90 91"


def test_the_card_of_a_leaver_who_had_to_choose_is_out() -> None:
    dealer = position(["5 2", "90 3", "91 4"])
    play(dealer, "5", "90", "91")
    assert leave(dealer, 0) == ["left", "dropped", "placed", "placed"]
    assert lying(dealer) == ["20", "40", "60", "80 90 91"]
    assert faces(dealer, *dealer.board.at(OUT)) == ["2", "5"]
    assert owing(dealer) == (1, 2)


def test_the_card_of_a_leaver_who_would_have_to_choose_later_is_out() -> None:
    dealer = position(["5 2", "6 3", "7 4"], ["20", "40", "60", "80"])
    play(dealer, "5", "6", "7")
    assert leave(dealer, 0, 1) == ["left", "won"]
    dealer = position(["5 2", "6 3", "7 4", "8 9"], ["20", "40", "60", "80"])
    play(dealer, "5", "6", "7", "8")
    assert leave(dealer, 0, 1) == ["left", "dropped", "dropped", "below"]
    assert dealer.view().duty == Turn(Seat(2), ("take",))


def test_a_leaver_is_ranked_last_and_keeps_the_score() -> None:
    dealer = position(["50 2", "90 3", "91 4"], scores=[60, 0, 80])
    leave(dealer, 1)
    play(dealer, "50", "91")
    play(dealer, "2", "4")
    take(dealer, "A")
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((0,), (2,), (1,))
    assert dict(standing.points) == {0: 63, 1: 0, 2: 80}
    assert dealer.events[-1] == event("won", seats=(0,), score=63)


def test_the_score_of_a_leaver_ends_nothing_and_ties_with_nobody() -> None:
    dealer = position(["50", "90", "91"], scores=[10, 70, 12])
    leave(dealer, 1)
    play(dealer, "50", "91")
    assert dealer.result() is None
    dealer = position(["50", "90", "91"], scores=[10, 10, 70])
    leave(dealer, 1)
    play(dealer, "50", "91")
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((0,), (2,), (1,))


def test_the_next_round_is_dealt_without_the_leaver() -> None:
    dealer = position(["50", "90", "91"])
    leave(dealer, 1)
    events = play(dealer, "50", "91")
    assert kinds(events) == ["played", "placed", "placed", "standings", "dealt"]
    assert (events[3].get("seats"), events[3].get("left")) == ((0, 1, 2), (1,))
    assert [len(dealer.board.at(hand(Seat(seat)))) for seat in range(3)] == [10, 0, 10]


def test_a_void_round_does_not_count() -> None:
    dealer = position(["5 2", "90 3", "91 4"], piles=["55", "11", "22"], scores=[1, 2, 3])
    play(dealer, "5", "90", "91")
    assert scores(dealer) == [8, 7, 8]
    assert leave(dealer, 2, policy="void") == ["left", "voided", "dealt"]
    assert scores(dealer) == [1, 2, 3]
    assert (dealer.state.round, dealer.state.played) == (1, ())
    assert owing(dealer) == (0, 1)


@pytest.mark.parametrize("policy", ["continue", "void"])
@pytest.mark.parametrize("advanced", [0, 1])
def test_the_deal_begins_anew_while_it_is_not_complete(policy: str, advanced: int) -> None:
    dealer = fresh(3, advanced)
    assert leave(dealer, 1, policy=policy) == ["left", "voided", "dealt"]
    assert [len(dealer.board.at(hand(Seat(seat)))) for seat in range(3)] == [10, 0, 10]


@pytest.mark.parametrize(
    ("policy", "points"), [("continue", {0: 3, 1: 9, 2: 5}), ("void", {0: 3, 1: 2, 2: 5})]
)
def test_whoever_is_left_alone_wins(policy: str, points: dict[int, int]) -> None:
    dealer = position(HANDS, piles=["", "55", ""], scores=[3, 2, 5])
    assert leave(dealer, 0, 2, policy=policy) == ["left", "won"]
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((1,), (0, 2))
    assert dict(standing.points) == points
    assert leave(dealer, 1) == []
    assert dealer.result() == standing


def test_who_stayed_longer_is_ranked_better() -> None:
    dealer = begun(4)
    leave(dealer, 2)
    leave(dealer, 0)
    leave(dealer, 3)
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((1,), (3,), (0,), (2,))
