"""What each codec accepts and says, how kinds are declared, and what is looked at first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import LocalError, PeerError, Reason, Seat, Value, encode
from nodealer.kernel.limits import ITEMS_MAX, MESSAGE_BYTES_MAX, SEATS_MAX, UINT_MAX
from nodealer.wire import (
    KIND_BYTES_MAX,
    VERSION,
    Codec,
    Field,
    RecordCodec,
    Schema,
    boolean,
    bytes_in_units,
    bytes_up_to,
    choice,
    exact_bytes,
    integer,
    mapped,
    misshapen,
    optional,
    peek_kind,
    text_up_to,
    tuple_of,
    uint,
)


@dataclass(frozen=True, slots=True)
class Even:
    """A type of a higher layer, with a reason of its own for refusing."""

    half: int


def even(number: int) -> Even:
    if number % 2:
        raise PeerError(Reason.GROUP_SCALAR_RANGE, f"{number} is odd")
    return Even(number // 2)


@dataclass(frozen=True, slots=True)
class Share:
    seat: Seat
    point: bytes


@dataclass(frozen=True, slots=True)
class Deal:
    table: bytes
    height: int
    shares: tuple[Share, ...]
    how: Literal["open", "seal"]
    note: str | None
    pair: Even
    last: bool


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Blob:
    content: tuple[bytes, ...]


SEAT = mapped(uint(SEATS_MAX - 1), Seat, int)
EVEN = mapped(uint(100), even, lambda item: 2 * item.half)
HOW: Codec[Literal["open", "seal"]] = choice("open", "seal")
SHARE = RecordCodec(Share, (Field("seat", SEAT), Field("point", exact_bytes(33))))
DEAL = Schema(
    "deck/deal",
    RecordCodec(
        Deal,
        (
            Field("table", exact_bytes(32)),
            Field("height", uint()),
            Field("shares", tuple_of(SHARE, at_most=3)),
            Field("how", HOW),
            Field("note", optional(text_up_to(8))),
            Field("pair", EVEN),
            Field("last", boolean()),
        ),
    ),
)
NOTHING = Schema("test/nothing", RecordCodec(Nothing, ()))
BLOB = Schema(
    "test/blob",
    RecordCodec(Blob, (Field("content", tuple_of(bytes_up_to(1 << 21), at_most=1 << 20)),)),
)

SAMPLE = Deal(
    table=bytes(32),
    height=70_000,
    shares=(Share(Seat(0), b"\x02" * 33), Share(Seat(9), b"\x03" * 33)),
    how="seal",
    note=None,
    pair=Even(21),
    last=True,
)
SAMPLE_VALUE: tuple[Value, ...] = (
    VERSION,
    "deck/deal",
    bytes(32),
    70_000,
    ((0, b"\x02" * 33), (9, b"\x03" * 33)),
    "seal",
    None,
    42,
    True,
)


def changed(place: int, value: Value) -> bytes:
    """Return the sample message with another value at one place."""
    return encode((*SAMPLE_VALUE[:place], value, *SAMPLE_VALUE[place + 1 :]))


def refusal(data: bytes) -> PeerError:
    with pytest.raises(PeerError) as caught:
        DEAL.read(data)
    return caught.value


# Codecs. Each line: what is accepted, what is refused, and what is said to be expected.

CASES: list[tuple[Codec[Any], list[Value], list[Value], str]] = [
    (uint(9), [0, 1, 9], [-1, 10, True, False, None, "1", b"\1", (1,)], "an integer from 0 to 9"),
    (uint(), [0, UINT_MAX], [-1, None], f"an integer from 0 to {UINT_MAX}"),
    (integer(-3, 3), [-3, 0, 3], [-4, 4, True, "", None], "an integer from -3 to 3"),
    (boolean(), [True, False], [0, 1, None, "", ()], "true or false"),
    (exact_bytes(2), [b"ab"], [b"", b"a", b"abc", "ab", None, (97, 98)], "2 bytes"),
    (exact_bytes(0), [b""], [b"a", "", ()], "0 bytes"),
    (bytes_up_to(2), [b"", b"a", b"ab"], [b"abc", "ab", None, 1], "at most 2 bytes"),
    (
        bytes_in_units(3, at_least=1, at_most=2),
        [b"abc", b"abcdef"],
        [b"", b"ab", b"abcd", bytes(9), "abc", None],
        "1 to 2 times 3 bytes",
    ),
    (bytes_in_units(3, at_most=1), [b"", b"abc"], [b"a", bytes(6)], "0 to 1 times 3 bytes"),
    (
        text_up_to(3),
        ["", "abc", "\u6c34", "é1"],
        ["abcd", "éé", "\U00010151", b"abc", None, 1],
        "text of at most 3 bytes",
    ),
    (choice("open", "seal"), ["open", "seal"], ["", "Open", b"open", None, 0], "one of open, seal"),
    (optional(uint(9)), [None, 0, 9], [10, False, ""], "an integer from 0 to 9"),
    (
        tuple_of(uint(9), at_least=1, at_most=2),
        [(0,), (1, 2)],
        [(), (1, 2, 3), None, b"\1", "1", {}],
        "an array of 1 to 2 items",
    ),
    (tuple_of(uint(9), at_most=1), [(), (1,)], [(1, 2)], "an array of 0 to 1 items"),
    (SHARE, [], [(), (1,), (1, bytes(33), 1), b"", None, {}], "an array of 2 items"),
]
ACCEPTED = [(codec, value) for codec, accepted, _, _ in CASES for value in accepted]
REFUSED = [(codec, value, words) for codec, _, refused, words in CASES for value in refused]


@pytest.mark.parametrize(("codec", "value"), ACCEPTED)
def test_a_codec_returns_what_it_accepts(codec: Codec[Any], value: Value) -> None:
    assert codec.load(value) is value or codec.load(value) == value
    assert repr(codec.dump(codec.load(value))) == repr(value)


@pytest.mark.parametrize(("codec", "value", "words"), REFUSED)
def test_a_codec_refuses_the_rest(codec: Codec[Any], value: Value, words: str) -> None:
    with pytest.raises(PeerError) as refused:
        codec.load(value)
    assert refused.value.reason is Reason.ENCODING_SHAPE
    assert refused.value.detail.startswith(f"expected {words}, found ")


@pytest.mark.parametrize(
    ("codec", "value", "words"), [case for case in REFUSED if case[0] is not SHARE]
)
def test_a_codec_holds_us_to_the_same(codec: Codec[Any], value: Value, words: str) -> None:
    with pytest.raises(LocalError) as refused:
        codec.dump(value)
    assert refused.value.reason is Reason.LOCAL_ARGUMENT
    assert refused.value.detail.startswith(f"expected {words}, found ")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (10, "integer 10"),
        (-UINT_MAX - 1, "integer -18446744073709551616"),
        (10**10_000, "a longer integer"),
        (b"secret", "byte string of length 6"),
        ("short", "text 'short'"),
        ("\x1b[2J\u202e\u6c34", r"text '\x1b[2J\u202e\u6c34'"),
        ("x" * 33, "text of length 33"),
        ((1, 2), "array of length 2"),
        ({"a": 1}, "map of length 1"),
        (Even(1), "a Even"),
        (1.5, "a float"),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_what_was_found_is_told_in_few_words(found: object, words: str) -> None:
    assert misshapen("it", found).detail == f"expected it, found {words}"


def test_an_item_of_an_array_is_named() -> None:
    codec = tuple_of(uint(9), at_most=3)
    with pytest.raises(PeerError, match=r"item 2: expected an integer from 0 to 9, found null"):
        codec.load((1, 2, None))
    with pytest.raises(LocalError, match=r"item 1: expected an integer from 0 to 9, found true"):
        codec.dump((1, True))


def test_a_mapped_codec_gives_the_type_of_another_layer() -> None:
    assert EVEN.load(42) == Even(21)
    assert EVEN.dump(Even(21)) == 42
    with pytest.raises(PeerError) as refused:
        EVEN.load(41)
    assert refused.value.reason is Reason.GROUP_SCALAR_RANGE
    with pytest.raises(PeerError, match="encoding/shape"):
        EVEN.load(101)
    with pytest.raises(LocalError, match="local/argument"):
        EVEN.dump(Even(51))


def test_half_a_surrogate_pair_is_refused_by_the_encoder() -> None:
    deal = Deal(bytes(32), 0, (), "open", "\ud800", Even(0), last=False)
    with pytest.raises(LocalError) as refused:
        DEAL.write(deal)
    assert refused.value.reason is Reason.LOCAL_UNFRAMABLE


# Messages.


def test_a_message_is_the_array_of_version_kind_and_fields() -> None:
    assert DEAL.write(SAMPLE) == encode(SAMPLE_VALUE)
    assert DEAL.read(encode(SAMPLE_VALUE)) == SAMPLE


def test_a_message_may_have_no_fields() -> None:
    assert NOTHING.write(Nothing()) == encode((VERSION, "test/nothing"))
    assert NOTHING.read(NOTHING.write(Nothing())) == Nothing()


@given(
    st.builds(
        Deal,
        table=st.binary(min_size=32, max_size=32),
        height=st.integers(0, UINT_MAX),
        shares=st.lists(
            st.builds(
                Share,
                seat=st.integers(0, SEATS_MAX - 1).map(Seat),
                point=st.binary(min_size=33, max_size=33),
            ),
            max_size=3,
        ).map(tuple),
        how=st.sampled_from(["open", "seal"]),
        note=st.none() | st.text(max_size=2),
        pair=st.integers(0, 50).map(Even),
        last=st.booleans(),
    )
)
def test_what_is_written_is_read(deal: Deal) -> None:
    assert repr(DEAL.read(DEAL.write(deal))) == repr(deal)


@given(st.binary(max_size=100))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert refusal(data).slug.startswith("encoding/")


@given(st.integers(0, len(encode(SAMPLE_VALUE)) - 1), st.integers(1, 255))
def test_a_damaged_message_is_refused_or_written_as_it_is(place: int, difference: int) -> None:
    data = bytearray(encode(SAMPLE_VALUE))
    data[place] ^= difference
    try:
        deal = DEAL.read(bytes(data))
    except PeerError:
        return
    assert deal != SAMPLE
    assert DEAL.write(deal) == data


@pytest.mark.parametrize(
    ("place", "value", "detail"),
    [
        (2, bytes(31), "table: expected 32 bytes, found byte string of length 31"),
        (3, -1, f"height: expected an integer from 0 to {UINT_MAX}, found integer -1"),
        (3, True, f"height: expected an integer from 0 to {UINT_MAX}, found true"),
        (4, None, "shares: expected an array of 0 to 3 items, found null"),
        (4, ((0, bytes(33)), (1,)), "shares: item 1: expected an array of 2 items, found array"),
        (4, ((10, bytes(33)),), "shares: item 0: seat: expected an integer from 0 to 9, found"),
        (4, ((0, bytes(32)),), "shares: item 0: point: expected 33 bytes, found byte string of"),
        (5, "shut", "how: expected one of open, seal, found text 'shut'"),
        (6, "x" * 1000, "note: expected text of at most 8 bytes, found text of length 1000"),
        (8, 1, "last: expected true or false, found integer 1"),
    ],
)
def test_a_field_of_another_form_is_named(place: int, value: Value, detail: str) -> None:
    error = refusal(changed(place, value))
    assert error.reason is Reason.ENCODING_SHAPE
    assert error.detail.startswith(f"deck/deal: {detail}")


def test_a_field_may_have_a_reason_of_its_own() -> None:
    error = refusal(changed(7, 41))
    assert error.reason is Reason.GROUP_SCALAR_RANGE
    assert error.detail == "deck/deal: pair: 41 is odd"


@pytest.mark.parametrize("count", range(2, 12))
def test_a_message_has_neither_more_nor_fewer_fields(count: int) -> None:
    value = (*SAMPLE_VALUE, None, None)[:count]
    if count == len(SAMPLE_VALUE):
        assert DEAL.read(encode(value)) == SAMPLE
        return
    error = refusal(encode(value))
    assert error.reason is Reason.ENCODING_SHAPE
    assert (
        error.detail
        == f"deck/deal: expected an array of 7 items, found array of length {count - 2}"
    )


@pytest.mark.parametrize(
    ("data", "reason", "detail"),
    [
        (encode(()), Reason.ENCODING_SHAPE, "expected version, found array of length 0"),
        (encode((VERSION,)), Reason.ENCODING_SHAPE, "expected kind, found array of length 1"),
        (encode({}), Reason.ENCODING_SHAPE, "the outermost item is not an array"),
        (encode("deck/deal"), Reason.ENCODING_SHAPE, "the outermost item is not an array"),
        (changed(0, 0), Reason.ENCODING_VERSION, "expected 1, found 0"),
        (changed(0, 2), Reason.ENCODING_VERSION, "expected 1, found 2"),
        (changed(0, True), Reason.ENCODING_SHAPE, "version: expected an integer from 0 to"),
        (changed(0, "1"), Reason.ENCODING_SHAPE, "version: expected an integer from 0 to"),
        (changed(1, "deck/dea1"), Reason.ENCODING_KIND, "found text 'deck/dea1'"),
        (changed(1, ""), Reason.ENCODING_KIND, "found text ''"),
        (changed(1, b"deck/deal"), Reason.ENCODING_SHAPE, "kind: expected text of at most 64"),
        (changed(1, "x" * 65), Reason.ENCODING_SHAPE, "kind: expected text of at most 64 bytes"),
        # The version before everything else, even where the rest is no CBOR of our profile.
        (encode((2,)), Reason.ENCODING_VERSION, "expected 1, found 2"),
        (bytes.fromhex("8402f93c00c0ff"), Reason.ENCODING_VERSION, "expected 1, found 2"),
        (bytes.fromhex("8302"), Reason.ENCODING_VERSION, "expected 1, found 2"),
        # The kind before the fields; but a message of this kind must be whole.
        (bytes.fromhex("83016161ff"), Reason.ENCODING_KIND, "found text 'a'"),
        (changed(8, 1)[:-1] + b"\xff", Reason.ENCODING_INDEFINITE, "at byte"),
        (changed(8, 1)[:-1], Reason.ENCODING_TRUNCATED, "at byte"),
        (encode(SAMPLE_VALUE) + b"\0", Reason.ENCODING_TRAILING, "at byte"),
    ],
)
def test_version_comes_before_kind_before_fields(data: bytes, reason: Reason, detail: str) -> None:
    error = refusal(data)
    assert error.reason is reason
    assert error.detail.startswith(detail)


def test_the_kind_tells_who_reads() -> None:
    readers = {"deck/deal": DEAL.read, "test/nothing": NOTHING.read}
    for schema_message in (DEAL.write(SAMPLE), NOTHING.write(Nothing())):
        kind = peek_kind(schema_message, readers)
        assert readers[kind](schema_message) in (SAMPLE, Nothing())
    with pytest.raises(PeerError) as refused:
        peek_kind(DEAL.write(SAMPLE), ())
    assert refused.value.reason is Reason.ENCODING_KIND


def test_what_is_no_bytes_is_our_own_mistake() -> None:
    with pytest.raises(LocalError):
        DEAL.read("not bytes")  # type: ignore[arg-type]  # the point of the test


# Our own side.


@pytest.mark.parametrize(
    ("deal", "detail"),
    [
        (
            Deal(bytes(31), 0, (), "open", None, Even(0), last=False),
            "deck/deal: table: expected 32 bytes, found byte string of length 31",
        ),
        (
            Deal(bytes(32), 0, (Share(Seat(10), bytes(33)),), "open", None, Even(0), last=False),
            "deck/deal: shares: item 0: seat: expected an integer from 0 to 9, found integer 10",
        ),
        (
            Deal(bytes(32), 0, (Nothing(),), "open", None, Even(0), last=False),  # type: ignore[arg-type]
            "deck/deal: shares: item 0: expected a Share, found a Nothing",
        ),
        (
            Deal(bytes(32), 0, [], "open", None, Even(0), last=False),  # type: ignore[arg-type]
            "deck/deal: shares: expected an array of 0 to 3 items, found a list",
        ),
        (Nothing(), "deck/deal: expected a Deal, found a Nothing"),
    ],
)
def test_we_write_nothing_that_peers_refuse(deal: Deal, detail: str) -> None:
    with pytest.raises(LocalError) as refused:
        DEAL.write(deal)
    assert refused.value.reason is Reason.LOCAL_ARGUMENT
    assert refused.value.detail == detail


@pytest.mark.parametrize(
    ("content", "slug"),
    [
        ((bytes(MESSAGE_BYTES_MAX),), "encoding/oversized"),
        ((b"",) * ITEMS_MAX, "encoding/too-many"),
    ],
    ids=["long", "many"],
)
def test_a_message_out_of_bounds_is_not_written(content: tuple[bytes, ...], slug: str) -> None:
    with pytest.raises(LocalError) as refused:
        BLOB.write(Blob(content))
    assert refused.value.detail.startswith(f"test/blob: {slug}: ")


def test_a_message_just_within_bounds_is_written() -> None:
    overhead = len(BLOB.write(Blob((bytes(70_000),)))) - 70_000
    for content in ((bytes(MESSAGE_BYTES_MAX - overhead),), (b"",) * (ITEMS_MAX - 4)):
        assert BLOB.read(BLOB.write(Blob(content))) == Blob(content)


def test_a_record_declares_the_fields_of_its_dataclass_in_order() -> None:
    seat, point = Field("seat", SEAT), Field("point", exact_bytes(33))
    for fields in ((), (seat,), (point, seat), (seat, point, seat), (seat, Field("x", SEAT))):
        with pytest.raises(LocalError) as refused:
            RecordCodec(Share, fields)
        assert refused.value.reason is Reason.LOCAL_ARGUMENT
        assert refused.value.detail.startswith("Share holds ['seat', 'point'], declared are [")
    with pytest.raises(LocalError, match=r"int holds None, declared are \[\]"):
        RecordCodec(int, ())


def test_a_kind_has_a_short_name() -> None:
    assert Schema("x" * KIND_BYTES_MAX, NOTHING.record).kind == "x" * KIND_BYTES_MAX
    with pytest.raises(LocalError, match="text of at most 64 bytes"):
        Schema("x" * (KIND_BYTES_MAX + 1), NOTHING.record)
