"""What is written about 6 nimmt! agrees with what it does."""

from __future__ import annotations

import re

import pytest

from nodealer.games.api import Event, event
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.sentences import _SENTENCES
from nodealer.games.take5.state import Phase
from nodealer.kernel import Seat
from tests.games.diagrams import page_of
from tests.games.take5.positions import begun

NAMES = {Seat(0): "Ana", Seat(1): "Ben", Seat(2): "Cleo"}


def test_the_spec_gives_the_ranges_of_numbers() -> None:
    text = page_of("take5").read_text()
    for option in TAKE5.options:
        if isinstance(option.default, int):
            assert f"| `{option.name}` | {option.minimum} to {option.maximum} |" in text


def test_the_page_gives_the_defaults() -> None:
    page = TAKE5.rules()
    for option in TAKE5.options:
        (row,) = re.findall(rf"^\| `{option.name}` \| (.*) \|$", page, re.MULTILINE)
        assert str(option.default) in row


def test_the_spec_names_all_actions_events_phases_zones_and_facts() -> None:
    text = page_of("take5").read_text()
    dealer = begun()
    named = [kind.kind for kind in TAKE5.actions]
    named += [field for kind in TAKE5.actions for field in kind.fields]
    named += [*_SENTENCES, *(phase.value for phase in Phase), *dealer.view().facts]
    named += [zone.name for zone in dealer.view().zones]
    assert not [word for word in named if f"`{word}`" not in text]


SENTENCES = [
    (
        event("dealt", round=2, cards=("1", "22", "33", "104")),
        "Round 2 is dealt; the stacks begin with 1, 22, 33 and 104.",
    ),
    (
        event("played", seats=(1, 0), cards=("7", "55")),
        "All cards are open: 7 of Ben and 55 of Ana.",
    ),
    (event("placed", seat=0, card="55", stack="B"), "The 55 of Ana goes to stack B."),
    (
        event("taken", seat=1, card="7", stack="C", cards=("1", "2", "3"), bulls=3),
        "Ben takes stack C, 1, 2 and 3 with 3 bull heads, and leaves the 7 there.",
    ),
    (
        event("taken", seat=1, card="7", stack="C", cards=("8",), bulls=1),
        "Ben takes stack C, 8 with 1 bull head, and leaves the 7 there.",
    ),
    (
        event("below", seat=0, card="3"),
        "The 3 of Ana is lower than all stacks: Ana has to take one of them.",
    ),
    (
        event("dropped", seat=0, card="3"),
        "The 3 of Ana is lower than all stacks, and is taken out of the game.",
    ),
    (
        event("standings", round=1, seats=(0, 1, 2), scores=(0, 12, 7), left=(1,)),
        "Bull heads after round 1: Ana 0, Ben 12 (has left), Cleo 7.",
    ),
    (
        event("tied", seats=(0, 2)),
        "Ana and Cleo have the fewest alike, so another round is played.",
    ),
    (event("left", seats=(0,)), "Ana has left the game."),
    (event("left", seats=(0, 1, 2)), "Ana, Ben and Cleo have left the game."),
    (event("voided"), "The round does not count and is dealt again."),
    (event("won", seats=(2,), score=1), "Cleo wins with 1 bull head."),
    (
        event("won", seats=(0, 2), score=0),
        "Ana and Cleo share the first place with 0 bull heads each.",
    ),
]


@pytest.mark.parametrize(("happened", "text"), SENTENCES)
def test_what_is_said(happened: Event, text: str) -> None:
    assert TAKE5.sentence(happened, NAMES) == text


def test_everything_is_said() -> None:
    assert {happened.kind for happened, _ in SENTENCES} == set(_SENTENCES)
