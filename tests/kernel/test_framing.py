"""Frames are deterministic CBOR, different lists have different frames, and nothing else is framed.

The reference encoder below is written from RFC 8949 alone, so that an error in the library that
does the work, or in the claim that its "canonical" order fits our profile, would show here.
"""

import hashlib
from collections import Counter, OrderedDict, namedtuple
from collections.abc import Mapping
from enum import IntEnum, StrEnum
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import (
    LocalError,
    Reason,
    Value,
    array_of,
    digest,
    digest_of,
    encode,
    frame,
    map_of,
)
from nodealer.kernel.limits import NESTING_MAX, UINT_MAX

SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-UINT_MAX - 1, UINT_MAX),
    st.integers(-70_000, 70_000),
    st.binary(max_size=300),
    st.text(max_size=300),
)
KEYS = st.one_of(st.text(max_size=3), st.text(min_size=20, max_size=30))


def inner(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        st.lists(values, max_size=4),
        st.lists(values, max_size=4).map(tuple),
        st.dictionaries(KEYS, values, max_size=6),
    )


VALUES = inner(st.one_of(SCALARS, inner(st.one_of(SCALARS, inner(SCALARS)))))


def head(major: int, argument: int) -> bytes:
    if argument < 24:
        return bytes([major << 5 | argument])
    power = next(power for power in range(4) if argument < 1 << (8 << power))
    return bytes([major << 5 | 24 + power]) + argument.to_bytes(1 << power, "big")


def reference(value: Value) -> bytes:
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[value]
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, Mapping):
        entries = sorted((reference(key), reference(item)) for key, item in value.items())
        return head(5, len(entries)) + b"".join(key + item for key, item in entries)
    return head(4, len(value)) + b"".join(map(reference, value))


def refusal(value: object) -> LocalError:
    with pytest.raises(LocalError) as caught:
        encode(value)  # type: ignore[arg-type]  # the point of the tests that call this
    assert caught.value.reason is Reason.LOCAL_UNFRAMABLE
    return caught.value


@given(st.one_of(SCALARS, VALUES))
def test_values_are_encoded_as_the_standard_says(value: Value) -> None:
    assert encode(value) == reference(value)


@pytest.mark.parametrize("power", [0, 5, 8, 16, 32, 64])
@pytest.mark.parametrize("step", [-2, -1, 0, 1, 2])
def test_integers_around_the_borders_of_their_forms(power: int, step: int) -> None:
    for number in {(1 << power) + step, -(1 << power) + step, 23 + step, -24 + step}:
        if -UINT_MAX - 1 <= number <= UINT_MAX:
            assert encode(number) == reference(number)
        else:
            refusal(number)


@pytest.mark.parametrize("length", [0, 1, 23, 24, 255, 256, 65_535, 65_536, 70_000])
def test_strings_and_containers_around_the_borders_of_their_forms(length: int) -> None:
    values: list[Value] = [bytes(length), "x" * length, [0] * length]
    values.append({f"{number:05}": number for number in range(length)})
    for value in values:
        assert encode(value) == reference(value)


@pytest.mark.parametrize("length", [0, 1, 23, 24, 255, 256, 65_535, 65_536, 70_000])
def test_an_array_of_encoded_items_is_the_array_of_the_items(length: int) -> None:
    assert array_of([encode(1)] * length) == reference([1] * length)
    assert array_of([encode(1)], after=[2] * length) == reference([*[2] * length, 1])


@pytest.mark.parametrize("length", [0, 1, 23, 24, 255, 256, 65_535, 65_536, 70_000])
def test_a_map_of_encoded_items_is_the_map_of_the_items(length: int) -> None:
    items = {f"{number:05}": number for number in range(length)}
    encoded = [encode(one) for key, value in items.items() for one in (key, value)]
    assert map_of(encoded) == reference(items)


@given(st.lists(st.one_of(SCALARS, VALUES), max_size=6), st.integers(0, 6))
def test_what_is_put_together_of_encoded_items_is_what_is_encoded_whole(
    items: list[Value], place: int
) -> None:
    before, behind = items[:place], [encode(item) for item in items[place:]]
    assert array_of(behind, after=before) == reference(items)
    assert digest_of("d", *before, then=behind) == digest("d", *items)


def test_keys_ascend_bytewise_by_their_encoding() -> None:
    keys = ["b", "a" * 24, "aa", "", "z", "é", "\U00010151", "\uffff", "a" * 256, "b" * 23]
    encoded = encode(dict.fromkeys(keys))
    assert encoded == reference(dict.fromkeys(reversed(keys)))
    assert encoded.index(b"\x61b") < encoded.index(b"\x62aa") < encoded.index(b"\x77bbb")


def test_a_frame_is_the_array_of_its_items() -> None:
    assert frame() == b"\x80"
    assert frame("a", 1, None) == encode(["a", 1, None]) == encode(("a", 1, None))


def test_a_digest_is_the_hash_of_the_frame_that_the_domain_begins() -> None:
    assert digest("d", 1, b"x") == hashlib.sha256(b"\x83\x61d\x01\x41x").digest()


@given(SCALARS, SCALARS)
def test_different_lists_of_items_have_different_frames(first: Value, second: Value) -> None:
    frames = {frame(first, second), frame((first, second)), frame(first, (second,)), frame(first)}
    assert len(frames) == 4


def test_truth_values_are_not_numbers() -> None:
    assert len({frame(True), frame(1), frame(b"\x01"), frame("\x01"), frame("1")}) == 5


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        {1, 2},
        frozenset(),
        bytearray(b"x"),
        memoryview(b"x"),
        range(3),
        object(),
        1j,
        MappingProxyType({}),
        Reason.DECK_SEAT,
        ...,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_the_wire_does_not_know_is_not_framed(value: object) -> None:
    for holder in (value, [value], (None, value), {"key": value}, [[{"key": (value,)}]]):
        assert refusal(holder).detail == type(value).__name__


LONG_INTEGERS = [UINT_MAX + 1, -UINT_MAX - 2, 10**10_000, -(10**10_000)]


@pytest.mark.parametrize("number", LONG_INTEGERS, ids=lambda number: f"{number.bit_length()} bits")
def test_long_integers_are_not_framed(number: int) -> None:
    # Python refuses to write the longest of these in decimal; the error must not try.
    for holder in (number, [number], {"key": number}):
        assert refusal(holder).detail == f"an integer of {number.bit_length()} bits"


@pytest.mark.parametrize(
    "key", [1, b"a", None, True, 10**10_000, ("a",)], ids=lambda key: type(key).__name__
)
def test_keys_that_are_not_text_are_not_framed(key: object) -> None:
    assert refusal({key: 1}).detail == f"a map key of type {type(key).__name__}"
    assert refusal({"a": 1, key: 1}).detail == f"a map key of type {type(key).__name__}"


@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\udc00\ud800"])
def test_halves_of_surrogate_pairs_are_not_framed(text: str) -> None:
    refusal(text)
    refusal([text])
    refusal({text: 1})


@pytest.mark.parametrize("text", ["\ud7ff", "\ue000", "\U00010000", "\U0010ffff", "\x00"])
def test_all_other_characters_are_framed(text: str) -> None:
    assert encode(text) == reference(text)


def nested(levels: int, *, in_map: bool) -> Value:
    value: Value = 0
    for _ in range(levels):
        value = {"": value} if in_map else [value]
    return value


@pytest.mark.parametrize("in_map", [False, True])
def test_nesting_has_a_bound(in_map: bool) -> None:
    value = nested(NESTING_MAX, in_map=in_map)
    assert encode(value) == reference(value)
    refusal(nested(NESTING_MAX + 1, in_map=in_map))
    refusal(nested(100_000, in_map=in_map))


def test_a_list_that_holds_itself_is_not_framed() -> None:
    endless: list[object] = []
    endless.append(endless)
    refusal(endless)


class Colour(IntEnum):
    RED = 1


class Word(StrEnum):
    OPEN = "open"


def test_subtypes_are_framed_as_what_they_are() -> None:
    pair = namedtuple("pair", ["left", "right"])  # noqa: PYI024 - the untyped one is the worst case
    assert encode(Colour.RED) == encode(1)
    assert encode({Word.OPEN: Word.OPEN}) == encode({"open": "open"})
    assert encode(pair(1, 2)) == encode([1, 2])
    assert encode(OrderedDict(b=1, a=2)) == encode({"a": 2, "b": 1})
    assert encode(Counter("aab")) == encode({"a": 2, "b": 1})


def test_a_value_that_occurs_twice_is_written_twice() -> None:
    shared = ["x" * 100]
    assert encode([shared, shared]) == b"\x82" + 2 * encode(shared)
