"""What is written about 66 agrees with what it does."""

from __future__ import annotations

import re

import pytest

from nodealer.games.api import Event, event
from nodealer.games.registry import game
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.sentences import _SENTENCES
from nodealer.games.sixty_six.state import NAMES as VARIANTS
from nodealer.games.sixty_six.state import TRANSITIONS, Phase
from nodealer.games.sixty_six.turns import DOINGS
from nodealer.kernel import Bug, Seat
from tests.games.diagrams import page_of
from tests.games.sixty_six.positions import position

NAMES = {Seat(0): "Ana", Seat(1): "Ben", Seat(2): "Cleo"}


def test_it_is_found_by_its_id() -> None:
    assert game("66") is SIXTY_SIX


def test_a_way_that_the_table_does_not_know_is_a_bug() -> None:
    state = position("v1", ["1 2", "3 4"]).state
    assert state.moved("stop-round", Phase.ROUND_STOPPING).phase is Phase.ROUND_STOPPING
    with pytest.raises(Bug, match="no transition"):
        state.moved("take-discarded-card", Phase.DISCARDED_CARD_TAKEN)


def test_every_state_of_a_table_is_of_a_variant() -> None:
    reached = {row.target for rows in TRANSITIONS.values() for row in rows}
    assert reached == {phase.value for phase in Phase}
    for variant, names in VARIANTS.items():
        own = {row.target for row in TRANSITIONS[variant]}
        named = {*names.replacing.values(), *names.discarding.values()}
        named |= {names.peeking_own, names.peeking_anothers, names.exchanging}
        assert {phase.value for phase in named} <= own
        assert {phase.value for phase in DOINGS[variant]} <= own


def test_every_kind_of_action_can_be_done_somewhere() -> None:
    kinds = {kind for phases in DOINGS.values() for kinds in phases.values() for kind in kinds}
    assert kinds == {kind.kind for kind in SIXTY_SIX.actions}


def test_the_spec_names_all_actions_events_phases_and_facts() -> None:
    text = page_of("66").read_text()
    named = [kind.kind for kind in SIXTY_SIX.actions]
    named += [field for kind in SIXTY_SIX.actions for field in kind.fields]
    named += [*_SENTENCES, *(phase.value for phase in Phase)]
    named += position("v1", ["1 2", "3 4"]).view().facts
    assert not [word for word in named if f"`{word}`" not in text]


def test_the_spec_names_the_phases_of_every_action() -> None:
    rows = dict(
        re.findall(r"^\| `([a-z-]+)` \| (.*?) \| .*\|$", page_of("66").read_text(), re.MULTILINE)
    )
    for phases in DOINGS.values():
        for phase, kinds in phases.items():
            assert not [kind for kind in kinds if f"`{phase.value}`" not in rows[kind]]


POINTS = ((0, 0), (1, 12))

SENTENCES = [
    (event("dealt", round=2, seat=1), "Round 2 is dealt. Ben begins."),
    (event("took", seat=0, source="deck"), "Ana takes a card from the deck."),
    (event("took", seat=0, source="discard"), "Ana takes the discarded card."),
    (event("discarded", seat=0, face="7"), "Ana discards 7."),
    (
        event("replaced", seat=0, places=(2,), source="deck", face="9"),
        "Ana replaces card 3 by a card from the deck and discards 9.",
    ),
    (
        event("replaced", seat=0, places=(0, 1, 3), source="discard", face="9"),
        "Ana replaces cards 1, 2 and 4 by the discarded card and discards 9.",
    ),
    (event("claimed", seat=0, places=(0, 3)), "Ana shows cards 1 and 4 to all others, as alike."),
    (event("compared", seat=0, places=(0, 3), equal=True), "Cards 1 and 4 of Ana are alike."),
    (
        event("compared", seat=0, places=(0, 3), equal=False),
        "Cards 1 and 4 of Ana are not all alike.",
    ),
    (event("peeked", seat=0, owner=0, place=3), "Ana looks at card 4 of the own hand."),
    (event("peeked", seat=0, owner=1, place=0), "Ana looks at card 1 of Ben."),
    (
        event("exchanged", seat=0, place=0, other=1, other_place=2),
        "Ana exchanges card 1 for card 3 of Ben.",
    ),
    (event("stopped", seat=0), "Ana stops the round: all others have one more turn."),
    (event("exhausted"), "The deck is empty, and the round ends."),
    (
        event(
            "round-finished", round=1, turns=4, seats=(0,), points=POINTS, totals=((0, 5), (1, 20))
        ),
        "Ana wins round 1. Points: Ana 0 (in total 5), Ben 12 (in total 20).",
    ),
    (
        event(
            "round-finished", round=3, turns=4, seats=(0, 1), points=POINTS, totals=((0, 5), (1, 9))
        ),
        "Ana and Ben win round 3. Points: Ana 0 (in total 5), Ben 12 (in total 9).",
    ),
    (
        event("stopped-in-vain", seat=0),
        "Ana has stopped without the lowest hand alone, which costs 5 points.",
    ),
    (event("halved", seat=2), "Cleo has come to exactly the limit, and keeps half of it."),
    (event("begins", seat=2), "Cleo will begin the next round."),
    (event("left", seats=(0,)), "Ana has left the game."),
    (event("left", seats=(0, 1, 2)), "Ana, Ben and Cleo have left the game."),
    (event("voided", round=2), "Round 2 does not count and is dealt again."),
    (event("won", seats=(0,), points=1), "Ana wins the game with 1 point."),
    (event("won", seats=(0,), points=0), "Ana wins the game with 0 points."),
    (
        event("won", seats=(0, 2), points=12),
        "Ana and Cleo share the first place with 12 points each.",
    ),
]


@pytest.mark.parametrize(("happened", "wanted"), SENTENCES)
def test_sentences(happened: Event, wanted: str) -> None:
    assert SIXTY_SIX.sentence(happened, NAMES) == wanted


def test_there_is_an_example_of_every_sentence() -> None:
    assert {happened.kind for happened, _ in SENTENCES} == set(_SENTENCES)
