"""Golden records of 66 and 6 nimmt!: every field of every kind of entry, changed once, is refused.

A kind of entry is a kind of action, or what is due in a step. The ordinary run changes a few fields
of each; with `--full` it is all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from nodealer.ledger import Entry
from nodealer.ledger.objects import AuthoredStep, DueStep
from nodealer.table import read_action
from nodealer.table.actions import Acted
from nodealer.verify import read_transcript
from tests.verify.make_golden import PLACE
from tests.verify.tampering import Told

KINDS = {
    "sixty-six": {
        "acks",
        "close",
        "commit+keys",
        "discard",
        "exchange-cards",
        "keys",
        "mask",
        "mask+open",
        "peek-anothers-card",
        "peek-own-card",
        "release",
        "replace-card-by-discarded",
        "replace-card-from-deck",
        "replace-cards-by-discarded",
        "show-cards",
        "shuffle",
        "start-game",
        "start-next-round",
        "stop-round",
        "take-card-from-deck",
        "verdict",
    },
    "take5": {"choose", "close", "keys", "mask", "release", "shuffle", "take"},
}
"""What there is to be changed: each of these stands in the record."""

SPARSE = {"sixty-six": 10, "take5": 5}
"""In the ordinary run one place of so many is changed."""


@cache
def told(name: str) -> Told:
    return Told(read_transcript((PLACE / f"{name}.ndt").read_bytes()))


def kind_of(entry: Entry) -> str:
    match entry.content.step:
        case AuthoredStep(action=data):
            action = read_action(data)
            return action.action.kind if isinstance(action, Acted) else type(action).__name__
        case DueStep(parts=parts):
            return "+".join(sorted({part.kind for part in parts}))
        case other:
            return type(other).__name__


@cache
def heights(name: str) -> Mapping[str, int]:
    """Return where each kind of entry stands first."""
    entries = told(name).transcript.entries
    return {kind_of(entry): entry.content.height for entry in reversed(entries)}


@pytest.mark.parametrize("name", KINDS)
def test_a_record_has_every_kind_of_entry(name: str) -> None:
    assert set(heights(name)) == KINDS[name]


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, kinds in KINDS.items() for kind in sorted(kinds)]
)
def test_a_changed_entry_is_refused_by_the_class_it_belongs_to(
    name: str, kind: str, is_full: bool
) -> None:
    count = told(name).refused(heights(name)[kind], every=0 if is_full else SPARSE[name])
    assert count > (10 if is_full else 0)
