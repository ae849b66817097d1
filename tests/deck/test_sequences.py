"""Random games of every operation, with 2 to 4 seats, compared with notes taken beside them.

After every move the coalition checker asks all coalitions about all ciphertexts, what each seat
sees is compared with the truth, the cards are counted, and retired slots are tried. Releases arrive
one at a time, in an order of their own, and the checker is asked after each. What the rules of the
deck forbid is tried as well and must change nothing (`tests.support.model`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nodealer.cards import Composition
from nodealer.deck import (
    PUBLIC,
    Deck,
    ReleasePlan,
    Restacked,
    Transfer,
    Vetted,
    plan,
    release,
    take_restacks,
    take_transfers,
)
from nodealer.kernel import NodealerError, Seat
from tests.support import fleet as support
from tests.support.fleet import mixed
from tests.support.model import Table

MOVES = (
    "deal",
    "peek",
    "expose",
    "show_all_but",
    "restack",
    "transfer",
    "exchange",
    "gather",
    "reveal",
    "claim_face",
    "claim_absent",
    "compare",
    "toss",
)
DECKS = (
    Composition.of({"7": 3, "8": 3, "9": 2}),
    Composition.of({"A": 1, "B": 2, "C": 3, "D": 4}),
    Composition.of({"joker": 6, "king": 2}),
)
FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

numbers = st.integers(0, 255)
games = st.lists(
    st.tuples(st.sampled_from(("deal", *MOVES)), numbers, numbers), min_size=12, max_size=20
)


GIVER_LOOKS_AGAIN = [("deal", 0, 1), *[("deal", 0, 0)] * 9, ("transfer", 0, 0), ("peek", 7, 0)]
"""With two seats a card that was handed over is known to both, and still not open to everybody."""


@settings(max_examples=4000 if FULL else 30)
@given(st.integers(2, 4), st.sampled_from(DECKS), st.integers(0, 9), games)
@example(2, DECKS[0], 0, GIVER_LOOKS_AGAIN)
def test_any_sequence_of_operations_keeps_the_rules(
    seats: int, composition: Composition, salt: int, moves: list[tuple[str, int, int]]
) -> None:
    Table.of(mixed(seats, composition, salt=salt)).play(moves)


def long_game(seats: int) -> Table:
    """Play one game by fixed numbers in which every operation occurs."""
    table = Table.of(mixed(seats, DECKS[1], salt="long"))
    table.play(
        [
            (move, 7 * turn + place, 5 * turn + place)
            for turn in range(5)
            for place, kind in enumerate(MOVES)
            for move in ("deal", kind)
        ]
    )
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_operation_in_one_game(seats: int) -> None:
    table = long_game(seats)
    assert min(table.done[move] for move in MOVES) > 0, table.done
    assert len(+table.denied) >= 4, table.denied


def opening_again(
    closed: Mapping[Seat, frozenset[Seat]],
    audience: frozenset[Seat],
    added: Collection[Seat],
    roster: Collection[Seat],
    *,
    stays_closed: bool = False,
) -> ReleasePlan:
    """Plan as for a first peek, whoever peeked before."""
    right = plan(closed, audience, added, roster, stays_closed=stays_closed)
    opens = right.opens if PUBLIC in right.audience else tuple(sorted(set(closed) - set(added)))
    return ReleasePlan(right.audience, opens=opens)


def forgetting_the_giver(deck: Deck, transfers: Iterable[Vetted[Transfer]]) -> Deck:
    """Count a card that was handed over as the receiver's secret."""
    after = take_transfers(deck, transfers)
    made = [
        replace(slot, audience=frozenset(slot.layers))
        for number, slot in after.slots.items()
        if number not in deck.slots
    ]
    return after.with_slots(made)


def keeping_the_old_slot(deck: Deck, parts: Sequence[Vetted[Restacked]]) -> Deck:
    """Restack a hand and forget to retire one of its slots."""
    old = deck.slot(parts[0].part.retired[0])
    return take_restacks(deck, parts).with_slots([old])


def dealing_the_same_order(deck: Deck, parts: Sequence[Vetted[Restacked]]) -> Deck:
    """Restack a hand and hand one of its cards out twice."""
    after = take_restacks(deck, parts)
    first, *rest = (after.slot(slot.id) for slot in parts[0].part.made)
    return after.with_slots(replace(first, id=slot.id) for slot in rest)


@pytest.mark.parametrize(
    ("module", "name", "flawed"),
    [
        (release, "plan", opening_again),
        (support, "take_transfers", forgetting_the_giver),
        (support, "take_restacks", keeping_the_old_slot),
        (support, "take_restacks", dealing_the_same_order),
    ],
)
def test_the_games_notice_a_deck_that_is_wrong(
    module: ModuleType, name: str, flawed: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_game(3)
    monkeypatch.setattr(module, name, flawed)
    with pytest.raises((AssertionError, NodealerError, pytest.fail.Exception)):
        long_game(3)
