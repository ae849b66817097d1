"""Bytes become keys, whatever pieces they come in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.terminal.keyboard import (
    _CONTROLS,
    _SEQUENCES,
    PASTE_BYTES_MAX,
    SEQUENCE_BYTES_MAX,
    Decoder,
    Key,
    Pasted,
    Pressed,
    Typed,
)


def keys_of(*pieces: bytes) -> tuple[Key, ...]:
    decoder = Decoder()
    found: list[Key] = []
    for piece in pieces:
        decoder, keys = decoder.feed(piece)
        found.extend(keys)
    return tuple(found)


KNOWN = [
    (b"a", Typed("a")),
    ("ž".encode(), Typed("ž")),
    ("王".encode(), Typed("王")),
    (b"\x1b[A", Pressed("up")),
    (b"\x1bOB", Pressed("down")),
    (b"\x1b[6~", Pressed("page-down")),
    (b"\r", Pressed("enter")),
    (b"\x7f", Pressed("backspace")),
    (b"\x03", Pressed("interrupt")),
    (b"\x1b[200~hi\x1b[A\x1b[201~", Pasted("hi\x1b[A")),
]


@pytest.mark.parametrize(("data", "key"), KNOWN)
def test_a_key_is_known(data: bytes, key: Key) -> None:
    assert keys_of(data) == (key,)


def test_every_control_and_sequence_has_its_name() -> None:
    for byte, name in _CONTROLS.items():
        assert keys_of(bytes([byte])) == (Pressed(name),)
    for rest, name in _SEQUENCES.items():
        assert keys_of(b"\x1b" + rest) == (Pressed(name),)


@pytest.mark.parametrize("data", [b"\x00", b"\x1b[99z", b"\x1b[1;5C", b"\x1bOz"])
def test_what_nobody_knows_is_nothing(data: bytes) -> None:
    assert keys_of(data, b"x") == (Typed("x"),)


PIECES = st.lists(st.sampled_from([data for data, _ in KNOWN]) | st.binary(max_size=6), max_size=8)


@given(PIECES.map(b"".join), st.data())
def test_cutting_changes_nothing(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.sets(st.integers(0, len(data)))))
    edges = [0, *cuts, len(data)]
    pieces = [data[a:b] for a, b in pairwise(edges)]
    assert keys_of(*pieces) == keys_of(data)


@given(PIECES.map(b"".join))
def test_what_is_kept_is_bounded(data: bytes) -> None:
    decoder, _ = Decoder().feed(data)
    assert len(decoder.rest) <= SEQUENCE_BYTES_MAX
    assert len(decoder.pasted or b"") <= PASTE_BYTES_MAX


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_letters_come_through(text: str) -> None:
    assert keys_of(text.encode()) == tuple(map(Typed, text))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_a_paste_is_one_key(text: str) -> None:
    text = text.replace("\x1b", "")
    assert keys_of(b"\x1b[200~" + text.encode() + b"\x1b[201~") == (Pasted(text),)


@pytest.mark.parametrize("data", [b"\xff", b"\xc3(", b"\xe2\x28", b"\xf8"])
def test_bytes_that_are_no_letter_are_seen(data: bytes) -> None:
    assert keys_of(data)[0] == Typed("\ufffd")


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    decoder, keys = Decoder().feed(b"\x1b")
    assert (decoder.is_waiting, keys) == (True, ())
    assert decoder.flush() == (Decoder(), (Pressed("escape"),))
    assert keys_of(b"\x1b\x1b", b"[A") == (Pressed("escape"), Pressed("up"))
    assert keys_of(b"\x1bx") == (Pressed("escape"), Typed("x"))


def test_a_torn_sequence_is_waited_for() -> None:
    decoder, _ = Decoder().feed(b"\x1b[1")
    assert decoder.flush() == (decoder, ())
    assert decoder.feed(b"~")[1] == (Pressed("home"),)


def test_a_sequence_without_end_is_given_up() -> None:
    keys = keys_of(b"\x1b[" + b"1" * SEQUENCE_BYTES_MAX)
    assert keys[0] == Pressed("escape")


def test_a_paste_without_end_is_bounded() -> None:
    decoder, keys = Decoder().feed(b"\x1b[200~" + b"a" * 3 * PASTE_BYTES_MAX)
    assert keys == ()
    assert decoder.feed(b"\x1b[201~")[1] == (Pasted("a" * PASTE_BYTES_MAX),)
