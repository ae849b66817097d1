"""The schema in CDDL takes real messages of every kind and nothing of another shape."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.kernel import Value, encode
from nodealer.wire import decode
from tests.specs.pages import SPECS
from tests.specs.scenario import MESSAGES, every_part

TEXT = (SPECS / "wire.cddl").read_text()
PARTS = {sent.name: sent for sent in every_part()}

FOREIGN: list[Value] = [None, True, -1, 1 << 20, b"", bytes(40_000), "x" * 40_000, (), {"a": 1}]
"""What no field of any message is. (The validator takes text for bytes where a length has a range,
so the text is longer than anything may be; our own reader is stricter, see `tests/wire`.)"""

LISTS = {"deck/release": "one-release", "deck/handover": "handed"}
"""The kinds that hold a list of records, and the rule of one record."""


@lru_cache
def schema(rule: str) -> Schema:
    """Return the schema that begins at a rule of the page."""
    return Schema(f"root = {rule}\n{TEXT}")


def fits(kind: str, data: bytes) -> bool:
    """Say whether the bytes fit the rule of a kind, each record of a list included.

    The validator is content with a list of records if some of them fit, so it is shown them one by
    one as well.
    """
    whole = array(data)
    if not is_valid(kind.replace("/", "-"), whole):
        return False
    return kind not in LISTS or all(is_valid(LISTS[kind], record) for record in whole[2])


def is_valid(rule: str, value: Value) -> bool:
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


def array(data: bytes) -> tuple[Any, ...]:
    message = decode(data)
    assert isinstance(message, tuple)
    return message


def replaced(whole: tuple[Any, ...], place: int, value: Value) -> tuple[Any, ...]:
    return (*whole[:place], value, *whole[place + 1 :])


def reshaped(whole: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield a message or record with an item less or more, or an item of another form."""
    yield whole[:-1]
    yield (*whole, None)
    for place, value in product(range(len(whole)), FOREIGN):
        if (whole[1:2], place, value) not in ALLOWED:
            yield replaced(whole, place, value)


ALLOWED: list[object] = [(("deck/open",), 2, b""), (("deck/not-equal",), 3, b"")]
"""An opened value may be empty; and the validator takes an empty string for the number 0."""


@pytest.mark.parametrize("kind", MESSAGES.kinds)
def test_every_kind_has_its_rule(kind: str) -> None:
    assert TEXT.count(f'"{kind}"') == 1


def test_no_rule_is_for_another_kind() -> None:
    words = {part for part in TEXT.split('"') if part.startswith("deck/")}
    assert words == set(MESSAGES.kinds)


def test_a_message_is_of_one_of_these_kinds() -> None:
    choices = TEXT.partition("message =")[2].partition("\n\n")[0]
    rules = [kind.replace("/", "-") for kind in MESSAGES.kinds]
    assert [choice.strip() for choice in choices.split("/")] == rules


@pytest.mark.parametrize("name", PARTS)
def test_real_messages_fit_the_rule_of_their_kind_alone(name: str) -> None:
    data = PARTS[name].message
    assert [kind for kind in MESSAGES.kinds if fits(kind, data)] == [array(data)[1]]


@pytest.mark.parametrize("name", PARTS)
def test_other_shapes_do_not_fit(name: str) -> None:
    whole = array(PARTS[name].message)
    for changed in reshaped(whole):
        assert not fits(whole[1], encode(changed)), changed
    for place, record in enumerate(whole):
        if isinstance(record, tuple) and whole[1] not in LISTS:
            for changed in reshaped(record):
                assert not fits(whole[1], encode(replaced(whole, place, changed))), changed


@pytest.mark.parametrize("name", [n for n in PARTS if array(PARTS[n].message)[1] in LISTS])
def test_lists_of_other_shapes_do_not_fit(name: str) -> None:
    version, kind, records = array(PARTS[name].message)
    assert not fits(kind, encode((version, kind, ())))
    for place, record in enumerate(records):
        for changed in (*reshaped(record), None, 1, "key"):
            altered = replaced(records, place, changed)
            assert not fits(kind, encode((version, kind, altered))), changed


@pytest.mark.parametrize("name", PARTS)
def test_strings_of_other_lengths_do_not_fit(name: str) -> None:
    """Where a message has no packed lists, every length is fixed; those of lists the deck knows."""
    whole = array(PARTS[name].message)
    if whole[1] not in FIXED:
        return
    for place, item in enumerate(whole):
        if isinstance(item, bytes):
            assert not fits(whole[1], encode(replaced(whole, place, item + b"\x00")))
            assert not fits(whole[1], encode(replaced(whole, place, item[:-1])))


FIXED = {"deck/key", "deck/open-key", "deck/open-share", "deck/face", "deck/commit"}


@pytest.mark.parametrize("version", [0, 2])
def test_other_versions_do_not_fit(version: int) -> None:
    for sent in PARTS.values():
        whole = array(sent.message)
        assert not fits(whole[1], encode(replaced(whole, 0, version)))
