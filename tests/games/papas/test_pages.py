"""What is written about Papas agrees with what it does."""

from __future__ import annotations

import re

import pytest

from nodealer.games.api import Event, event
from nodealer.games.papas import PAPAS
from nodealer.games.papas.cards import CARDS
from nodealer.games.papas.sentences import _SENTENCES
from nodealer.games.papas.state import Phase
from nodealer.kernel import Seat
from tests.games.diagrams import page_of
from tests.games.papas.positions import begun

NAMES = {Seat(0): "Ana", Seat(1): "Ben", Seat(2): "Cleo"}


def test_the_spec_gives_the_ranges_of_numbers() -> None:
    text = page_of("papas").read_text()
    for option in PAPAS.options:
        if type(option.default) is int:
            assert f"| `{option.name}` | {option.minimum} to {option.maximum} |" in text


def test_the_page_gives_the_defaults() -> None:
    page = PAPAS.rules()
    for option in PAPAS.options:
        (row,) = re.findall(rf"^\| `{option.name}` \| (.*) \|$", page, re.MULTILINE)
        shown = {False: "not", True: "yes"}.get(option.default, str(option.default))  # type: ignore[arg-type]
        assert shown in row


def test_the_spec_names_all_actions_events_phases_zones_and_facts() -> None:
    text = page_of("papas").read_text()
    dealer = begun()
    named = [kind.kind for kind in PAPAS.actions]
    named += [field for kind in PAPAS.actions for field in kind.fields]
    named += [*_SENTENCES, *dealer.view().facts, *CARDS]
    named += [zone.name for zone in dealer.view().zones]
    assert not [word for word in named if f"`{word}`" not in text]
    assert not [phase.value for phase in Phase if phase.value not in text]


@pytest.mark.parametrize("face", CARDS)
def test_both_pages_say_what_a_card_is(face: str) -> None:
    card = CARDS[face]
    told = PAPAS.rules()
    (row,) = re.findall(rf"^\| {re.escape(card.name)} \| (.*) \|$", told, re.MULTILINE)
    copies, value, alarm, *_ = (cell.strip() for cell in row.split("|"))
    assert (int(copies), int(value), alarm == "yes") == (card.copies, card.value, card.is_alarm)
    (row,) = re.findall(rf"^\| `{face}` \| (\d.*) \|$", page_of("papas").read_text(), re.MULTILINE)
    copies, value, alarm, aimed = (cell.strip() for cell in row.split("|"))
    assert (int(copies), int(value), alarm == "yes") == (card.copies, card.value, card.is_alarm)
    assert {"–": 0, "1 other": 1, "any 2": 2}[aimed] == card.targets


SENTENCES = [
    (event("dealt", seat=0, hands=()), "The cards are dealt. Ana has the turn."),
    (event("turn", seat=1, number=7), "Turn 7 is that of Ben."),
    (event("played", seat=0, cards=("harry-potato",), slots=(1,)), "Ana plays Harry Potato."),
    (
        event("played", seat=0, cards=("potato", "potato", "wildcard"), slots=(1, 2, 3)),
        "Ana plays Potato, Potato and Wildcard.",
    ),
    (
        event("aimed", seat=0, seats=(1, 2), card="spider-potato"),
        "Ana aims Spider potato at Ben and Cleo.",
    ),
    (event("interrupted", seats=(1,), cards=("no-poh",), slots=(1,)), "Ben says No poh."),
    (
        event("interrupted", seats=(1, 0), cards=("te-dije-que-no-poh", "no-poh"), slots=(1, 2)),
        "Ben says Te dije que no poh, and that counts; Ana says No poh in vain.",
    ),
    (event("cancelled", seat=0, cards=("harry-potato",)), "Harry Potato of Ana is cancelled."),
    (
        event("paid", seat=0, cards=("potato",) * 3, golden=1),
        "Ana gets 1 golden potato for the trio.",
    ),
    (
        event("paid", seat=0, cards=("french-fries",) * 3, golden=3),
        "Ana gets 3 golden potatoes for the trio.",
    ),
    (event("carried-out", seat=0, card="harry-potato"), "Harry Potato of Ana is done."),
    (
        event("turned", seat=0, direction=1),
        "Ana turns the direction: it goes forwards now.",
    ),
    (
        event("turned", seat=0, direction=-1),
        "Ana turns the direction: it goes backwards now.",
    ),
    (
        event("restacked", seats=(1,), card="lend-me-a-buck", seen=(), slots=()),
        "Ben shuffles the hand.",
    ),
    (
        event("restacked", seats=(1, 2), card="runaway-potatoes", seen=(), slots=()),
        "Ben and Cleo shuffle their hands.",
    ),
    (event("looked", seat=0, target=1), "Ana looks into the hand of Ben."),
    (
        event("selected", seat=0, target=1, position=2, slots=(5,)),
        "Ana takes the card of Ben at position 3.",
    ),
    (event("named", seat=0, target=1, card="wildcard"), "Ana asks Ben for Wildcard."),
    (event("claimed", seat=1, card="wildcard", slots=(4,)), "Ben has Wildcard."),
    (event("claimed", seat=1, card="wildcard", slots=()), "Ben proves to have no Wildcard."),
    (
        event("given", seat=0, giver=1, card="pope-potato", slots=(9,)),
        "Ana gets the card of Ben.",
    ),
    (
        event("exchanged", seat=0, seats=(1, 2), received=((), ())),
        "By the play of Ana, Ben and Cleo exchange their hands.",
    ),
    (
        event("ran-away", seats=(1, 2), slots=(4, 5), coin=3),
        "A card of Ben and Cleo each runs away.",
    ),
    (event("ran-away", seats=(1,), slots=(4,), coin=0), "A card of Ben runs away."),
    (event("mixed", count=40), "The stock, 40 cards now, is shuffled."),
    (
        event("hand-discarded", seat=1, cards=("potato", "wildcard"), slots=(1, 2)),
        "Ben discards the whole hand: Potato and Wildcard.",
    ),
    (event("nothing", seat=1), "Ben has no cards, so nothing is taken."),
    (event("robbed", seat=0, target=1, golden=1), "Ana takes a golden potato from Ben."),
    (
        event("robbed", seat=0, target=1, golden=0),
        "Ben has no golden potato that Ana could take.",
    ),
    (event("destroyed", seat=0, target=1, golden=1), "Ana destroys a golden potato of Ben."),
    (
        event("destroyed", seat=0, target=1, golden=0),
        "Ben has no golden potato that Ana could destroy.",
    ),
    (event("gained", seat=0, golden=1), "Ana gets 1 golden potato."),
    (event("marked", seat=1), "Ben will be skipped."),
    (event("skipped", seat=1), "Ben is skipped."),
    (event("empty", seat=0), "Ana has no cards left: the turn ends with new ones."),
    (event("drew", seat=0, slots=(1,)), "Ana draws 1 card."),
    (event("drew", seat=0, slots=(1, 2)), "Ana draws 2 cards."),
    (event("reshuffled", count=1), "1 discard went back into the stock, shuffled."),
    (
        event("changed", seat=0, card="no-poh", slots=(3,)),
        "Ana discards the last card, No poh, for new ones.",
    ),
    (event("surplus", seat=0, count=2), "Ana has 2 cards too many."),
    (event("discarded", seat=0, card="no-poh", slots=(3,), owed=1), "Ana discards No poh."),
    (event("left", seats=(0,)), "Ana has left the game."),
    (
        event("redealt"),
        "All cards but the discards are shuffled and dealt again; every hand keeps its size.",
    ),
    (event("voided"), "The game begins anew."),
    (event("won", seats=(2,), golden=8, why="threshold"), "Cleo wins with 8 golden potatoes."),
    (
        event("won", seats=(0, 2), golden=1, why="turns"),
        "Ana and Cleo share the first place with 1 golden potato each.",
    ),
]


@pytest.mark.parametrize(("happened", "text"), SENTENCES)
def test_what_is_said(happened: Event, text: str) -> None:
    assert PAPAS.sentence(happened, NAMES) == text


def test_everything_is_said() -> None:
    assert {happened.kind for happened, _ in SENTENCES} == set(_SENTENCES)
