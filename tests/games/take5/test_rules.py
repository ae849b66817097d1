"""The rules of 6 nimmt!, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from nodealer.cards import STOCK, hand
from nodealer.games.api import Over, Turn, action
from nodealer.games.registry import resolve
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.settings import Settings
from nodealer.games.take5.stacks import stack
from nodealer.games.take5.state import Phase
from nodealer.kernel import LocalError, PeerError, Seat
from tests.games.take5.positions import (
    begun,
    kinds,
    leave,
    lying,
    owing,
    pile,
    play,
    position,
    scores,
    take,
)

BULLS = [
    # card, bull heads
    (1, 1),
    (5, 2),
    (10, 3),
    (11, 5),
    (15, 2),
    (20, 3),
    (22, 5),
    (50, 3),
    (55, 7),
    (56, 1),
    (99, 5),
    (100, 3),
    (104, 1),
    (110, 5),
    (165, 5),
    (210, 3),
]


def settings(seats: int = 2, **options: Any) -> Settings:  # noqa: ANN401 - whatever an option holds
    """Return the settings of a table."""
    return Settings.of(resolve(TAKE5, seats, options))


@pytest.mark.parametrize(("card", "bulls"), BULLS)
def test_bull_heads_of_a_card(card: int, bulls: int) -> None:
    assert settings(deck_size=210).heads[card - 1] == bulls


def test_the_usual_deck_has_171_bull_heads() -> None:
    heads = settings().heads
    assert {count: heads.count(count) for count in set(heads)} == {1: 76, 2: 9, 3: 10, 5: 8, 7: 1}
    assert sum(heads) == 171


@pytest.mark.parametrize(
    ("allowed", "card", "bulls"),
    [("3-7", 1, 3), ("3-7", 10, 3), ("3-7", 11, 5), ("1-4", 55, 4), ("2-2", 11, 2), ("8-9", 55, 8)],
)
def test_bull_heads_beyond_the_range_are_cut_off(allowed: str, card: int, bulls: int) -> None:
    assert settings(bull_range=allowed).heads[card - 1] == bulls


def test_a_table_of_bull_heads_stands_for_all_cards() -> None:
    small = settings(deck_size=6, turn_count=1, bulls="7,6,5,4,3,2")
    assert small.heads == (7, 6, 5, 4, 3, 2)
    assert small.worth(["1", "6"]) == 9


UNFIT = [
    # seats, options, and what is wrong with them
    (2, {"deck_size": 23}, "take 24 cards; deck_size is 23"),
    (10, {"turn_count": 11}, "take 114 cards; deck_size is 104"),
    (2, {"bull_range": "7-3"}, "has no numbers"),
    (2, {"bull_range": "0-3"}, "a text such as 3-7"),
    (2, {"bull_range": "1"}, "a text such as 3-7"),
    (2, {"bulls": "1,2,3,4,5,6"}, "bulls names 6 cards; deck_size is 104"),
    (2, {"bulls": "1,2,3"}, "a text such as 1,1,2,3,5,7"),
    (2, {"bulls": "1,2,3,4,5,8", "deck_size": 6, "turn_count": 1}, "goes beyond bull_range 1-7"),
    (2, {"stack_size": 1}, "a number from 2 to 20"),
    (2, {"turn_count": 127}, "a number from 1 to 126"),
    (2, {"max_rounds": -1}, "a number from 0 to 1000"),
]


@pytest.mark.parametrize(("seats", "options", "told"), UNFIT)
def test_options_that_do_not_fit_are_refused(
    seats: int, options: dict[str, int | str | bool], told: str
) -> None:
    with pytest.raises(LocalError, match=told):
        resolve(TAKE5, seats, options)


def test_ten_seats_take_the_usual_deck_exactly() -> None:
    dealer = begun(10)
    assert dealer.board.at(STOCK) == ()


def test_the_cards_are_dealt_one_at_a_time() -> None:
    dealer = begun(3)
    assert dealer.board.at(hand(Seat(0))) == tuple(range(0, 30, 3))
    assert dealer.board.at(hand(Seat(2))) == tuple(range(2, 30, 3))
    assert [dealer.board.at(stack(name)) for name in "ABCD"] == [(30,), (31,), (32,), (33,)]
    assert len(dealer.board.at(STOCK)) == 70
    assert set(dealer.board.faces) == {30, 31, 32, 33}
    assert owing(dealer) == (0, 1, 2)


PLACING = [
    # stacks, the cards that are played, and the stacks afterwards
    (("20", "40", "60", "80"), ("50", "90"), ["20", "40 50", "60", "80 90"]),
    (("20", "40", "60", "80"), ("21", "22"), ["20 21 22", "40", "60", "80"]),
    (("20", "40", "60", "80"), ("22", "21"), ["20 21 22", "40", "60", "80"]),
    (("20", "40", "60", "80"), ("104", "61"), ["20", "40", "60 61", "80 104"]),
    (("80", "60", "40", "20"), ("79", "81"), ["80 81", "60 79", "40", "20"]),
    # only the top card of a stack counts
    (("20 70", "40", "60", "80"), ("69", "71"), ["20 70 71", "40", "60 69", "80"]),
    # a card may go where one has just gone
    (("20", "40", "60", "80"), ("30", "35"), ["20 30 35", "40", "60", "80"]),
]


@pytest.mark.parametrize(("stacks", "cards", "after"), PLACING)
def test_where_cards_go(stacks: tuple[str, ...], cards: tuple[str, ...], after: list[str]) -> None:
    dealer = position([f"{card} 1{seat}" for seat, card in enumerate(cards)], stacks)
    play(dealer, *cards)
    assert lying(dealer) == after
    assert scores(dealer) == [0, 0]


def test_the_sixth_card_takes_the_five() -> None:
    dealer = position(["26 2", "90 3"], ["21 22 23 24 25", "40", "60", "80"])
    events = play(dealer, "26", "90")
    assert kinds(events) == ["played", "taken", "placed"]
    assert lying(dealer) == ["26", "40", "60", "80 90"]
    assert pile(dealer, 0) == "21 22 23 24 25"
    assert scores(dealer) == [1 + 5 + 1 + 1 + 2, 0]


def test_the_card_after_a_taken_stack_lies_on_the_one_that_took_it() -> None:
    dealer = position(["27 2", "26 3"], ["21 22 23 24 25", "40", "60", "80"])
    assert kinds(play(dealer, "27", "26")) == ["played", "taken", "placed"]
    assert lying(dealer)[0] == "26 27"
    assert scores(dealer) == [0, 10]


def test_the_fifth_card_takes_nothing() -> None:
    dealer = position(["25 2", "90 3"], ["21 22 23 24", "40", "60", "80"])
    play(dealer, "25", "90")
    assert lying(dealer)[0] == "21 22 23 24 25"


@pytest.mark.parametrize(("size", "taken"), [(2, "39 40"), (3, ""), (6, "")])
def test_a_stack_is_full_at_its_size(size: int, taken: str) -> None:
    dealer = position(["41 2", "90 3"], ["20", "39 40", "60", "80"], {"stack_size": size})
    play(dealer, "41", "90")
    assert pile(dealer, 0) == taken


def test_a_card_below_all_stacks_takes_any_of_them() -> None:
    for name, index in zip("ABCD", range(4), strict=True):
        dealer = position(["5 2", "90 3"], ["20 30", "40", "60", "80"])
        events = play(dealer, "5", "90")
        assert kinds(events) == ["played", "below"]
        assert dealer.view().duty == Turn(Seat(0), ("take",))
        assert dealer.legal(Seat(0)) == tuple(action("take", stack=name) for name in "ABCD")
        assert dealer.legal(Seat(1)) == ()
        assert kinds(take(dealer, name)) == ["taken", "placed"]
        assert lying(dealer)[index].split()[0] == "5"
        assert pile(dealer, 0) == ["20 30", "40", "60", "80"][index]
        assert owing(dealer) == (0, 1)


def test_two_cards_below_all_stacks_choose_one_after_the_other() -> None:
    dealer = position(["6 2", "5 3"])
    play(dealer, "6", "5")
    assert dealer.view().duty == Turn(Seat(1), ("take",))
    # The lower card now begins stack D, so the higher one has a place.
    assert kinds(take(dealer, "D")) == ["taken", "placed"]
    assert lying(dealer) == ["20", "40", "60", "5 6"]


def test_whoever_takes_a_stack_makes_place_for_none_below() -> None:
    dealer = position(["6 2", "5 3", "104 4"], ["20", "40", "60", "80"])
    play(dealer, "6", "5", "104")
    take(dealer, "A")
    assert lying(dealer) == ["5 6", "40", "60", "80 104"]


@pytest.mark.parametrize("stack_name", ["E", "", "a", None, 0, True, ("A",)])
def test_there_are_four_stacks(stack_name: Any) -> None:  # noqa: ANN401 - whatever a peer sends
    dealer = position(["5 2", "90 3"])
    play(dealer, "5", "90")
    with pytest.raises(PeerError, match="the stacks are"):
        dealer.act(Seat(0), action("take", stack=stack_name))


def test_a_card_that_was_not_chosen_is_not_played_in_a_turn() -> None:
    dealer = position(["5 2", "90 3"])
    play(dealer, "5", "90")
    with pytest.raises(PeerError, match="is not among take"):
        dealer.act(Seat(0), action("play", card=(dealer.board.at(hand(Seat(0)))[0],)))


def test_a_round_ends_when_the_hands_are_empty() -> None:
    dealer = position(["50", "90"], scores=[3, 4])
    events = play(dealer, "50", "90")
    assert kinds(events) == ["played", "placed", "placed", "standings", "dealt"]
    assert events[3].get("scores") == (3, 4)
    assert (dealer.state.round, dealer.state.phase) == (2, Phase.CHOOSING)
    assert [len(dealer.board.at(hand(seat))) for seat in dealer.seats] == [10, 10]
    assert scores(dealer) == [3, 4]


def test_what_was_taken_counts_at_the_end_of_the_round() -> None:
    dealer = position(["50", "90"], piles=["55 1", ""], scores=[3, 4])
    assert scores(dealer) == [11, 4]
    events = play(dealer, "50", "90")
    assert events[3].get("scores") == (11, 4)


ENDS = [
    # scores before and what was taken, options, places, or None where another round is played
    ((65, 0), {}, None),
    ((66, 0), {}, ((1,), (0,))),
    ((0, 66), {}, ((0,), (1,))),
    ((70, 90), {}, ((0,), (1,))),
    ((66, 66), {}, None),
    ((0, 0, 66), {}, None),
    ((0, 66, 66), {}, ((0,), (1, 2))),
    ((5, 6, 90), {}, ((0,), (1,), (2,))),
    ((10, 0), {"win_score": 10}, ((1,), (0,))),
    ((9, 0), {"win_score": 10}, None),
    ((3, 4), {"max_rounds": 1}, ((0,), (1,))),
    ((4, 4, 9), {"max_rounds": 1}, ((0, 1), (2,))),
    ((4, 4, 9), {"max_rounds": 2}, None),
    ((70, 70), {"max_rounds": 1}, ((0, 1),)),
]


@pytest.mark.parametrize(("before", "options", "places"), ENDS)
def test_when_the_game_is_over(
    before: tuple[int, ...],
    options: dict[str, int | str | bool],
    places: tuple[tuple[int, ...], ...] | None,
) -> None:
    hands = ["50", "90", "91"][: len(before)]
    dealer = position(hands, options=options, scores=before)
    events = play(dealer, *hands)
    if places is None:
        assert dealer.result() is None
        has_tie = max(before) >= 66 and before.count(min(before)) > 1
        assert ("tied" in kinds(events)) == has_tie
        return
    standing = dealer.result()
    assert standing is not None
    assert standing.places == places
    assert dict(standing.points) == dict(enumerate(before))
    assert kinds(events)[-1] == "won"
    assert dealer.view().duty == Over()
    assert dealer.state.phase is Phase.GAME_OVER


def test_no_score_ends_the_game_in_the_middle_of_a_round() -> None:
    dealer = position(["50 51", "90 91"], scores=[66, 0])
    play(dealer, "50", "90")
    assert dealer.result() is None


def test_what_everybody_is_told_beside_the_cards() -> None:
    dealer = position(["5 2", "90 3"], options={"turn_count": 4}, scores=[3, 4])
    facts = dealer.view().facts
    assert (facts["phase"], facts["round"], facts["turn"]) == ("choosing", 1, 3)
    play(dealer, "5", "90")
    facts = dealer.view().facts
    assert (facts["phase"], facts["turn"]) == ("awaiting-row-choice", 3)
    assert facts["waiting"] == ((0, "5"), (1, "90"))
    take(dealer, "C")
    facts = dealer.view().facts
    assert facts["scores"] == ((0, 3 + 3), (1, 4))
    assert (facts["turn"], facts["waiting"], facts["left"]) == (4, (), ())
    assert facts["bulls"] == settings().heads
    leave(dealer, 1)
    assert dealer.view().facts["left"] == (1,)
