"""Every rule of the page of 66, in one position each."""

from __future__ import annotations

from typing import Any

import pytest

from nodealer.cards import DISCARD, STOCK
from nodealer.games.api import Turn, action
from nodealer.games.dealer import deal
from nodealer.games.effects import Acks, Compare, Show
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.cards import DECK
from nodealer.games.sixty_six.scoring import LIMIT, added, ends_game, points_of
from nodealer.games.sixty_six.state import Phase
from nodealer.kernel import PeerError, Seat
from nodealer.kernel.chance import Chance
from tests.games.sixty_six.positions import (
    Dealer,
    act,
    acting,
    discarded,
    faces,
    kinds,
    listed,
    on_turn,
    phase,
    position,
    seen,
    slot_at,
)

BOTH = pytest.mark.parametrize("variant", ["v1", "v2"])

HANDS = ["3 4 3 9", "10 0 13 13"]
THREE = [*HANDS, "5 6 7 8"]


def fresh(variant: str, seats: int = 3, seed: int = 1) -> Dealer:
    """Return a real game at the first turn of its first round."""
    options = resolve(SIXTY_SIX, seats, {"variant": variant})
    dealer = deal(SIXTY_SIX, [Seat(n) for n in range(seats)], options, Chance(seed))
    act(dealer, "start-game")
    return dealer


def test_the_deck_has_fifty_two_cards_worth_338_points() -> None:
    assert len(DECK.faces) == 52
    assert sum(map(int, DECK.faces)) == 338
    assert DECK.faces[:3] == ("0", "0", "1")
    assert DECK.faces[-3:] == ("12", "13", "13")


@BOTH
def test_everybody_sees_the_first_two_of_four_cards(variant: str) -> None:
    dealer = fresh(variant)
    for seat in dealer.seats:
        for viewer in dealer.seats:
            hidden = [face == "?" for face in seen(dealer, viewer, seat).split()]
            assert hidden == [viewer != seat, viewer != seat, True, True]
    assert len(dealer.board.at(STOCK)) == 52 - 12
    assert not dealer.board.at(DISCARD)


@BOTH
def test_the_lowest_seat_starts_the_game_and_a_coin_says_who_begins(variant: str) -> None:
    begun = set()
    for seed in range(20):
        options = resolve(SIXTY_SIX, 3, {"variant": variant})
        dealer = deal(SIXTY_SIX, [Seat(2), Seat(5), Seat(7)], options, Chance(seed))
        assert SIXTY_SIX.duty(dealer.state) == Turn(Seat(2), ("start-game",))
        (told,) = act(dealer, "start-game")
        assert told.get("seat") == on_turn(dealer)
        begun.add(on_turn(dealer))
    assert begun == {2, 5, 7}


FIRST_CHOICES = [
    ("v1", "", None, {"take-card-from-deck", "show-cards", "stop-round"}),
    (
        "v1",
        "5",
        None,
        {"take-card-from-deck", "show-cards", "stop-round", "replace-card-by-discarded"},
    ),
    ("v1", "", 1, {"take-card-from-deck", "show-cards"}),
    ("v2", "", None, {"take-card-from-deck", "stop-round"}),
    ("v2", "5", None, {"take-card-from-deck", "stop-round", "take-discarded-card"}),
    ("v2", "5", 1, {"take-card-from-deck", "take-discarded-card"}),
]


@pytest.mark.parametrize(("variant", "discards", "stopper", "wanted"), FIRST_CHOICES)
def test_what_a_turn_begins_with(
    variant: str, discards: str, stopper: int | None, wanted: set[str]
) -> None:
    counter = None if stopper is None else 1
    assert (
        listed(position(variant, HANDS, discards, stopper=stopper, stop_counter=counter)) == wanted
    )


@pytest.mark.parametrize(
    ("variant", "kind"), [("v1", "replace-card-from-deck"), ("v2", "pick-own-card")]
)
def test_a_card_from_the_deck_replaces_one_of_the_hand(variant: str, kind: str) -> None:
    dealer = position(variant, HANDS, stock="7 1 2")
    assert kinds(act(dealer, "take-card-from-deck")) == ["took"]
    assert phase(dealer) == "DECK_CARD_TAKEN"
    (card,) = dealer.view(Seat(0)).zone("taken", Seat(0))
    assert card.face == "7"
    assert dealer.view(Seat(1)).zone("taken", Seat(0))[0].face is None
    (told,) = act(dealer, kind, 2)
    assert dict(told.fields) == {"seat": 0, "places": (2,), "source": "deck", "face": "3"}
    assert faces(dealer, 0) == "3 4 7 9"
    assert (seen(dealer, 0, 0), seen(dealer, 1, 0)) == ("3 4 7 ?", "? ? ? ?")
    assert discarded(dealer) == "3"
    assert (on_turn(dealer), phase(dealer)) == (1, "READY_FOR_TURN")


def test_the_discarded_card_replaces_one_of_the_hand_v1() -> None:
    dealer = position("v1", HANDS, "12 2")
    (told,) = act(dealer, "replace-card-by-discarded", 3)
    assert dict(told.fields) == {"seat": 0, "places": (3,), "source": "discard", "face": "9"}
    assert_discard_used(dealer)


def test_the_discarded_card_replaces_one_of_the_hand_v2() -> None:
    dealer = position("v2", HANDS, "12 2")
    assert kinds(act(dealer, "take-discarded-card")) == ["took"]
    assert (phase(dealer), discarded(dealer)) == ("DISCARDED_CARD_TAKEN", "2")
    assert listed(dealer) == {"pick-own-card", "show-cards"}
    assert kinds(act(dealer, "pick-own-card", 3)) == ["replaced"]
    assert_discard_used(dealer)


def assert_discard_used(dealer: Dealer) -> None:
    """Everybody knows where the card lies, and the one thrown out for it has no power."""
    assert faces(dealer, 0) == "3 4 3 2"
    assert (seen(dealer, 0, 0), seen(dealer, 1, 0)) == ("3 4 ? 2", "? ? ? 2")
    assert discarded(dealer) == "9"
    assert phase(dealer) == "READY_FOR_TURN"


@BOTH
def test_what_is_open_already_is_discarded_with_acks(variant: str) -> None:
    dealer = position(variant, HANDS, "2")
    kind = "replace-card-by-discarded" if variant == "v1" else "pick-own-card"
    began = []
    for place in (0, 1, 0):
        if variant == "v2":
            act(dealer, "take-discarded-card")
        act(dealer, kind, place, settle=False)
        began.append(type(dealer._effects[0]))
        dealer.settle()
    # The third replaced the card that the first had put there from the discards.
    assert began == [Show, Show, Acks]
    assert discarded(dealer) == "2"


POWERS = [
    # the card, the phase in each variant, the kind of the action that follows
    *[(face, "READY_FOR_TURN", "READY_FOR_TURN", None) for face in ("0", "6", "13")],
    *[(face, "AWAITING_POWER", "DISCARDING_7_8", "own") for face in ("7", "8")],
    *[(face, "AWAITING_POWER", "DISCARDING_9_10", "anothers") for face in ("9", "10")],
    *[(face, "AWAITING_POWER", "DISCARDING_11_12", "exchange") for face in ("11", "12")],
]
KINDS = {
    ("v1", "own"): "peek-own-card",
    ("v1", "anothers"): "peek-anothers-card",
    ("v1", "exchange"): "exchange-cards",
    ("v2", "own"): "pick-own-card",
    ("v2", "anothers"): "pick-anothers-card",
    ("v2", "exchange"): "pick-own-card",
}


@BOTH
@pytest.mark.parametrize(("face", "first", "second", "power"), POWERS)
def test_discarding_a_card_from_the_deck_makes_its_power_due(
    variant: str, face: str, first: str, second: str, power: str | None
) -> None:
    dealer = position(variant, HANDS, stock=f"{face} 1 2")
    act(dealer, "take-card-from-deck")
    (told,) = act(dealer, "discard")
    assert dict(told.fields) == {"seat": 0, "face": face}
    assert discarded(dealer) == face
    assert phase(dealer) == (first if variant == "v1" else second)
    assert on_turn(dealer) == (1 if power is None else 0)
    if power is not None:
        assert listed(dealer) == {KINDS[variant, power]}


def with_power(variant: str, face: str, hands: list[str]) -> Dealer:
    """Return a position in which seat 0 has discarded a card with a power."""
    dealer = position(variant, hands, stock=f"{face} 1 2")
    act(dealer, "take-card-from-deck")
    act(dealer, "discard")
    return dealer


@BOTH
def test_seven_and_eight_show_an_own_card(variant: str) -> None:
    dealer = with_power(variant, "7", THREE)
    (told,) = act(dealer, KINDS[variant, "own"], 3)
    assert dict(told.fields) == {"seat": 0, "owner": 0, "place": 3}
    assert [seen(dealer, viewer, 0) for viewer in range(3)] == ["3 4 ? 9", "? ? ? ?", "? ? ? ?"]
    assert on_turn(dealer) == 1


@BOTH
def test_a_card_that_was_seen_can_be_peeked_at_again(variant: str) -> None:
    dealer = with_power(variant, "8", HANDS)
    act(dealer, KINDS[variant, "own"], 0)
    assert seen(dealer, 0, 0) == "3 4 ? ?"
    assert on_turn(dealer) == 1


@BOTH
def test_nine_and_ten_show_anothers_card_and_its_owner_nothing(variant: str) -> None:
    dealer = with_power(variant, "10", THREE)
    (told,) = act(dealer, KINDS[variant, "anothers"], (1, 2))
    assert dict(told.fields) == {"seat": 0, "owner": 1, "place": 2}
    shown = [seen(dealer, viewer, 1) for viewer in range(3)]
    assert shown == ["? ? 13 ?", "10 0 ? ?", "? ? ? ?"]


@BOTH
def test_a_card_that_all_have_seen_by_then_is_open(variant: str) -> None:
    dealer = with_power(variant, "10", HANDS)
    act(dealer, KINDS[variant, "anothers"], (1, 0))
    assert slot_at(dealer, 1, 0) in dealer.board.faces


def exchange(dealer: Dealer, variant: str, own: int, other: tuple[int, int]) -> list[Any]:
    """Exchange two cards, in one step or two."""
    if variant == "v1":
        return act(dealer, "exchange-cards", own, other)
    assert not act(dealer, "pick-own-card", own)
    assert phase(dealer) == "PICKING_ANOTHERS_CARD_FOR_EXCHANGE"
    return act(dealer, "pick-anothers-card", other)


@BOTH
def test_eleven_and_twelve_exchange_cards_that_nobody_sees(variant: str) -> None:
    dealer = with_power(variant, "12", THREE)
    (told,) = exchange(dealer, variant, 2, (1, 3))
    fields = {"seat": 0, "place": 2, "other": 1, "other_place": 3}
    assert dict(told.fields) == fields
    assert (faces(dealer, 0), faces(dealer, 1)) == ("3 4 13 9", "10 0 13 3")
    for viewer in range(3):
        assert [seen(dealer, viewer, seat).split()[2:] for seat in range(3)] == [["?", "?"]] * 3


@BOTH
def test_who_had_seen_an_exchanged_card_knows_it_where_it_lies(variant: str) -> None:
    dealer = with_power(variant, "11", THREE)
    exchange(dealer, variant, 0, (1, 1))
    assert (faces(dealer, 0), faces(dealer, 1)) == ("0 4 3 9", "10 3 13 13")
    assert (seen(dealer, 0, 0), seen(dealer, 0, 1)) == ("? 4 ? ?", "? 3 ? ?")
    assert (seen(dealer, 1, 1), seen(dealer, 1, 0)) == ("10 ? ? ?", "0 ? ? ?")


CLAIMS = [
    # variant, hand, places, from the deck, hand afterwards, as its owner sees it
    ("v1", "3 4 3 9", (0, 2), True, "1 4 9", "? 4 ?"),
    ("v1", "3 4 3 9", (0, 2), False, "5 4 9", "5 4 ?"),
    ("v1", "4 3 3 3", (1, 2, 3), True, "4 1", "4 ?"),
    ("v1", "3 3 3 3", (0, 1, 2, 3), False, "5", "5"),
    ("v2", "3 4 3 9", (0, 2), True, "1 4 9", "1 4 ?"),
    ("v2", "3 4 3 9", (0, 2), False, "5 4 9", "5 4 ?"),
    ("v2", "9 4 3 3", (2, 3), True, "9 4 1", "9 4 1"),
    ("v2", "3 3 3 3", (0, 1, 2, 3), False, "5", "5"),
]


@pytest.mark.parametrize(("variant", "held", "places", "from_deck", "after", "own"), CLAIMS)
def test_alike_cards_are_replaced_by_one(
    variant: str, held: str, places: tuple[int, ...], from_deck: bool, after: str, own: str
) -> None:
    dealer = position(variant, [held, *THREE[1:]], "5", "1 2")
    source = "deck" if from_deck else "discard"
    if variant == "v1":
        told = act(dealer, "show-cards", *places)
        assert (phase(dealer), on_turn(dealer)) == ("AWAITING_REPLACEMENT", 0)
        told += act(dealer, f"replace-cards-{'from-deck' if from_deck else 'by-discarded'}")
    else:
        act(dealer, "take-card-from-deck" if from_deck else "take-discarded-card")
        told = act(dealer, "show-cards", *places)
    assert kinds(told) == ["claimed", "compared", "replaced"]
    assert told[1].get("equal") is True
    assert dict(told[2].fields) == {"seat": 0, "places": places, "source": source, "face": "3"}
    assert faces(dealer, 0) == after
    assert seen(dealer, 0, 0) == own
    on_top = [dealer.board.face(slot) for slot in dealer.board.at(DISCARD)]
    assert on_top == [*(["5"] if from_deck else []), *["3"] * len(places)]
    assert on_turn(dealer) == 1


def test_in_v1_the_owner_of_claimed_cards_sees_them_with_the_replacement_only() -> None:
    dealer = position("v1", ["9 8 3 3", *THREE[1:]])
    act(dealer, "show-cards", 2, 3)
    assert [seen(dealer, viewer, 0) for viewer in range(3)] == ["9 8 ? ?", "? ? 3 3", "? ? 3 3"]
    assert listed(dealer) == {"replace-cards-from-deck"}
    act(dealer, "replace-cards-from-deck")
    assert seen(dealer, 0, 0) == "9 8 ?"
    assert discarded(dealer) == "3"


@BOTH
def test_claimed_cards_are_shown_to_all_but_their_owner(variant: str) -> None:
    dealer = position(variant, ["9 8 3 4", *THREE[1:]], "5")
    if variant == "v2":
        act(dealer, "take-discarded-card")
    act(dealer, "show-cards", 2, 3, settle=False)
    slots = (slot_at(dealer, 0, 2), slot_at(dealer, 0, 3))
    assert dealer._effects == (Show(slots, (Seat(1), Seat(2))), Compare(slots))
    dealer.settle()
    assert [seen(dealer, viewer, 0) for viewer in range(3)] == ["9 8 ? ?", "? ? 3 4", "? ? 3 4"]
    assert faces(dealer, 0) == "9 8 3 4"
    assert (on_turn(dealer), discarded(dealer)) == (1, "5")


@BOTH
def test_of_two_players_one_sees_a_claim_and_the_other_has_the_verdict(variant: str) -> None:
    dealer = position(variant, ["9 8 3 4", HANDS[1]], "5")
    if variant == "v2":
        act(dealer, "take-discarded-card")
    told = act(dealer, "show-cards", 2, 3)
    assert told[1].get("equal") is False
    assert (seen(dealer, 0, 0), seen(dealer, 1, 0)) == ("9 8 ? ?", "? ? 3 4")


@BOTH
def test_all_claimed_cards_have_to_be_alike(variant: str) -> None:
    dealer = position(variant, ["9 3 3 4", *THREE[1:]], "5")
    if variant == "v2":
        act(dealer, "take-discarded-card")
    told = act(dealer, "show-cards", 1, 2, 3)
    assert told[1].get("equal") is False
    assert faces(dealer, 0) == "9 3 3 4"


def test_a_card_from_the_deck_is_discarded_plain_after_a_false_claim() -> None:
    dealer = position("v2", ["9 8 3 4", *THREE[1:]], stock="7 1 2")
    act(dealer, "take-card-from-deck")
    told = act(dealer, "show-cards", 2, 3)
    assert kinds(told) == ["claimed", "compared", "discarded"]
    assert dict(told[2].fields) == {"seat": 0, "face": "7"}
    assert (discarded(dealer), phase(dealer), on_turn(dealer)) == ("7", "READY_FOR_TURN", 1)
    assert faces(dealer, 0) == "9 8 3 4"


@BOTH
def test_with_one_card_there_is_nothing_to_claim(variant: str) -> None:
    dealer = position(variant, ["3", HANDS[1]], "5")
    if variant == "v2":
        act(dealer, "take-discarded-card")
    assert "show-cards" not in listed(dealer)


@BOTH
def test_after_a_stop_all_others_have_one_more_turn(variant: str) -> None:
    dealer = position(variant, THREE)
    act(dealer, "stop-round")
    assert (dealer.state.stopper, dealer.state.stop_counter) == (0, 2)
    for seat, counter in ((1, 1), (2, 0)):
        assert on_turn(dealer) == seat
        act(dealer, "take-card-from-deck")
        act(dealer, "replace-card-from-deck" if variant == "v1" else "pick-own-card", 0)
        assert dealer.state.stop_counter == counter
    assert phase(dealer) == "ROUND_FINISHED"
    assert dealer.state.turn == 3


LAST_TURNS = [
    # variant, what the last seat does after a stop
    ("v1", [("replace-card-by-discarded", 0)]),
    ("v1", [("show-cards", 0, 1)]),
    ("v1", [("show-cards", 2, 3), ("replace-cards-by-discarded",)]),
    ("v1", [("show-cards", 2, 3), ("replace-cards-from-deck",)]),
    ("v1", [("take-card-from-deck",), ("replace-card-from-deck", 1)]),
    ("v1", [("take-card-from-deck",), ("discard",), ("peek-own-card", 1)]),
    ("v2", [("take-discarded-card",), ("pick-own-card", 0)]),
    ("v2", [("take-discarded-card",), ("show-cards", 0, 1)]),
    ("v2", [("take-card-from-deck",), ("show-cards", 0, 1)]),
    ("v2", [("take-card-from-deck",), ("show-cards", 2, 3)]),
    ("v2", [("take-card-from-deck",), ("discard",), ("pick-own-card", 0)]),
]


@pytest.mark.parametrize(("variant", "acts"), LAST_TURNS)
def test_every_turn_can_be_the_last(variant: str, acts: list[tuple[Any, ...]]) -> None:
    dealer = position(variant, HANDS, "5", "7 1 2")
    act(dealer, "stop-round")
    for one in acts:
        assert phase(dealer) != "ROUND_FINISHED"
        act(dealer, *one)
    assert phase(dealer) == "ROUND_FINISHED"
    for seat in dealer.seats:
        assert "?" not in seen(dealer, 0, seat)


@BOTH
def test_the_round_ends_with_the_turn_that_empties_the_deck(variant: str) -> None:
    dealer = position(variant, HANDS, stock="7")
    act(dealer, "take-card-from-deck")
    act(dealer, "discard")
    assert dealer.state.phase is not Phase.ROUND_FINISHED
    told = act(dealer, KINDS[variant, "own"], 0)
    assert kinds(told) == ["peeked", "exhausted", "round-finished", "begins"]


@BOTH
def test_an_empty_deck_ends_the_round_whatever_the_stop_says(variant: str) -> None:
    dealer = position(variant, THREE, stock="1", stopper=Seat(2), stop_counter=2)
    act(dealer, "take-card-from-deck")
    told = act(dealer, "discard")
    assert "exhausted" in kinds(told)
    assert dealer.state.stop_counter == 1


SCORES = [
    # sums of the hands, who stopped, the points
    ({0: 10, 1: 20, 2: 15}, None, {0: 0, 1: 20, 2: 15}),
    ({0: 10, 1: 20, 2: 15}, 0, {0: 0, 1: 20, 2: 15}),
    ({0: 10, 1: 20, 2: 15}, 1, {0: 0, 1: 25, 2: 15}),
    ({0: 10, 1: 10, 2: 15}, 0, {0: 15, 1: 0, 2: 15}),
    ({0: 10, 1: 10, 2: 15}, 2, {0: 0, 1: 0, 2: 20}),
    ({0: 10, 1: 10, 2: 10}, 1, {0: 0, 1: 15, 2: 0}),
    ({0: 10, 1: 10}, None, {0: 0, 1: 0}),
    ({0: 0, 1: 0}, 1, {0: 0, 1: 5}),
    ({0: 0, 1: 3}, 0, {0: 0, 1: 3}),
    ({0: 7, 1: 12}, 0, {0: 0, 1: 12}),
    ({0: 7, 1: 2}, 0, {0: 12, 1: 0}),
]


@pytest.mark.parametrize(("sums", "stopper", "points"), SCORES)
def test_what_a_round_costs(
    sums: dict[int, int], stopper: int | None, points: dict[int, int]
) -> None:
    given = {Seat(seat): value for seat, value in sums.items()}
    assert points_of(given, None if stopper is None else Seat(stopper)) == points


TOTALS = [(0, 0, 0), (60, 5, 65), (60, 6, 33), (60, 7, 67), (0, 66, 33), (33, 33, 33), (66, 0, 33)]


@pytest.mark.parametrize(("total", "points", "after"), TOTALS)
def test_exactly_66_becomes_33(total: int, points: int, after: int) -> None:
    assert added(total, points, LIMIT) == after


def test_a_total_above_66_ends_the_game() -> None:
    assert ends_game({Seat(0): 67, Seat(1): 0}, LIMIT)
    assert not ends_game({Seat(0): 65, Seat(1): 0}, LIMIT)


@pytest.mark.parametrize(("total", "points", "after"), [(0, 15, 7), (10, 5, 7), (0, 16, 16)])
def test_of_another_limit_half_is_left_as_well(total: int, points: int, after: int) -> None:
    assert added(total, points, 15) == after
    assert ends_game({Seat(0): after}, 15) is (after > 15)


def last_turn(variant: str, hands: list[str], totals: tuple[int, ...], **facts: Any) -> Dealer:  # noqa: ANN401
    """Return a position before the last card of the deck is taken: a 6, discarded plain."""
    counted = tuple((Seat(seat), total) for seat, total in enumerate(totals))
    dealer = position(variant, hands, stock="6", totals=counted, **facts)
    act(dealer, "take-card-from-deck")
    return dealer


@BOTH
def test_the_winner_of_a_round_begins_the_next(variant: str) -> None:
    dealer = last_turn(variant, THREE, (1, 2, 3))
    told = act(dealer, "discard")
    assert kinds(told) == ["discarded", "exhausted", "round-finished", "begins"]
    counted = dict(told[2].fields)
    assert counted == {
        "round": 1,
        "turns": 1,
        "seats": (0,),
        "points": ((0, 0), (1, 36), (2, 26)),
        "totals": ((0, 1), (1, 38), (2, 29)),
    }
    assert told[3].get("seat") == 0
    act(dealer, "start-next-round")
    assert (dealer.state.round, dealer.state.turn, on_turn(dealer)) == (2, 1, 0)
    assert dict(dealer.state.totals) == {0: 1, 1: 38, 2: 29}


@pytest.mark.parametrize(("variant", "starts"), [("v1", 2), ("v2", 0)])
def test_who_starts_the_next_round(variant: str, starts: int) -> None:
    dealer = last_turn(variant, ["13 9", "8 8", "1 1"], (0, 0, 0))
    act(dealer, "discard")
    assert SIXTY_SIX.duty(dealer.state) == Turn(Seat(starts), ("start-next-round",))
    assert dealer.state.starter == 2
    act(dealer, "start-next-round")
    assert on_turn(dealer) == 2


@BOTH
def test_a_coin_breaks_the_tie_of_winners(variant: str) -> None:
    begun = set()
    for seed in range(20):
        dealer = last_turn(variant, ["13 9", "1 1", "2 0"], (0, 0, 0)).fork(Chance(seed))
        told = act(dealer, "discard")
        begun.add(told[-1].get("seat"))
        assert dealer.state.starter == told[-1].get("seat")
    assert begun == {1, 2}


@BOTH
def test_a_stop_without_the_lowest_hand_costs_five(variant: str) -> None:
    dealer = last_turn(variant, ["1 2", "2 1"], (0, 0), stopper=Seat(0), stop_counter=1)
    told = act(dealer, "discard")
    assert kinds(told) == ["discarded", "exhausted", "round-finished", "stopped-in-vain", "begins"]
    assert dict(dealer.state.points) == {0: 8, 1: 0}


@BOTH
def test_halved_totals_are_told(variant: str) -> None:
    dealer = last_turn(variant, ["1 2", "9 7"], (0, 50))
    told = act(dealer, "discard")
    assert kinds(told) == ["discarded", "exhausted", "round-finished", "halved", "begins"]
    assert dict(dealer.state.totals) == {0: 0, 1: 33}
    assert phase(dealer) == "ROUND_FINISHED"


ENDS = [
    # totals before, hands, places
    ((0, 60), ["1 2", "9 7"], ((0,), (1,))),
    ((60, 20), ["9 7", "1 2"], ((1,), (0,))),
    ((65, 60, 20), ["1 2", "9 7", "9 9"], ((2,), (0,), (1,))),
    ((20, 20, 60), ["1 1", "2 0", "9 9"], ((0, 1), (2,))),
]


@BOTH
@pytest.mark.parametrize(("totals", "hands", "places"), ENDS)
def test_beyond_66_the_game_is_over_and_the_least_total_wins(
    variant: str,
    totals: tuple[int, ...],
    hands: list[str],
    places: tuple[tuple[int, ...], ...],
) -> None:
    dealer = last_turn(variant, hands, totals)
    told = act(dealer, "discard")
    standing = dealer.result()
    assert standing is not None
    assert phase(dealer) == "GAME_FINISHED"
    assert standing.places == places
    assert standing.points == dict(dealer.state.totals)
    assert told[-1].get("seats") == places[0]
    assert "begins" not in kinds(told)


def test_in_v2_everybody_takes_notice_of_the_last_round_before_the_end() -> None:
    dealer = last_turn("v2", ["1 2", "9 7"], (0, 60))
    dealer.begin(Seat(0), acting(dealer, "discard"))
    phases = []
    while dealer.underway:
        phases.append((phase(dealer), type(dealer._effects[0]).__name__))
        dealer.advance()
    assert phases == [
        ("DISCARDING_PLAIN", "Acks"),
        ("ROUND_SCORING", "Show"),
        ("ROUND_FINISHED", "Acks"),
    ]
    assert phase(dealer) == "GAME_FINISHED"


REFUSED = [
    # variant, discards, what is done first, the action refused, and why
    ("v1", "", [], ("replace-card-by-discarded", 0), "no card is discarded"),
    ("v2", "", [], ("take-discarded-card",), "no card is discarded"),
    ("v1", "", [("show-cards", 0, 2)], ("replace-cards-by-discarded",), "no card is discarded"),
    ("v1", "", [], ("show-cards", 0), "two or more"),
    ("v1", "", [], ("show-cards", 2, 0), "in their order"),
    ("v1", "", [], ("show-cards", 0, 0), "in their order"),
]


@pytest.mark.parametrize(("variant", "discards", "first", "bad", "why"), REFUSED)
def test_what_is_not_allowed_is_refused(
    variant: str, discards: str, first: list[Any], bad: tuple[Any, ...], why: str
) -> None:
    dealer = position(variant, HANDS, discards)
    for one in first:
        act(dealer, *one)
    before = dealer.state, dealer.pack
    with pytest.raises(PeerError, match=why):
        act(dealer, *bad)
    assert (dealer.state, dealer.pack) == before


def test_a_round_is_stopped_once() -> None:
    dealer = position("v2", HANDS)
    act(dealer, "stop-round")
    with pytest.raises(PeerError, match="stopped already"):
        act(dealer, "stop-round")


@BOTH
def test_powers_are_for_the_right_cards(variant: str) -> None:
    own, anothers = with_power(variant, "7", THREE), with_power(variant, "9", THREE)
    with pytest.raises(PeerError):
        act(own, "pick-anothers-card", (1, 0))
    with pytest.raises(PeerError):
        act(own, KINDS[variant, "own"], (1, 0))
    with pytest.raises(PeerError):
        act(anothers, KINDS[variant, "anothers"], 0)
    if variant == "v1":
        with pytest.raises(PeerError, match="another power"):
            act(own, "peek-anothers-card", (1, 0))
        with pytest.raises(PeerError, match="another power"):
            act(own, "exchange-cards", 0, (1, 0))
        with pytest.raises(PeerError, match="another power"):
            act(anothers, "peek-own-card", 0)


@BOTH
def test_only_the_taken_card_is_discarded(variant: str) -> None:
    dealer = position(variant, HANDS)
    act(dealer, "take-card-from-deck")
    with pytest.raises(PeerError, match="taken from the deck is discarded"):
        dealer.act(Seat(0), action("discard", card=(slot_at(dealer, 0, 0),)))
