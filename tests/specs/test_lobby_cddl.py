"""The schema of the lobby's messages takes real ones of every kind, and no other shape."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.kernel import Value, encode
from nodealer.lobby import KINDS, write
from nodealer.lobby.asking import ASK, INVITED, MayICome, YouMayCome
from nodealer.lobby.invite import CONTENT
from nodealer.lobby.messages import REFUSALS
from nodealer.wire import decode
from tests.lobby.test_invite import INVITE
from tests.lobby.test_messages import REAL
from tests.specs.pages import SPECS

TEXT = (SPECS / "lobby.cddl").read_text(encoding="utf-8")


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


def whole(kind: str, number: int = 0) -> tuple[Any, ...]:
    """Return a real message of a kind as an array."""
    message = decode(write(REAL[kind][number]))
    assert isinstance(message, tuple)
    return message


def test_a_message_is_of_one_of_these_kinds() -> None:
    choices = TEXT.partition("lobby-message =")[2].partition("\n\n")[0]
    assert [choice.strip() for choice in choices.split("/")] == [
        kind.replace("/", "-") for kind in KINDS
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_real_messages_fit_the_rule_of_their_kind_alone(kind: str) -> None:
    for number in range(min(4, len(REAL[kind]))):
        message = whole(kind, number)
        assert [other for other in KINDS if fits(other.replace("/", "-"), message)] == [kind]


@pytest.mark.parametrize("kind", KINDS)
def test_other_shapes_do_not_fit(kind: str) -> None:
    rule, message = kind.replace("/", "-"), whole(kind)
    assert not fits(rule, message[:-1])
    assert not fits(rule, (*message, None))
    assert not fits(rule, (3 - message[0], *message[1:]))
    for place in range(2, len(message)):
        value = 3 if isinstance(message[place], bool) else True
        assert not fits(rule, (*message[:place], value, *message[place + 1 :]))


def test_the_reasons_are_those_of_the_code() -> None:
    words = TEXT.partition("refusal =")[2].partition("\n\n")[0]
    assert re.findall(r'"([^"]+)"', words) == [reason.slug for reason in REFUSALS]


def test_question_and_answer_of_friends_fit_their_rules() -> None:
    ask = decode(ASK.write(MayICome()))
    invited = decode(INVITED.write(YouMayCome(bytes(16), "Ana", "macaua")))
    assert fits("lobby-ask", ask)
    assert fits("lobby-invited", invited)
    for one in (ask, invited):
        assert isinstance(one, tuple)
        assert fits("lobby-asking", one)
        assert not fits("lobby-asking", (*one, None))
        assert not fits("lobby-asking", (1, *one[1:]))


def test_an_invite_fits_its_rule() -> None:
    assert fits("invite", CONTENT.dump(INVITE))
    assert not fits("invite", CONTENT.dump(INVITE)[:-1])  # type: ignore[index]
