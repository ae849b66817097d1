"""Macaua, rule by rule, in positions that are made for it."""

from __future__ import annotations

import pytest

from nodealer.cards import DISCARD, STOCK
from nodealer.games.api import Over, Turn, action
from nodealer.games.dealer import deal
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.cards import DECK
from nodealer.games.registry import resolve
from nodealer.kernel import PeerError, Seat
from nodealer.kernel.chance import Chance
from tests.games.positions import act, faces, kinds, on_turn, play, playing, position, sizes, top

NOT_AFFECTED = "9C 8C"
"""The hand of a seat that only has to be there."""

LEGALITY = [
    # top, declared suit, challenge, options, cards, whether they may be played
    ("7H", None, 0, (), "QH", True),
    ("7H", None, 0, (), "7C", True),
    ("7H", None, 0, (), "QC", False),
    ("7H", None, 0, (), "AC", True),
    ("7H", None, 0, (), "red-joker", True),
    ("7H", None, 0, (), "2H", True),
    ("7H", None, 0, (), "2C", False),
    ("7H", None, 0, (), "4H", True),
    ("7H", None, 0, (), "QC QH", True),
    ("7H", None, 0, (), "QH QC", True),
    ("7H", None, 0, (), "QC QD", False),
    ("7H", None, 0, (), "QH KH", False),
    ("7H", None, 0, (), "QH AC", False),
    ("7H", None, 0, (), "red-joker black-joker", True),
    ("7H", None, 0, (), "red-joker QH", False),
    ("black-joker", None, 0, (), "QC", True),
    ("black-joker", None, 0, (), "3C", True),
    # The start card: an ace for which nobody has declared a suit.
    ("AH", None, 0, (), "QC", True),
    ("AH", "S", 0, (), "QS", True),
    ("AH", "S", 0, (), "QH", False),
    ("AH", "S", 0, (), "AC", True),
    ("AH", "S", 0, (), "black-joker", True),
    ("AH", "S", 0, (), "2S 2H", True),
    # A challenge that was taken, or a start card: nothing lies on the turn.
    ("2H", None, 0, (), "QH", True),
    ("2H", None, 0, (), "3C", False),
    ("2H", None, 2, (), "2C", True),
    ("2H", None, 2, (), "3H", True),
    ("2H", None, 2, (), "3C", False),
    ("2H", None, 2, (), "3C 3H", True),
    ("2H", None, 2, (), "QH", False),
    ("2H", None, 2, (), "AH", False),
    ("2H", None, 2, (), "4H", False),
    ("2H", None, 2, (), "7H", False),
    ("2H", None, 2, (), "red-joker", True),
    ("red-joker", None, 5, (), "2C", True),
    ("red-joker", None, 5, (), "3D", True),
    ("red-joker", None, 5, (), "KD", False),
    ("2H", None, 2, ("free_counter",), "3C", True),
    ("2H", None, 2, ("free_counter",), "QH", False),
    ("7H", None, 0, ("free_counter",), "3C", False),
    ("2H", None, 2, ("seven_stops",), "7H", True),
    ("2H", None, 2, ("seven_stops",), "7C", False),
    ("2H", None, 2, ("seven_stops",), "7C 7H", True),
    ("red-joker", None, 5, ("seven_stops",), "7C", True),
    ("2H", None, 2, ("seven_stops", "free_counter"), "7C", False),
    ("2H", None, 2, ("four_skips",), "4H", False),
]


@pytest.mark.parametrize(("up", "suit", "challenge", "options", "cards", "is_legal"), LEGALITY)
def test_which_cards_may_be_played(
    up: str, suit: str | None, challenge: int, options: tuple[str, ...], cards: str, is_legal: bool
) -> None:
    dealer = position(
        [f"{cards} KS", NOT_AFFECTED], up, "6C", options, suit=suit, challenge=challenge
    )
    chosen = playing(dealer, cards, "C" if cards.startswith("A") else None)
    assert (chosen in dealer.legal(Seat(0))) == is_legal
    if is_legal:
        act(dealer, chosen)
        assert top(dealer) == cards.rsplit(maxsplit=1)[-1]
    else:
        with pytest.raises(PeerError):
            act(dealer, chosen)


CHALLENGES = [
    # top, challenge before, cards, options, challenge after
    ("7H", 0, "2H", (), 2),
    ("7H", 0, "3H", (), 3),
    ("7H", 0, "black-joker", (), 5),
    ("7H", 0, "red-joker", (), 5),
    ("7H", 0, "red-joker", ("red_joker_ten",), 10),
    ("7H", 0, "red-joker black-joker", ("red_joker_ten",), 15),
    ("7H", 0, "2C 2H", (), 4),
    ("7H", 0, "4H", (), 0),
    ("2C", 2, "2H", (), 4),
    ("2C", 4, "3C 3D", (), 10),
    ("2C", 2, "black-joker", (), 7),
    ("2C", 6, "7C", ("seven_stops",), 0),
]


@pytest.mark.parametrize(("up", "before", "cards", "options", "after"), CHALLENGES)
def test_challenges_add_up(
    up: str, before: int, cards: str, options: tuple[str, ...], after: int
) -> None:
    dealer = position([f"{cards} KS KC", NOT_AFFECTED], up, "6C", options, challenge=before)
    play(dealer, cards)
    assert dealer.state.challenge == after
    assert dealer.state.challenger == (0 if after else None)
    assert dealer.game.duty(dealer.state) == Turn(
        Seat(1), ("play", "take") if after else ("play", "draw", "pass")
    )


def test_five_cards_each_and_an_open_start_card() -> None:
    dealer = deal(MACAUA, [Seat(n) for n in range(10)], resolve(MACAUA, 10, {}), Chance(1))
    assert sizes(dealer) == [5] * 10
    assert sorted(dealer.pack.faces.values()) == sorted(DECK.faces)
    assert len(DECK.faces) == len(set(DECK.faces)) == 54
    assert list(dealer.board.faces.values()) == [top(dealer)]
    assert len(dealer.board.at(STOCK)) == 3


def test_the_coin_chooses_who_begins_and_every_seat_can_be_chosen() -> None:
    options = resolve(MACAUA, 3, {})
    begun = {
        on_turn(deal(MACAUA, [Seat(0), Seat(1), Seat(2)], options, Chance(n))) for n in range(30)
    }
    assert begun == {0, 1, 2}


def test_the_first_seat_begins_if_so_agreed() -> None:
    options = resolve(MACAUA, 3, {"first": "host"})
    begun = {
        on_turn(deal(MACAUA, [Seat(0), Seat(1), Seat(2)], options, Chance(n))) for n in range(9)
    }
    assert begun == {0}


@pytest.mark.parametrize("up", ["2H", "3H", "4H", "black-joker", "7H"])
def test_a_start_card_does_nothing(up: str) -> None:
    dealer = position(["5H 9H", NOT_AFFECTED], up, options=("four_skips", "seven_stops"))
    assert dealer.game.duty(dealer.state) == Turn(Seat(0), ("play", "draw", "pass"))
    play(dealer, "5H")
    assert on_turn(dealer) == 1


def test_drawing_is_allowed_even_if_a_card_could_be_played_and_ends_the_turn() -> None:
    dealer = position(["5H 9H", NOT_AFFECTED], "7H", "6C 6D")
    events = act(dealer, "draw")
    assert (faces(dealer, 0), on_turn(dealer), kinds(events)) == ("5H 9H 6C", 1, ["drew"])


def test_the_drawn_card_is_seen_by_its_drawer_alone() -> None:
    dealer = position(["5H 9H", NOT_AFFECTED, NOT_AFFECTED], "7H", "6C 6D")
    act(dealer, "draw")
    seen = [
        dealer.view(viewer).zone("hand", Seat(0))[-1].face for viewer in (Seat(0), Seat(1), None)
    ]
    assert seen == ["6C", None, None]


def test_the_last_of_several_cards_is_the_new_top_card() -> None:
    dealer = position(["QH QC QS 9H", NOT_AFFECTED], "7H")
    play(dealer, "QC QH QS")
    assert top(dealer) == "QS"
    assert sizes(dealer) == [1, 2]


def test_an_ace_declares_a_suit_which_the_next_card_clears() -> None:
    dealer = position(["AH 9H", "QS 9C"], "7C")
    events = play(dealer, "AH", "S")
    assert dealer.state.suit == "S"
    assert (
        MACAUA.sentence(events[0], {Seat(0): "Ana"})
        == "Ana plays the ace of hearts and asks for spades."
    )
    play(dealer, "QS")
    assert dealer.state.suit is None


def test_a_draw_keeps_the_declared_suit() -> None:
    dealer = position(["9H", "QS 9C"], "AC", suit="S")
    act(dealer, "draw")
    assert dealer.state.suit == "S"


DECLARATIONS = [
    # hand, cards, suit, whether that is accepted
    ("AH 9H", "AH", "H", True),
    ("AH 9H", "AH", None, False),
    ("AH 9H", "AH", "X", False),
    ("AH AS 9H", "AH AS", "C", True),
    ("AH", "AH", None, True),
    ("AH", "AH", "C", False),
    ("AH AS", "AH AS", None, True),
    ("QH 9H", "QH", "H", False),
]


@pytest.mark.parametrize(("held", "cards", "suit", "is_accepted"), DECLARATIONS)
def test_a_suit_is_declared_with_aces_unless_they_are_the_last_cards(
    held: str, cards: str, suit: str | None, is_accepted: bool
) -> None:
    dealer = position([held, NOT_AFFECTED], "7H")
    if is_accepted:
        play(dealer, cards, suit)
        assert dealer.state.suit == suit
    else:
        with pytest.raises(PeerError):
            play(dealer, cards, suit)


def test_whoever_takes_a_challenge_draws_all_of_it_and_the_turn_is_over() -> None:
    dealer = position(["9H", NOT_AFFECTED], "2H", challenge=5)
    events = act(dealer, "take")
    assert (sizes(dealer), dealer.state.challenge, on_turn(dealer)) == ([6, 2], 0, 1)
    assert dealer.state.challenger is None
    assert events[0].get("why") == "challenge"
    act(dealer, "draw")  # the 2 on top asks for nothing more


def test_a_challenge_travels_and_grows() -> None:
    dealer = position(["2H 9H", "2C 9C", "3C 9S", "9D 8D"], "7H")
    play(dealer, "2H")
    play(dealer, "2C")
    play(dealer, "3C")
    assert (on_turn(dealer), dealer.state.challenge) == (3, 7)
    act(dealer, "take")
    assert sizes(dealer) == [1, 1, 1, 9]


@pytest.mark.parametrize("kind", ["draw", "pass", "miss"])
def test_a_challenged_seat_plays_or_takes(kind: str) -> None:
    dealer = position(["9H", NOT_AFFECTED], "2H", challenge=2)
    with pytest.raises(PeerError):
        act(dealer, kind)


def test_a_penalty_is_capped_by_the_cards_that_there_are() -> None:
    dealer = position(["9H", NOT_AFFECTED], "5D 6D 2H", stock="KC", challenge=9)
    assert dealer.view(Seat(0)).facts["penalty"] == 3
    act(dealer, "take")
    assert (sizes(dealer), dealer.state.challenge) == ([4, 2], 0)


def test_discards_are_shuffled_in_the_middle_of_a_draw() -> None:
    dealer = position(["9H", NOT_AFFECTED], "5D 6D 7D 2H", stock="KC QC", challenge=4)
    before = set(dealer.pack.faces)
    events = act(dealer, "take")
    assert kinds(events) == ["drew", "reshuffled"]
    drawn = faces(dealer, 0).split()
    assert drawn[:3] == ["9H", "KC", "QC"]
    assert set(drawn[3:]) < {"5D", "6D", "7D"}
    assert top(dealer) == "2H"
    assert dealer.board.faces.keys() == set(dealer.board.at(DISCARD))
    assert len(set(dealer.pack.faces) - before) == 3


def test_a_stock_that_suffices_is_not_reshuffled() -> None:
    dealer = position(["9H", NOT_AFFECTED], "5D 6D 7D 2H", stock="KC")
    assert kinds(act(dealer, "draw")) == ["drew"]
    assert kinds(act(dealer, "draw")) == ["drew", "reshuffled"]


def test_passing_is_for_whoever_can_draw_nothing() -> None:
    dealer = position(["9C 5H", "8C 6S"], "7H", stock="")
    assert {chosen.kind for chosen in dealer.legal(Seat(0))} == {"play", "pass"}
    with pytest.raises(PeerError):
        act(dealer, "draw")
    assert kinds(act(dealer, "pass")) == ["passed"]
    dealer = position(["9C 5H", "8C 6S"], "7H", stock="6C")
    with pytest.raises(PeerError):
        act(dealer, "pass")


def test_the_game_ends_when_all_pass_and_the_fewest_cards_win() -> None:
    dealer = position(["9C 8C 10C", "9D 9S", "8D 8S", "6C"], "7H", stock="")
    for _ in range(3):
        act(dealer, "pass")
    assert dealer.result() is None
    assert kinds(act(dealer, "pass")) == ["passed", "stuck", "won"]
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((3,), (1, 2), (0,))


def test_the_first_place_can_be_shared() -> None:
    dealer = position(["9C 8C", "9D 9S"], "7H", stock="")
    act(dealer, "pass")
    events = act(dealer, "pass")
    said = MACAUA.sentence(events[-1], {Seat(0): "Ana", Seat(1): "Ben"})
    assert said == "Ana and Ben share the first place with 2 cards left each."


def test_a_play_or_draw_in_between_lets_the_passing_begin_anew() -> None:
    dealer = position(["9C 8C", "5H 9S", "9D 8D"], "7H", stock="")
    act(dealer, "pass")
    play(dealer, "5H")
    assert dealer.state.passed == ()
    act(dealer, "draw")  # the 7 under it
    assert dealer.state.passed == ()


def test_a_challenge_that_nobody_can_pay_is_a_pass() -> None:
    dealer = position(["9C 8C", "9D 9S"], "2H", stock="", challenge=2)
    assert kinds(act(dealer, "take")) == ["passed"]
    assert dealer.state.passed == (0,)
    assert dealer.state.challenge == 0
    assert kinds(act(dealer, "pass")) == ["passed", "stuck", "won"]


@pytest.mark.parametrize("last", ["QH", "2H", "3H", "AH", "red-joker", "4H", "7C 7S"])
def test_the_first_without_cards_wins_at_once(last: str) -> None:
    dealer = position([last, "9C 8C", "6C"], "7H", options=("four_skips", "call"))
    events = play(dealer, last)
    assert kinds(events) == ["played", "won"]
    assert dealer.game.duty(dealer.state) == Over()
    standing = dealer.result()
    assert standing is not None
    assert standing.places == ((0,), (2,), (1,))
    with pytest.raises(PeerError):
        dealer.act(Seat(1), action("draw"))


def test_a_four_makes_the_next_miss_a_turn() -> None:
    dealer = position(["4H 9H", NOT_AFFECTED, NOT_AFFECTED], "7H", options=("four_skips",))
    play(dealer, "4H")
    assert dealer.game.duty(dealer.state) == Turn(Seat(1), ("play", "miss"))
    assert kinds(act(dealer, "miss")) == ["skipped"]
    assert (on_turn(dealer), dealer.state.misses) == (2, ())


def test_fours_are_added_and_whoever_accepts_misses_all_turns() -> None:
    dealer = position(
        ["4H 9H KC", "4C 4D 9S KD", NOT_AFFECTED, "9D KS KH"], "7H", options=("four_skips",)
    )
    play(dealer, "4H")
    play(dealer, "4C 4D")
    assert (dealer.state.skip, on_turn(dealer)) == (3, 2)
    act(dealer, "miss")
    assert dealer.state.misses == ((2, 2),)
    events = [happened for _ in range(7) for happened in act(dealer, "draw")]
    missed = [happened.get("seat") for happened in events if happened.kind == "missed"]
    assert missed == [2, 2]
    assert MACAUA.facts(dealer.state, dealer.board, None)["misses"] == ()


def test_only_fours_answer_a_skip() -> None:
    dealer = position(
        ["4C 5H AH 2H red-joker", NOT_AFFECTED], "4H", options=("four_skips",), skip=1
    )
    legal = {str(chosen.get("cards")) for chosen in dealer.legal(Seat(0)) if chosen.kind == "play"}
    assert legal == {"(0,)"}
    with pytest.raises(PeerError):
        act(dealer, "draw")


def test_a_four_wins_though_a_skip_was_pending() -> None:
    dealer = position(["4C", NOT_AFFECTED], "4H", options=("four_skips",), skip=1)
    assert kinds(play(dealer, "4C")) == ["played", "won"]


def test_a_challenge_passes_over_whoever_misses_turns() -> None:
    dealer = position(
        ["2H 9H", NOT_AFFECTED, NOT_AFFECTED], "7H", misses=((1, 1),), options=("four_skips",)
    )
    assert kinds(play(dealer, "2H")) == ["played", "missed", "challenged"]
    assert (on_turn(dealer), dealer.state.misses, dealer.state.challenge) == (2, (), 2)


@pytest.mark.parametrize("card", ["2H", "4H"])
def test_what_would_come_back_to_its_player_lapses(card: str) -> None:
    dealer = position([f"{card} 9H", NOT_AFFECTED], "7H", misses=((1, 2),), options=("four_skips",))
    assert kinds(play(dealer, card)) == ["played", "missed", "lapsed"]
    assert (on_turn(dealer), dealer.state.misses) == (0, ((1, 1),))
    assert (dealer.state.challenge, dealer.state.skip, dealer.state.challenger) == (0, 0, None)


CALLS = [
    # hand, cards, options, whether "macaua" is said, cards held afterwards or None if refused
    ("QH 9H", "QH", ("call",), True, 1),
    ("QH 9H", "QH", ("call",), False, 6),
    ("QH 9H", "QH", (), False, 1),
    ("QH 9H", "QH", (), True, None),
    ("QH 9H 8H", "QH", ("call",), True, None),
    ("QH 9H 8H", "QH", ("call",), False, 2),
    ("QH QC 8H", "QH QC", ("call",), False, 6),
    ("QH", "QH", ("call",), True, None),
    ("QH", "QH", ("call",), False, 0),
]


@pytest.mark.parametrize(("held", "cards", "options", "is_said", "after"), CALLS)
def test_macaua_is_said_with_the_last_card_but_one(
    held: str, cards: str, options: tuple[str, ...], is_said: bool, after: int | None
) -> None:
    dealer = position([held, NOT_AFFECTED], "7H", options=options)
    if after is None:
        with pytest.raises(PeerError):
            play(dealer, cards, macaua=is_said)
    else:
        play(dealer, cards, macaua=is_said)
        assert sizes(dealer)[0] == after


def test_whoever_forgets_macaua_draws_before_the_challenged_seat() -> None:
    dealer = position(["2H 9H", "9C 8C"], "7H", "5C 5D 5H 5S 6C 6D 6S 6H", options=("call",))
    assert kinds(play(dealer, "2H")) == ["played", "challenged", "drew"]
    assert faces(dealer, 0) == "9H 5C 5D 5H 5S 6C"
    act(dealer, "take")
    assert faces(dealer, 1) == "9C 8C 6D 6S"


def test_a_penalty_for_forgetting_reaches_into_the_discards_just_played() -> None:
    dealer = position(["QH QC 9H", "9C 8C"], "6H 7H", stock="5C", options=("call",))
    play(dealer, "QH QC")
    assert sorted(faces(dealer, 0).split()) == sorted(["9H", "5C", "6H", "7H", "QH"])


def test_whoever_forgets_macaua_draws_at_least_the_card_that_was_covered() -> None:
    dealer = position(["2H 9H", "9C 8C"], "7H", stock="", options=("call",))
    play(dealer, "2H")
    assert sorted(faces(dealer, 0).split()) == ["7H", "9H"]
