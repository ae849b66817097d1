"""Whole tables: the steps of a conversation one after the other, and what is refused instead.

A state is a value, so the states of a conversation are kept, and a vector that says "instead of
step 12" starts from the one before it. After every refusal the state has to be as it was: the facts
are compared, and the step that was made in truth is made and compared too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from nodealer.crypto import SECP256K1, Point
from nodealer.deck import CommitPart, Deck, Keyring
from nodealer.kernel import Seat, TableId
from tests.vectors.runner.facts import facts_of
from tests.vectors.runner.reading import Json, merged
from tests.vectors.runner.steps import STEPS, State

VECTORS: Final = Path(__file__).resolve().parents[3] / "specs" / "vectors"


@dataclass(frozen=True)
class Kept:
    """A conversation that was run: its steps, the state and facts before each and at the end."""

    steps: list[Json]
    states: list[State]
    facts: list[Json]


def _begun(given: Json) -> State:
    assert given["group"] == SECP256K1.name, "other groups are for other tests"
    sealing: Mapping[Seat, Point] = {}
    commits: Mapping[bytes, Mapping[Seat, CommitPart]] = {}
    values: Mapping[bytes, Mapping[Seat, bytes]] = {}
    deck: Deck | None = None
    return State(
        table=TableId(bytes.fromhex(given["table"])),
        terms=bytes.fromhex(given["terms"]),
        rings={
            Seat(int(seat)): Keyring(SECP256K1, Seat(int(seat)), bytes.fromhex(seed))
            for seat, seed in given["seeds"].items()
        },
        sealing=sealing,
        deck=deck,
        commits=commits,
        values=values,
    )


def _made(state: State, facts: Json, step: Json) -> tuple[State, Json]:
    """Make a step and compare what came of it."""
    after, gives = STEPS[step["do"]](state, step)
    expected = merged(facts, step["then"])
    found = facts_of(after.deck, after.rings)
    assert found == expected, f"after {step['do']}: {found} instead of {expected}"
    assert gives == step.get("gives"), f"{step['do']} gives {gives}"
    return after, expected


def _kept(given: Json) -> Kept:
    kept = Kept(given["steps"], [_begun(given)], [{}])
    for step in kept.steps:
        state, facts = _made(kept.states[-1], kept.facts[-1], step)
        kept.states.append(state)
        kept.facts.append(facts)
    return kept


@cache
def _named(conversation: str) -> Kept:
    path = VECTORS / "deck" / "conversations" / f"{conversation}.json"
    vector: Json = json.loads(path.read_text())
    return _kept(vector["given"])


def _conversation(given: Json) -> None:
    _kept(given)


def _refusal(given: Json) -> None:
    """Make something else in the place of a step; the vector expects that it is refused."""
    kept, place = _named(given["conversation"]), given["step"]
    state, facts = kept.states[place], kept.facts[place]
    made = kept.steps[place] if place < len(kept.steps) else {}
    try:
        STEPS[merged(made, given["change"])["do"]](replace(state), merged(made, given["change"]))
    finally:
        assert facts_of(state.deck, state.rings) == facts, "the deck is as it was"
        if made:
            _made(state, facts, made)


RUNS: Final[Mapping[str, Callable[[Json], Json | None]]] = {
    "deck/conversation": _conversation,
    "deck/refusal": _refusal,
}
