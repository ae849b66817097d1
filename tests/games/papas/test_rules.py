"""The rules of Papas, card by card and state by state."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nodealer.cards import DISCARD, STOCK, Zone, hand
from nodealer.games.api import Turn, action
from nodealer.games.papas import PAPAS
from nodealer.games.papas.cards import ACTION_CARDS, CARDS, DECK, trio_pays
from nodealer.games.papas.resolving import positions_of
from nodealer.kernel import PeerError, Reason, Seat
from tests.games.papas.positions import (
    Dealer,
    answer,
    asked,
    begun,
    discard,
    do,
    end,
    faces,
    golden,
    held,
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

HAND_0 = hand(Seat(0))
HAND_1 = hand(Seat(1))


def refused(dealer: Dealer, kind: str, **fields: object) -> None:
    """Require that the seat on turn may not do something."""
    with pytest.raises(PeerError) as error:
        do(dealer, action(kind, **fields))  # type: ignore[arg-type]
    assert error.value.reason is Reason.RULES_ILLEGAL


# The cards.


def test_there_are_103_cards_with_18_faces() -> None:
    assert (len(DECK.faces), len(CARDS)) == (103, 18)
    assert sum(card.copies for card in CARDS.values() if card.is_alarm) == 24
    assert sum(card.copies for card in CARDS.values() if card.value == 3) == 24
    assert len(ACTION_CARDS) == 12


TRIOS = [
    ("po po po", 1),
    ("du du du", 2),
    ("fr fr fr", 3),
    ("po po wi", 1),
    ("wi du wi", 2),
    ("wi wi fr", 3),
    ("wi wi wi", 3),
    ("run pope ahead", 1),
    ("spider spider spider", 1),
    ("destiny dawan papa", 1),
    ("po po du", 0),
    ("po du wi", 0),
    ("run pope wi", 0),
    ("run pope pony", 0),
    ("harry harry harry", 0),
    ("year year year", 0),
    ("no no no", 0),
    ("te te wi", 0),
    ("po po", 0),
    ("po po po po", 0),
]


@pytest.mark.parametrize(("words", "pays"), TRIOS)
def test_what_a_trio_pays(words: str, pays: int) -> None:
    assert trio_pays(faces(words)) == pays


# The deal.


@pytest.mark.parametrize(("seats", "threshold"), [(2, 8), (3, 8), (4, 6), (5, 6), (6, 5)])
def test_five_cards_each_and_a_threshold_by_the_seats(seats: int, threshold: int) -> None:
    dealer = begun(seats)
    assert sizes(dealer) == [5] * seats
    assert len(dealer.board.at(STOCK)) == 103 - 5 * seats
    assert dealer.state.threshold == threshold
    assert number(dealer) == 2


def test_a_coin_says_who_begins() -> None:
    assert {on_turn(begun(3, seed)) for seed in range(20)} == {0, 1, 2}


# State 2, 90 and 30.


def test_a_turn_may_end_without_a_play_and_draws_one() -> None:
    dealer = position(["po du", "po", "po"], stock="fr te")
    assert kinds(end(dealer)) == ["drew"]
    assert (on_turn(dealer), number(dealer)) == (1, 2)
    assert held(dealer, 0) == sorted(faces("po du fr"))
    assert dealer.view(Seat(0)).zone("hand", Seat(0))[-1].face == "french-fries"
    assert dealer.view(Seat(1)).zone("hand", Seat(0))[-1].face is None


def test_who_has_more_than_seven_after_the_draw_discards_one_by_one() -> None:
    dealer = position(["po po po du du fr no te harry", "po"], stock="year")
    assert kinds(end(dealer)) == ["drew", "surplus"]
    assert (on_turn(dealer), number(dealer)) == (0, 30)
    assert len(dealer.legal(Seat(0))) == 10
    assert [event.get("owed") for event in discard(dealer, "du")] == [2]
    assert [event.get("owed") for event in discard(dealer, "du")] == [1]
    assert kinds(discard(dealer, "no")) == ["discarded"]
    assert (on_turn(dealer), number(dealer), sizes(dealer)) == (1, 2, [7, 1])
    assert dealer.board.faces_at(DISCARD) == tuple(faces("du du no"))


def test_others_may_hold_more_until_their_own_turn_ends() -> None:
    dealer = position(["po", "po " * 9], stock="fr te")
    end(dealer)
    assert (on_turn(dealer), number(dealer), sizes(dealer)) == (1, 2, [2, 9])
    end(dealer)
    assert number(dealer) == 30


def test_who_has_no_cards_when_the_turn_begins_draws_three_and_it_is_over() -> None:
    dealer = position(["po", "", "po"], stock="fr te harry du")
    assert kinds(end(dealer)) == ["drew", "empty", "drew"]
    assert on_turn(dealer) == 2
    assert held(dealer, 1) == sorted(faces("te harry du"))


def test_who_has_one_card_may_change_it_for_three() -> None:
    dealer = position(["po", "po"], stock="fr te harry du")
    (card,) = slots_of(dealer, 0, "po")
    assert action("discard-and-draw", card=(card,)) in dealer.legal(Seat(0))
    assert kinds(do(dealer, action("discard-and-draw", card=(card,)))) == ["changed", "drew"]
    assert on_turn(dealer) == 1
    assert held(dealer, 0) == sorted(faces("fr te harry"))
    assert dealer.board.faces_at(DISCARD) == ("potato",)


def test_two_cards_are_not_changed() -> None:
    dealer = position(["po du", "po"])
    refused(dealer, "discard-and-draw", card=slots_of(dealer, 0, "po"))


@pytest.mark.parametrize(("option", "changes"), [("entered", True), ("turn-start", False)])
def test_whether_the_last_card_is_changed_after_a_play(option: str, changes: bool) -> None:
    dealer = position(["year po", "du"], options={"one_card": option})
    play(dealer, "year")
    answer(dealer)
    change = action("discard-and-draw", card=slots_of(dealer, 0, "po"))
    assert (change in dealer.legal(Seat(0))) == changes
    if not changes:
        refused(dealer, "discard-and-draw", card=slots_of(dealer, 0, "po"))
    end(dealer)
    assert action("discard-and-draw", card=slots_of(dealer, 1, "du")) not in dealer.legal(Seat(0))
    assert len(dealer.legal(Seat(1))) == 2


def test_a_hand_that_a_play_has_emptied_is_looked_at_after_the_window() -> None:
    dealer = position(["year", "po"], stock="fr te harry du")
    play(dealer, "year")
    assert (number(dealer), sizes(dealer)) == (20, [0, 1])
    assert kinds(answer(dealer)) == ["gained", "carried-out", "empty", "drew"]
    assert (on_turn(dealer), sizes(dealer), golden(dealer)) == (1, [3, 1], [1, 0])


def test_an_alarm_card_that_was_the_last_draws_only_the_one_of_the_end() -> None:
    dealer = position(["ahead", "po"], stock="fr te")
    play(dealer, "ahead", [1])
    assert kinds(answer(dealer)) == ["destroyed", "carried-out", "drew"]
    assert (on_turn(dealer), sizes(dealer)) == (1, [1, 1])


# Draws.


def test_a_draw_takes_the_stock_then_all_discards_are_shuffled_into_it() -> None:
    rest = hand(Seat(1))
    dealer = position(["harry po", "du"], stock="fr", discards="te no no", rest=rest)
    play(dealer, "harry")
    events = answer(dealer)
    assert kinds(events) == ["drew", "reshuffled", "drew", "carried-out", "drew"]
    assert [len(event.get("slots") or ()) for event in events[::2]] == [1, 1, 1]  # type: ignore[arg-type]
    assert events[1].get("count") == 4
    assert sizes(dealer)[0] == 4
    assert (len(dealer.board.at(STOCK)), len(dealer.board.at(DISCARD))) == (2, 0)


def test_fewer_cards_are_drawn_when_there_are_no_more() -> None:
    dealer = position(["harry po", "du"], rest=hand(Seat(1)))
    play(dealer, "harry")
    assert kinds(answer(dealer)) == ["reshuffled", "drew", "carried-out"]
    assert (on_turn(dealer), sizes(dealer)[0]) == (1, 2)


def test_who_finds_nothing_to_draw_goes_without() -> None:
    dealer = position(["po du", "", "fr"], rest=hand(Seat(2)))
    assert kinds(end(dealer)) == ["empty"]
    assert (on_turn(dealer), sizes(dealer)[:2]) == (2, [2, 0])


# What may be played.


@pytest.mark.parametrize("word", ["po", "du", "fr", "wi", "no", "te"])
def test_what_is_never_played_alone(word: str) -> None:
    dealer = position([f"{word} buck", "po"])
    refused(dealer, "play-card", card=slots_of(dealer, 0, word))
    assert len(dealer.legal(Seat(0))) == 2


def test_a_trio_is_three_own_cards_in_their_order() -> None:
    dealer = position(["po po po po", "po"])
    cards = slots_of(dealer, 0, "po po po po")
    assert len([one for one in dealer.legal(Seat(0)) if one.kind == "play-threesome"]) == 4
    refused(dealer, "play-threesome", cards=(cards[1], cards[0], cards[2]))
    refused(dealer, "play-threesome", cards=cards)
    refused(dealer, "play-threesome", cards=cards[:2])


def test_wildcards_are_of_no_value() -> None:
    dealer = position(["run pope wi po", "po"])
    refused(dealer, "play-threesome", cards=slots_of(dealer, 0, "run pope wi"))


def test_potatoes_of_two_kinds_are_no_trio() -> None:
    dealer = position(["po po du harry", "po"])
    refused(dealer, "play-threesome", cards=slots_of(dealer, 0, "po po du"))


@pytest.mark.parametrize(("words", "pays"), [row for row in TRIOS if row[1]])
def test_a_trio_pays_after_the_window(words: str, pays: int) -> None:
    dealer = position([f"{words} po", "du"])
    assert kinds(trio(dealer, words)) == ["played"]
    assert (number(dealer), golden(dealer)) == (20, [0, 0])
    assert dealer.choice is not None
    assert kinds(answer(dealer)) == ["paid"]
    assert (number(dealer), on_turn(dealer), golden(dealer)) == (2, 0, [pays, 0])
    assert sorted(dealer.board.faces_at(DISCARD)) == sorted(faces(words))


# The cards, each by itself.


def test_pony_takes_a_golden_potato_and_ends_the_turn() -> None:
    dealer = position(["pony po", "du", "du"], golden=[1, 2, 0])
    play(dealer, "pony", [1])
    assert kinds(answer(dealer)) == ["robbed", "carried-out", "drew"]
    assert (golden(dealer), on_turn(dealer)) == ([2, 1, 0], 1)


@pytest.mark.parametrize("word", ["pony", "ahead"])
def test_who_has_no_golden_potato_loses_none(word: str) -> None:
    dealer = position([f"{word} po", "du", "du"], golden=[1, 2, 0])
    play(dealer, word, [2])
    assert [event.get("golden") for event in answer(dealer)[:1]] == [0]
    assert golden(dealer) == [1, 2, 0]


def test_look_ahead_destroys_a_golden_potato_and_ends_the_turn() -> None:
    dealer = position(["ahead po", "du", "du"], golden=[1, 2, 0])
    play(dealer, "ahead", [1])
    answer(dealer)
    assert (golden(dealer), on_turn(dealer)) == ([1, 1, 0], 1)


def test_the_potato_of_the_year_is_one_more_and_the_turn_goes_on() -> None:
    dealer = position(["year po du", "du"])
    play(dealer, "year")
    answer(dealer)
    assert (golden(dealer), on_turn(dealer), number(dealer)) == ([1, 0], 0, 2)


def test_harry_draws_two_and_one_at_the_end() -> None:
    dealer = position(["harry po", "du"], stock="fr te no")
    play(dealer, "harry")
    assert kinds(answer(dealer)) == ["drew", "carried-out", "drew"]
    assert (held(dealer, 0), on_turn(dealer)) == (sorted(faces("po fr te no")), 1)


def test_lend_me_a_buck_restacks_before_a_position_is_named() -> None:
    dealer = position(["buck po", "du fr te", "po"])
    before = dealer.board.at(HAND_1)
    play(dealer, "buck", [1])
    events = answer(dealer)
    assert kinds(events) == ["restacked"]
    assert number(dealer) == 26
    assert not set(before) & set(dealer.board.at(HAND_1))
    assert events[0].get("slots") == dealer.board.at(HAND_1)
    assert [card.face for card in dealer.view(Seat(0)).zone("hand", Seat(1))] == [None] * 3
    wanted = dealer.pack.faces[dealer.board.at(HAND_1)[1]]
    assert kinds(take(dealer, 1, 1)) == ["selected", "given", "carried-out"]
    assert (number(dealer), on_turn(dealer), sizes(dealer)) == (2, 0, [2, 2, 1])
    new = dealer.board.at(HAND_0)[-1]
    assert dealer.pack.faces[new] == wanted
    assert dealer.view(Seat(0)).zone("hand", Seat(0))[-1].face == wanted
    assert dealer.view(Seat(2)).zone("hand", Seat(0))[-1].face is None


def test_a_card_is_taken_from_the_target_alone() -> None:
    dealer = position(["buck po", "du fr te", "po"])
    play(dealer, "buck", [1])
    answer(dealer)
    for slots in ((), dealer.board.at(HAND_1), dealer.board.at(HAND_0), (True,)):
        refused(dealer, "select-card", card=slots)
    first = dealer.board.at(HAND_1)[0]
    for beside in ("", True):
        refused(dealer, "select-card", card=(first, beside))


def test_a_hand_of_one_card_goes_through_the_selection_too() -> None:
    dealer = position(["buck po", "du"])
    play(dealer, "buck", [1])
    answer(dealer)
    assert (number(dealer), len(dealer.legal(Seat(0)))) == (26, 1)
    take(dealer, 1, 0)
    assert sizes(dealer) == [2, 0]


@pytest.mark.parametrize("word", ["buck", "dawan", "pope"])
def test_from_who_has_no_cards_nothing_is_taken(word: str) -> None:
    dealer = position([f"{word} po", "", "du"])
    play(dealer, word, [1])
    assert asked(dealer) == (2,)
    assert kinds(answer(dealer)) == ["nothing", "carried-out"]
    assert (number(dealer), on_turn(dealer)) == (2, 0)


def test_dawan_shows_the_hand_to_its_player_alone() -> None:
    dealer = position(["dawan po", "du fr te", "po"])
    play(dealer, "dawan", [1])
    assert kinds(answer(dealer)) == ["restacked", "looked"]
    seen = [card.face for card in dealer.view(Seat(0)).zone("hand", Seat(1))]
    assert sorted(map(str, seen)) == sorted(faces("du fr te"))
    for viewer in (Seat(2), None):
        assert not any(card.face for card in dealer.view(viewer).zone("hand", Seat(1)))
    take(dealer, 1, seen.index("french-fries"))
    assert held(dealer, 0) == sorted(faces("po fr"))
    assert dealer.state.seen == (0, 1)


def test_with_two_seats_a_hand_that_was_shown_stays_closed_and_can_be_taken_from() -> None:
    dealer = position(["dawan buck po", "du fr te"])
    play(dealer, "dawan", [1])
    answer(dealer)
    assert not set(dealer.board.at(HAND_1)) & dealer.board.faces.keys()
    take(dealer, 1, 0)
    play(dealer, "buck", [1])
    events = answer(dealer)
    assert events[0].get("seen") == (1,)
    assert [card.face for card in dealer.view(Seat(0)).zone("hand", Seat(1))] == [None] * 2
    take(dealer, 1, 0)
    assert sizes(dealer) == [3, 1]


def test_pope_names_a_card_and_gets_one_of_it() -> None:
    dealer = position(["pope po", "du du te", "po"])
    play(dealer, "pope", [1])
    answer(dealer)
    assert (number(dealer), len(dealer.legal(Seat(0)))) == (28, 18)
    refused(dealer, "select-card-name", name="no such card")
    refused(dealer, "select-card-name", name=0)
    events = do(dealer, action("select-card-name", name="duchesses-potatoes"))
    assert kinds(events) == ["named", "claimed", "given", "carried-out"]
    assert (held(dealer, 0), held(dealer, 1)) == (sorted(faces("po du")), sorted(faces("du te")))
    assert dealer.view().zone("hand", Seat(0))[-1].face == "duchesses-potatoes"
    assert not any(card.face for card in dealer.view().zone("hand", Seat(1)))


def test_pope_gets_nothing_where_there_is_no_such_card() -> None:
    dealer = position(["pope po", "du du te", "po"])
    play(dealer, "pope", [1])
    answer(dealer)
    events = do(dealer, action("select-card-name", name="wildcard"))
    assert kinds(events) == ["named", "claimed", "carried-out"]
    assert events[1].get("slots") == ()
    assert (sizes(dealer), number(dealer)) == ([1, 3, 1], 2)


def test_destiny_discards_a_hand_and_draws_two_for_it() -> None:
    dealer = position(["destiny po", "du fr te", "po"], stock="no harry")
    slots = dealer.board.at(HAND_1)
    play(dealer, "destiny", [1])
    events = answer(dealer)
    assert kinds(events) == ["hand-discarded", "drew", "carried-out"]
    assert events[0].get("cards") == tuple(faces("du fr te"))
    assert events[0].get("slots") == slots
    assert dealer.board.faces_at(DISCARD) == tuple(faces("destiny du fr te"))
    assert held(dealer, 1) == sorted(faces("no harry"))
    assert (on_turn(dealer), number(dealer)) == (0, 2)


def test_destiny_for_an_empty_hand_draws_two() -> None:
    dealer = position(["destiny po", "", "po"], stock="no harry")
    play(dealer, "destiny", [1])
    assert kinds(answer(dealer)) == ["drew", "carried-out"]
    assert held(dealer, 1) == sorted(faces("no harry"))


@pytest.mark.parametrize("said", ["no", "te"])
def test_destiny_for_a_hand_with_a_named_card(said: str) -> None:
    """An interrupt that was said in vain is open already when the hand is discarded."""
    dealer = position(["year destiny po", "po no", said], stock="du fr")
    play(dealer, "year")
    answer(dealer, s1="no", s2=said)
    play(dealer, "destiny", [2])
    events = answer(dealer)
    assert events[0].get("cards") == tuple(faces(said))
    assert held(dealer, 2) == sorted(faces("du fr"))


def test_jump_draws_one_and_the_next_seat_is_skipped() -> None:
    dealer = position(["jump po", "du", "du"], stock="fr te")
    play(dealer, "jump")
    assert kinds(answer(dealer)) == ["marked", "drew", "carried-out", "drew", "skipped"]
    assert (sizes(dealer)[0], on_turn(dealer), dealer.state.skipped) == (3, 2, None)


def test_with_two_seats_a_jump_gives_the_turn_again() -> None:
    dealer = position(["jump po", "du"])
    play(dealer, "jump")
    answer(dealer)
    assert (on_turn(dealer), dealer.state.turns) == (0, 2)


def test_papageddon_takes_from_who_would_be_next_and_turns_the_direction() -> None:
    dealer = position(["papa po", "du fr", "du", "te"])
    play(dealer, "papa")
    assert kinds(answer(dealer)) == ["turned", "restacked"]
    take(dealer, 1, 0)
    assert (sizes(dealer), on_turn(dealer), dealer.state.direction) == ([3, 1, 1, 1], 3, -1)


def test_a_second_papageddon_turns_the_direction_back() -> None:
    dealer = position(["papa po", "du fr", "du", "papa te"])
    play(dealer, "papa")
    answer(dealer)
    take(dealer, 1, 0)
    play(dealer, "papa")
    assert answer(dealer)[0].get("direction") == 1
    assert dealer.state.play.target == 2
    take(dealer, 2, 0)
    assert (on_turn(dealer), sizes(dealer)[2]) == (0, 0)


def test_papageddon_with_two_seats_takes_from_the_other() -> None:
    dealer = position(["papa po", "du fr"])
    play(dealer, "papa")
    answer(dealer)
    take(dealer, 1, 0)
    assert (sizes(dealer), on_turn(dealer), dealer.state.direction) == ([3, 1], 1, -1)


def test_papageddon_still_turns_where_there_is_nothing_to_take() -> None:
    dealer = position(["papa po", "", "du"])
    play(dealer, "papa")
    assert kinds(answer(dealer))[:3] == ["turned", "nothing", "carried-out"]
    assert (on_turn(dealer), dealer.state.direction) == (2, -1)


def test_runaway_takes_a_card_of_every_other_hand_into_the_stock() -> None:
    dealer = position(["run po", "du fr te", "", "no no"], stock="harry")
    stock, before = dealer.board.at(STOCK), set(dealer.board.at(HAND_1))
    play(dealer, "run")
    events = answer(dealer)
    assert kinds(events) == ["restacked", "ran-away", "mixed", "carried-out"]
    restacked, drawn = events[0].get("slots"), events[1].get("slots")
    assert isinstance(restacked, tuple)
    assert isinstance(drawn, tuple)
    assert set(drawn) < set(restacked)
    assert not before & set(restacked)
    assert events[1].get("seats") == (1, 3)
    assert sizes(dealer) == [1, 2, 0, 1]
    after = dealer.board.at(STOCK)
    assert (len(after), set(after) & set(stock)) == (len(stock) + 2, set())
    assert (on_turn(dealer), number(dealer)) == (0, 2)
    coin = events[1].get("coin")
    assert isinstance(coin, int)
    assert 0 <= coin < 6


def test_runaway_does_nothing_where_nobody_else_has_cards() -> None:
    dealer = position(["run po", "", ""])
    stock = dealer.board.at(STOCK)
    assert kinds(play(dealer, "run")) == ["played", "carried-out"]
    assert dealer.board.at(STOCK) == stock


def test_a_coin_is_read_in_mixed_radix() -> None:
    read = [tuple(positions_of(coin, [3, 2, 4])) for coin in range(24)]
    assert len(set(read)) == 24
    assert read[:4] == [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)]
    assert read[-1] == (2, 1, 3)


@pytest.mark.parametrize(
    ("at", "after"), [([0, 1], [3, 1, 2]), ([1, 2], [1, 2, 3]), ([0, 2], [2, 3, 1])]
)
def test_spider_exchanges_two_hands(at: Sequence[int], after: list[int]) -> None:
    dealer = position(["spider po", "du fr te", "no no"])
    before = {seat: held(dealer, seat) for seat in range(3)}
    before[0].remove("spider-potato")
    play(dealer, "spider", at)
    one, other = at
    assert kinds(answer(dealer)) == ["exchanged", "carried-out"]
    assert sizes(dealer) == after
    assert (held(dealer, one), held(dealer, other)) == (before[other], before[one])
    assert dealer.state.seen == tuple(at)
    assert (on_turn(dealer), number(dealer)) == (0, 2)


def test_spider_with_an_empty_hand_gives_one_way() -> None:
    dealer = position(["spider", "du fr te"])
    play(dealer, "spider", [0, 1])
    answer(dealer)
    assert (sizes(dealer), dealer.state.seen) == ([3, 0], (0,))


def test_spider_with_two_empty_hands_does_nothing() -> None:
    dealer = position(["spider po", "", "", "du"])
    play(dealer, "spider", [1, 2])
    assert kinds(answer(dealer)) == ["exchanged", "carried-out"]
    assert sizes(dealer) == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("word", "allowed", "wrong"),
    [
        ("buck", [(1,), (2,)], [(0,), (), (1, 2), (True,), (3,), None, 1]),
        ("spider", [(0, 1), (0, 2), (1, 2)], [(1, 0), (1, 1), (0,), (0, 1, 2), (False, 1)]),
    ],
)
def test_at_whom_a_card_may_be_aimed(
    word: str, allowed: Sequence[object], wrong: Sequence[object]
) -> None:
    dealer = position([f"{word} po", "du", "du"])
    play(dealer, word)
    assert (number(dealer), sizes(dealer)) == (25, [1, 1, 1])
    assert [one.get("seats") for one in dealer.legal(Seat(0))] == allowed
    for seats in wrong:
        refused(dealer, "select-targets", seats=seats)


# Ends.


@pytest.mark.parametrize("word", ["year", "pony"])
def test_the_threshold_ends_the_game_without_a_draw(word: str) -> None:
    dealer = position([f"{word} po", "du", "du"], golden=[7, 1, 0])
    play(dealer, word, [1] if word == "pony" else [])
    assert kinds(answer(dealer))[-2:] == ["carried-out", "won"]
    assert (number(dealer), sizes(dealer)[0]) == (99, 1)
    standing = dealer.result()
    assert standing is not None
    assert standing.places[0] == (0,)


def test_a_trio_may_go_beyond_the_threshold() -> None:
    dealer = position(["fr fr fr " + "po " * 9, "du"], golden=[7, 0])
    trio(dealer, "fr fr fr")
    assert kinds(answer(dealer)) == ["paid", "won"]
    standing = dealer.result()
    assert standing is not None
    assert (standing.places, dict(standing.points)) == (((0,), (1,)), {0: 10, 1: 0})


def test_after_so_many_turns_the_most_golden_potatoes_win() -> None:
    dealer = position(["po", "du", "du"], golden=[2, 3, 3], options={"max_turns": 2})
    assert kinds(end(dealer)) == ["drew"]
    assert kinds(end(dealer)) == ["drew", "won"]
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((1, 2), (0,))


def test_the_last_turn_ends_with_its_discards() -> None:
    dealer = position(["po " * 8, "du"], golden=[1, 0], options={"max_turns": 1})
    end(dealer)
    discard(dealer, "po")
    assert kinds(discard(dealer, "po")) == ["discarded", "won"]


def test_duties_are_of_the_seat_on_turn() -> None:
    dealer = position(["po", "du"])
    duty = PAPAS.duty(dealer.state)
    assert duty == Turn(Seat(0), ("play-card", "play-threesome", "end-turn", "discard-and-draw"))
    assert not dealer.legal(Seat(1))
    assert {zone.name for zone in dealer.view().zones} <= {"hand", "stock", "discard"}
    assert Zone("stock") == STOCK
