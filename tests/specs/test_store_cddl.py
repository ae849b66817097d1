"""The schema of what the store writes takes real items of every kind, and no other shape."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.crypto.boxes import Cost
from nodealer.kernel import Seat, Value, encode
from nodealer.store.friends import Friend
from nodealer.store.identity import KEY_FILE, key_file_of
from nodealer.store.move_file import (
    FRIEND,
    HEAD,
    JOURNAL,
    NOTE,
    PROFILE,
    MovedJournal,
    MovedNote,
    MovedProfile,
    MoveHead,
)
from nodealer.wire import decode
from tests.specs.pages import SPECS
from tests.store.players import drawn, identity_of

TEXT = (SPECS / "store.cddl").read_text(encoding="utf-8")
PLAIN = key_file_of(SPECS, identity_of(0), None)
PROTECTED = key_file_of(SPECS, identity_of(0), "a long passphrase", Cost(10))

REAL = {
    "store-identity": [
        KEY_FILE.write(PLAIN),
        KEY_FILE.write(PROTECTED),
        KEY_FILE.write(replace(PROTECTED, retired="moved").checked()),
    ],
    "store-move": [HEAD.write(MoveHead(1, bytes(16), 17, bytes(16), bytes(12), bytes(32)))],
    "store-moved-profile": [PROFILE.write(MovedProfile(drawn("secret"), 2, 1))],
    "store-moved-journal": [
        JOURNAL.write(MovedJournal(b"charter", Seat(3), drawn("seed"), "BEHIND", 7, 1)),
        JOURNAL.write(MovedJournal(b"charter", None, b"", None, 0, 0)),
    ],
    "store-moved-note": [NOTE.write(MovedNote("address", b"here"))],
    "store-moved-friend": [
        FRIEND.write(Friend(identity_of(1).public, "Bea", 1, 2)),
        FRIEND.write(Friend(identity_of(1).public, "Bea", 1, 2, 3)),
    ],
}
ITEMS = [(rule, item) for rule, items in REAL.items() for item in items]


@lru_cache
def schema(rule: str) -> Schema:
    return Schema(f"root = {rule}\n{TEXT}")


def fits(rule: str, value: Value) -> bool:
    try:
        schema(rule).validate_cbor(encode(value))
    except ValidationError:
        return False
    return True


def whole(item: bytes) -> tuple[Any, ...]:
    value = decode(item)
    assert isinstance(value, tuple)
    return value


def test_the_schema_names_every_kind() -> None:
    choices = TEXT.partition("store-item =")[2].partition("\n\n")[0]
    assert [choice.strip() for choice in choices.replace("\n", " ").split("/")] == list(REAL)


@pytest.mark.parametrize(("rule", "item"), ITEMS)
def test_real_items_fit_their_rule_and_no_other(rule: str, item: bytes) -> None:
    assert fits("store-item", whole(item))
    assert [one for one in REAL if fits(one, whole(item))] == [rule]


@pytest.mark.parametrize(("rule", "item"), ITEMS)
def test_a_field_more_or_less_fits_nothing(rule: str, item: bytes) -> None:
    fields = whole(item)
    assert not fits(rule, (*fields, None))
    for at in range(len(fields)):
        assert not fits(rule, fields[:at] + fields[at + 1 :])


def test_a_box_without_its_cost_fits_nothing() -> None:
    fields = whole(KEY_FILE.write(PROTECTED))
    assert not fits("store-identity", (*fields[:5], 0, *fields[6:]))
    assert not fits("store-identity", (*fields[:6], b"", *fields[7:]))
