"""What is written about Macaua agrees with what it does."""

from __future__ import annotations

import pytest

from nodealer.games.api import Event, event
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.legality import Settings
from nodealer.games.macaua.sentences import _SENTENCES
from nodealer.games.macaua.state import (
    ACTIONS_BY_PHASE,
    Phase,
    State,
    turn_after,
)
from nodealer.games.registry import resolve
from nodealer.games.transitions import Transition
from nodealer.kernel import Bug, Seat
from tests.games.diagrams import page_of
from tests.support.diagrams import mermaid

NAMES = {Seat(0): "Ana", Seat(1): "Ben", Seat(2): "Cleo"}


def test_a_diagram_has_one_arrow_for_each_pair() -> None:
    rows = [
        Transition(None, "setup", "a"),
        Transition("a", "go", "b"),
        Transition("a", "run", "b"),
        Transition("b", "end", "at-rest"),
    ]
    assert mermaid(rows, ["at-rest"]).splitlines() == [
        "stateDiagram-v2",
        '    state "at-rest" as at_rest',
        "    [*] --> a: setup",
        "    a --> b: go, run",
        "    b --> at_rest: end",
        "    at_rest --> [*]",
    ]


def test_a_way_that_the_table_does_not_know_is_a_bug() -> None:
    state = State(Phase.TURN, (Seat(0), Seat(1)), Settings.of(resolve(MACAUA, 2, {})))
    assert state.moved("draw", Phase.DRAW).phase is Phase.DRAW
    with pytest.raises(Bug):
        state.moved("draw", Phase.OVER)


def test_a_turn_that_nobody_can_have_is_a_bug() -> None:
    with pytest.raises(Bug):
        turn_after(Seat(0), (Seat(0), Seat(1)), (), {})


def test_the_spec_names_all_actions_events_phases_and_facts() -> None:
    text = page_of("macaua").read_text()
    named = [kind.kind for kind in MACAUA.actions]
    named += [field for kind in MACAUA.actions for field in kind.fields]
    named += [*_SENTENCES, *(phase.value for phase in Phase)]
    assert not [word for word in named if f"`{word}`" not in text]


def test_every_phase_with_a_turn_has_actions() -> None:
    kinds = {kind for kinds in ACTIONS_BY_PHASE.values() for kind in kinds}
    assert kinds == {kind.kind for kind in MACAUA.actions}


def played(*cards: str, suit: str | None = None, macaua: bool = False, stopped: int = 0) -> Event:
    """Return the event of a play by Ana."""
    said = {"suit": suit, "macaua": macaua, "stopped": stopped}
    return event("played", seat=0, cards=cards, slots=tuple(range(len(cards))), **said)


SENTENCES = [
    (
        event("dealt", seat=1, top="10S"),
        "The cards are dealt, the 10 of spades lies on top. Ben has the turn.",
    ),
    (
        played("QH", "QC", macaua=True),
        'Ana plays the queen of hearts and queen of clubs, saying "macaua".',
    ),
    (played("7H", stopped=5), "Ana plays the 7 of hearts, which stops the challenge of 5 cards."),
    (played("AH", suit="S"), "Ana plays the ace of hearts and asks for spades."),
    (played("red-joker"), "Ana plays the red joker."),
    (event("drew", seat=0, count=1, why="turn"), "Ana draws 1 card."),
    (
        event("drew", seat=0, count=4, why="challenge"),
        "Ana takes the challenge and draws 4 cards.",
    ),
    (
        event("drew", seat=0, count=5, why="call"),
        'Ana has forgotten to say "macaua" and draws 5 cards.',
    ),
    (event("challenged", seat=1, by=0, cards=2, turns=0), "Ana challenges Ben to draw 2 cards."),
    (event("challenged", seat=1, by=0, cards=0, turns=1), "Ana makes Ben miss 1 turn."),
    (event("skipped", seat=1, turns=3), "Ben will miss 3 turns."),
    (event("missed", seat=1), "Ben misses a turn."),
    (event("lapsed", seat=0), "Nobody is there to answer Ana."),
    (event("passed", seat=0), "Ana passes: there is nothing left to draw."),
    (event("stuck"), "Everybody has passed, and the game ends."),
    (event("reshuffled", count=12), "12 discards went back into the stock, shuffled."),
    (event("left", seats=(0,)), "Ana has left the game."),
    (event("left", seats=(0, 1, 2)), "Ana, Ben and Cleo have left the game."),
    (
        event("redealt"),
        "All cards but the discards are shuffled and dealt again; every hand keeps its size.",
    ),
    (event("voided"), "The game begins anew."),
    (event("won", seats=(2,), cards=0), "Cleo wins."),
]


@pytest.mark.parametrize(("happened", "text"), SENTENCES)
def test_what_is_said(happened: Event, text: str) -> None:
    assert MACAUA.sentence(happened, NAMES) == text


def test_everything_is_said() -> None:
    assert {happened.kind for happened, _ in SENTENCES} == set(_SENTENCES)
