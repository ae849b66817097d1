"""The sensible bot of Papas wins against chance, says no where it should, and gets on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nodealer.bots import Bot, ChanceBot, contest
from nodealer.cards import hand
from nodealer.games.api import Action, action
from nodealer.games.papas import PAPAS
from nodealer.games.papas.bot import SENSIBLE_BOT
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.papas.positions import (
    Dealer,
    answer,
    end,
    faces,
    play,
    position,
    slots_of,
    trio,
)


def chosen(dealer: Dealer, seat: int = 0) -> Action:
    """Return what the bot does."""
    one = Seat(seat)
    return SENSIBLE_BOT.choose(dealer.view(one), dealer.legal(one), Chance(1))


def card_of(dealer: Dealer, one: Action) -> list[str]:
    """Return the cards that an action names, or its kind if it names none."""
    slots = one.slots("card") or one.slots("cards")
    return [dealer.pack.faces[slot] for slot in slots] or [one.kind]


def test_it_wins_against_many() -> None:
    bots: list[Bot] = [SENSIBLE_BOT, *[ChanceBot()] * 3]
    score = contest(PAPAS, bots, resolve(PAPAS, 4, {}), 8, "many")
    assert score.percent(0) >= 40


def test_games_of_bots_alone_end_with_all_options() -> None:
    for options in ({"interrupt_chain": True}, {"one_card": "turn-start"}, {"max_turns": 20}):
        bots = [SENSIBLE_BOT] * 3
        assert sum(contest(PAPAS, bots, resolve(PAPAS, 3, options), 2, "ends").wins) == 2


TURNS = [
    # hands of three seats, golden potatoes, what a sensible first seat does
    (["du du du po", "du", "fr"], [0, 0, 0], "du du du"),
    (["po po po po harry", "du", "fr"], [0, 0, 0], "po po po"),
    (["fr wi wi du", "du", "fr"], [0, 0, 0], "fr wi wi"),
    (["po po wi du du", "du", "fr"], [0, 0, 0], "du du wi"),
    (["year buck", "du", "fr"], [0, 0, 0], "year"),
    (["harry buck", "du", "fr"], [0, 0, 0], "buck"),
    (["pony harry", "du", "fr"], [0, 2, 0], "pony"),
    (["pony harry", "du", "fr"], [0, 0, 0], "harry"),
    (["pony year", "du", "fr"], [7, 1, 0], "pony year"),
]


@pytest.mark.parametrize(("hands", "golden", "words"), TURNS)
def test_what_is_played(hands: Sequence[str], golden: Sequence[int], words: str) -> None:
    dealer = position(hands, golden=list(golden))
    assert set(card_of(dealer, chosen(dealer))) <= set(faces(words))


def test_a_turn_ends_where_nothing_would_do_anything() -> None:
    dealer = position(["pony ahead no te", "du", "fr"])
    assert chosen(dealer) == action("end-turn")
    dealer = position(["no", "du", "fr"])
    assert chosen(dealer).kind == "discard-and-draw"


def test_it_aims_at_who_has_most() -> None:
    dealer = position(["pony buck po", "du du", "fr fr fr"], golden=[0, 3, 1])
    play(dealer, "pony")
    assert chosen(dealer).get("seats") == (1,)
    dealer = position(["pony buck po", "du du", "fr fr fr"], golden=[0, 3, 1])
    play(dealer, "buck")
    assert chosen(dealer).get("seats") == (2,)


def test_it_exchanges_a_small_hand_for_a_large_one_or_takes_the_leaders() -> None:
    dealer = position(["spider po", "du du", "fr fr fr"])
    play(dealer, "spider")
    assert chosen(dealer).get("seats") == (0, 2)
    dealer = position(["spider po po po po po po", "du du du du du", "fr"], golden=[0, 3, 0])
    assert card_of(dealer, chosen(dealer))[0] != "end-turn"
    play(dealer, "spider")
    assert chosen(dealer).get("seats") == (1, 2)


def test_of_a_hand_that_it_sees_it_takes_the_best() -> None:
    dealer = position(["dawan po", "du run year harry", "fr"])
    play(dealer, "dawan", [1])
    answer(dealer)
    assert card_of(dealer, chosen(dealer)) == ["potato-of-the-year"]


def test_it_asks_for_a_card_that_is_good_and_likely_there() -> None:
    dealer = position(["pope po", "du du", "fr"])
    play(dealer, "pope", [1])
    answer(dealer)
    assert chosen(dealer).get("name") == "potato"


def test_it_discards_what_it_needs_least() -> None:
    dealer = position(["po po po du du du wi run", "du", "fr"])
    end(dealer)
    hand_before = dealer.board.at(hand(Seat(0)))
    assert len(hand_before) == 9
    assert card_of(dealer, chosen(dealer))[0] not in faces("po du wi")


ANSWERS = [
    # what is played and at whom, the hand of the seat that is asked, golden potatoes, what it says
    ("year", [], "no te du", [0, 0, 0], "skip-reaction"),
    ("year", [], "no te du", [7, 0, 0], "no-poh"),
    ("year", [], "te du", [7, 0, 0], "te-dije-que-no-poh"),
    ("pony", [1], "no te du", [0, 1, 0], "no-poh"),
    ("pony", [1], "no te du", [0, 0, 0], "skip-reaction"),
    ("pony", [2], "no te du", [0, 1, 1], "skip-reaction"),
    ("pony", [2], "no te du", [7, 1, 1], "no-poh"),
    ("ahead", [1], "te du", [0, 1, 0], "skip-reaction"),
    ("dawan", [1], "no du", [0, 0, 0], "no-poh"),
    ("buck", [1], "no du", [0, 0, 0], "skip-reaction"),
    ("buck", [1], "no no du", [0, 0, 0], "no-poh"),
    ("papa", [], "no no du", [0, 0, 0], "no-poh"),
    ("destiny", [1], "no du", [0, 0, 0], "skip-reaction"),
    ("destiny", [1], "no du du du", [0, 0, 0], "no-poh"),
    ("spider", [1, 2], "no du du", [0, 0, 0], "no-poh"),
    ("harry", [], "no no du", [0, 0, 0], "skip-reaction"),
    ("harry", [], "no no no du", [0, 0, 0], "no-poh"),
]


@pytest.mark.parametrize(("word", "at", "held", "golden", "says"), ANSWERS)
def test_what_it_says(
    word: str, at: Sequence[int], held: str, golden: Sequence[int], says: str
) -> None:
    dealer = position([f"{word} po", held, "fr"], golden=list(golden))
    play(dealer, word, at)
    assert chosen(dealer, 1).kind == says


@pytest.mark.parametrize(
    ("words", "golden", "says"),
    [
        ("po po po", [0, 0, 0], "skip-reaction"),
        ("po po po", [7, 0, 0], "te-dije-que-no-poh"),
        ("du du du", [0, 0, 0], "te-dije-que-no-poh"),
    ],
)
def test_it_spares_its_strongest_no_for_trios_that_pay(
    words: str, golden: Sequence[int], says: str
) -> None:
    dealer = position([f"{words} po", "no te du", "fr"], golden=list(golden))
    trio(dealer, words)
    assert chosen(dealer, 1).kind == says


def test_in_a_chain_it_defends_its_own_play_and_lets_others_be_cancelled() -> None:
    dealer = position(["year no po", "no du", "no du"], options={"interrupt_chain": True})
    play(dealer, "year")
    answer(dealer, s1="no")
    assert chosen(dealer, 0).kind == "no-poh"
    assert chosen(dealer, 2).kind == "skip-reaction"
    answer(dealer, s0="no")
    assert chosen(dealer, 2).kind == "skip-reaction"


def test_what_it_says_is_a_card_that_it_has() -> None:
    dealer = position(["year po", "du no te", "fr"], golden=[7, 0, 0])
    play(dealer, "year")
    said = chosen(dealer, 1)
    assert said.slots("card") == slots_of(dealer, 1, "no")
