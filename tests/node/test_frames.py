"""The frames on the wire: their schema in CDDL, their bytes, and where one ends."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]  # it has no types

from nodealer.kernel import PeerError, Value, encode
from nodealer.node.transport.frames import (
    KINDS,
    Ack,
    Bye,
    Data,
    Deframer,
    Head,
    Hello,
    Ping,
    Pong,
    RunId,
    read_frame,
    write_frame,
)
from nodealer.wire import decode, split
from tests.specs.pages import SPECS

TEXT = (SPECS / "node.cddl").read_text(encoding="utf-8")

RUNS = st.binary(min_size=16, max_size=16).map(RunId)
NUMBERS = st.integers(0, (1 << 64) - 1)
HEADS: st.SearchStrategy[Head] = st.one_of(
    st.builds(Hello, RUNS, st.none() | RUNS, NUMBERS, NUMBERS),
    st.builds(Data, NUMBERS, NUMBERS),
    st.builds(Ack, NUMBERS),
    st.builds(Ping, NUMBERS),
    st.builds(Pong, NUMBERS),
    st.just(Bye()),
)

SAMPLES: dict[str, Head] = {
    "link/hello": Hello(RunId(b"a" * 16), RunId(b"b" * 16), 3, 4),
    "link/data": Data(5, 6),
    "link/ack": Ack(7),
    "link/ping": Ping(8),
    "link/pong": Pong(9),
    "link/bye": Bye(),
}


def head_of(head: Head) -> tuple[Any, ...]:
    frame = write_frame(head, b"x" if isinstance(head, Data) else b"")
    whole = decode(next(split(frame[4:])))
    assert isinstance(whole, tuple)
    return whole


@lru_cache
def schema(rule: str) -> Schema:
    return Schema(f"root = {rule}\n{TEXT}")


def fits(rule: str, value: Value) -> bool:
    try:
        schema(rule).validate_cbor(encode(value))
    except ValidationError:
        return False
    return True


def test_the_schema_names_every_kind() -> None:
    choices = TEXT.partition("link-head =")[2].partition("\n\n")[0]
    assert [one.strip() for one in choices.split("/")] == [k.replace("/", "-") for k in KINDS]
    assert tuple(SAMPLES) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_fits_the_rule_of_its_kind_alone(kind: str) -> None:
    whole = head_of(SAMPLES[kind])
    assert [other for other in KINDS if fits(other.replace("/", "-"), whole)] == [kind]


@pytest.mark.parametrize("kind", KINDS)
def test_other_shapes_do_not_fit(kind: str) -> None:
    rule, whole = kind.replace("/", "-"), head_of(SAMPLES[kind])
    assert not fits(rule, whole[:-1])
    assert not fits(rule, (*whole, 1))
    assert not fits(rule, (2, *whole[1:]))
    for place in range(2, len(whole)):
        assert not fits(rule, (*whole[:place], True, *whole[place + 1 :]))
        assert not fits(rule, (*whole[:place], -1, *whole[place + 1 :]))


def test_a_first_hello_names_no_other_run() -> None:
    assert fits("link-hello", head_of(Hello(RunId(b"a" * 16), None, 0, 1)))


@given(HEADS, st.binary(min_size=1, max_size=100))
def test_what_is_written_is_read(head: Head, data: bytes) -> None:
    payload = data if isinstance(head, Data) else b""
    frame = write_frame(head, payload)
    assert read_frame(frame[4:]) == (head, payload)


@given(st.lists(HEADS, max_size=8), st.data())
def test_frames_are_found_however_the_bytes_are_cut(heads: list[Head], data: st.DataObject) -> None:
    frames = [write_frame(head, b"x" if isinstance(head, Data) else b"") for head in heads]
    stream, found, deframer = b"".join(frames), [], Deframer()
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        found += list(deframer.feed(stream[:cut]))
        stream = stream[cut:]
    assert found == [frame[4:] for frame in frames]
    assert deframer.is_between


@given(st.binary(max_size=200))
def test_no_bytes_are_read_as_something_else(body: bytes) -> None:
    try:
        head, payload = read_frame(body or b"\x00")
    except PeerError:
        return
    assert write_frame(head, payload)[4:] == body
