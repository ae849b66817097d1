"""The encoder and the reader that stand in the pages agree with ours, refusals included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SECP256K1, ProofTranscript, toy_group
from nodealer.kernel import PeerError, Value, digest, encode
from nodealer.kernel.limits import ITEMS_MAX, MESSAGE_BYTES_MAX, NESTING_MAX, UINT_MAX
from nodealer.wire import decode
from tests.specs.pages import Algebra, program

PAGE = program()

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-UINT_MAX - 1, UINT_MAX),
    st.integers(-300, 70_000),
    st.binary(max_size=300),
    st.text(max_size=40),
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(tuple), st.dictionaries(st.text(max_size=30), inner)
    ),
    max_leaves=12,
)


def verdict(data: bytes) -> object:
    """Return what ours makes of the bytes: a value, or a reason."""
    try:
        return repr(decode(data))
    except PeerError as refused:
        return refused.slug


def verdict_of_page(data: bytes) -> object:
    """Return what the page makes of the bytes."""
    try:
        return repr(PAGE.decode(data))
    except PAGE.Refusal as refused:
        return refused.reason


@given(VALUES)
def test_values_are_written_alike(value: Value) -> None:
    assert PAGE.encode(value) == encode(value)


@given(VALUES, st.data())
def test_values_and_damaged_ones_are_read_alike(value: Value, data: st.DataObject) -> None:
    encoded = bytearray(encode(value))
    assert verdict_of_page(bytes(encoded)) == verdict(bytes(encoded))
    place = data.draw(st.integers(0, len(encoded)))
    encoded[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    assert verdict_of_page(bytes(encoded)) == verdict(bytes(encoded))


@given(st.binary(max_size=60))
def test_any_bytes_are_read_alike(data: bytes) -> None:
    assert verdict_of_page(data) == verdict(data)


@pytest.mark.parametrize("first", range(256))
def test_every_beginning_is_read_alike(first: int) -> None:
    for rest in (b"", b"\x00", b"\x17", b"\x18", b"\xff" * 8, b"\x00" * 9, b"\x61a\x00" * 3):
        assert verdict_of_page(bytes([first]) + rest) == verdict(bytes([first]) + rest)


@pytest.mark.parametrize(
    "data",
    [
        bytes(MESSAGE_BYTES_MAX + 1),
        b"\x5a" + (MESSAGE_BYTES_MAX - 5).to_bytes(4, "big") + bytes(MESSAGE_BYTES_MAX - 5),
        b"\x81" * NESTING_MAX + b"\x00",
        b"\x81" * (NESTING_MAX + 1) + b"\x00",
        b"\x81" * NESTING_MAX + b"\x80",
        b"\x81" * NESTING_MAX + b"\x9a\xff\xff\xff\xff",
        b"\x99" + (ITEMS_MAX - 1).to_bytes(2, "big") + bytes(ITEMS_MAX - 1),
        b"\x99" + ITEMS_MAX.to_bytes(2, "big") + bytes(ITEMS_MAX),
        b"\xb9" + (ITEMS_MAX // 2).to_bytes(2, "big"),
    ],
    ids=range(9),
)
def test_bounds_are_kept_alike(data: bytes) -> None:
    assert verdict_of_page(data) == verdict(data)


def test_hashes_and_transcripts_are_alike() -> None:
    assert PAGE.H("domain", 1, b"x", [None]) == digest("domain", 1, b"x", [None])
    for group in (SECP256K1, toy_group(7)):
        ours, theirs = ProofTranscript(group, b"c"), PAGE.Transcript(Algebra(group), b"c")
        for transcript in (ours, theirs):
            transcript.absorb("plain", 1, ["text", b"bytes"])
            transcript.absorb_points("points", [group.generator, group.identity])
        assert ours.weights("w", 5) == theirs.weights("w", 5)
        assert ours.challenge("c") == theirs.challenge("c")
        assert ours.digest() == theirs.digest()
