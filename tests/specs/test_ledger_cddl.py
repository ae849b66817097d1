"""The schema of the ledger's messages takes real ones of every kind, and no other shape."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.kernel import Value, encode
from nodealer.ledger import KINDS, write
from nodealer.wire import decode
from tests.ledger.test_hostile import MESSAGES
from tests.specs.pages import SPECS

TEXT = (SPECS / "ledger.cddl").read_text(encoding="utf-8")


def real() -> dict[str, list[tuple[Any, ...]]]:
    """Return real messages of every kind."""
    found: dict[str, list[tuple[Any, ...]]] = {kind: [] for kind in KINDS}
    for message in MESSAGES:
        whole = decode(write(message))
        assert isinstance(whole, tuple)
        found[str(whole[1])].append(whole)
    return found


REAL = real()


@lru_cache
def schema(rule: str) -> Schema:
    return Schema(f"root = {rule}\n{TEXT}")


def fits(rule: str, value: Value) -> bool:
    try:
        schema(rule).validate_cbor(encode(value))
    except ValidationError:
        return False
    except BaseException as error:
        # Where an array is expected and something else is found, the validator stumbles.
        if type(error).__name__ != "PanicException":
            raise
        return False
    return True


def test_a_message_is_of_one_of_these_kinds() -> None:
    choices = TEXT.partition("ledger-message =")[2].partition("\n\n")[0]
    assert [choice.strip() for choice in choices.split("/")] == [
        kind.replace("/", "-") for kind in KINDS
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_real_messages_fit_the_rule_of_their_kind_alone(kind: str) -> None:
    assert REAL[kind]
    for whole in REAL[kind][:12]:
        assert [other for other in KINDS if fits(other.replace("/", "-"), whole)] == [kind]


def test_what_is_carried_as_a_byte_string_fits_its_own_rule() -> None:
    for whole in REAL["ledger/entry"][:12]:
        assert fits("ledger-certificate", decode(whole[4]))
    kept = [whole[4] for whole in REAL["ledger/voted"] if whole[4] is not None]
    assert kept
    assert all(fits("ledger-entry", decode(entry)) for entry in kept)
    remembered = [data for whole in REAL["ledger/memory"] for data in whole[6]]
    assert remembered
    for data in remembered:
        message = decode(data)
        assert isinstance(message, tuple)
        assert fits(str(message[1]).replace("/", "-"), message)


@pytest.mark.parametrize("kind", KINDS)
def test_other_shapes_do_not_fit(kind: str) -> None:
    rule, whole = kind.replace("/", "-"), REAL[kind][0]
    assert not fits(rule, whole[:-1])
    assert not fits(rule, (*whole, None))
    assert not fits(rule, (2, *whole[1:]))
    for place in range(2, len(whole)):
        assert not fits(rule, (*whole[:place], True, *whole[place + 1 :]))
