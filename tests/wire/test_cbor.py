"""The reader accepts what the writer writes and nothing else, and no bytes cost more than they are.

The invariant is checked from three sides: values are drawn and their encodings read; bytes are
drawn, or made from encodings by small changes, and whatever is accepted is written again; and all
short byte strings are tried, with the number of accepted ones counted by hand. `cbor2` is the
second opinion on what the bytes mean.
"""

import os
import tracemalloc
from collections.abc import Iterator
from itertools import product

import cbor2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nodealer.kernel import LocalError, PeerError, Reason, Value, encode
from nodealer.kernel.limits import ITEMS_MAX, MESSAGE_BYTES_MAX, NESTING_MAX, UINT_MAX
from nodealer.wire import decode, decode_head

FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

SCALARS: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-UINT_MAX - 1, UINT_MAX),
    st.integers(-300, 300),
    st.binary(max_size=40),
    st.text(max_size=40),
)


def inner(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    arrays = st.lists(values, max_size=4).map(tuple)
    return st.one_of(arrays, st.dictionaries(st.text(max_size=30), values, max_size=4))


VALUES = st.one_of(SCALARS, inner(st.one_of(SCALARS, inner(st.one_of(SCALARS, inner(SCALARS))))))

SAMPLES: list[Value] = [
    (1, "table/seated", bytes(range(32)), 7, None),
    (1, "deck/shuffle", bytes(33), (b"\x02" * 33, b"\x03" * 33), 65_536, -1, True),
    {"a": 1, "b": {"": (False, 256)}, "aa": ("é", None), "z" * 24: 1 << 32},
    ((((((((),),),),),),), {"k": ({"k": ({"k": b""},)},)}),
]


def reason_for(data: bytes) -> Reason:
    with pytest.raises(PeerError) as caught:
        decode(data)
    return caught.value.reason


def is_read(data: bytes) -> bool:
    """Say whether `data` is accepted, and check on the way whatever must hold for any bytes."""
    try:
        value = decode(data)
    except PeerError:
        return False
    assert encode(value) == data
    return True


def sorted_maps(value: Value) -> Value:
    """Return `value` as it is read: every map in the order of its encoded keys."""
    if isinstance(value, dict):
        return {key: sorted_maps(value[key]) for key in sorted(value, key=encode)}
    if isinstance(value, tuple):
        return tuple(map(sorted_maps, value))
    return value


def changes(data: bytes) -> Iterator[bytes]:
    """Yield `data` with each byte changed to each other value, left out, doubled, or the last."""
    for place, byte in enumerate(data):
        for other in range(256):
            if other != byte:
                yield data[:place] + bytes([other]) + data[place + 1 :]
        yield data[:place] + data[place + 1 :]
        yield data[: place + 1] + data[place:]
        yield data[:place]


@given(VALUES)
def test_what_is_written_is_read(value: Value) -> None:
    # `repr` because to Python, but not here, 1 and true are equal.
    assert repr(decode(encode(value))) == repr(sorted_maps(value))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    is_read(data)


@given(st.data())
def test_damaged_encodings_are_read_as_themselves_or_refused(data: st.DataObject) -> None:
    encoded = bytearray(encode(data.draw(VALUES)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(encoded)))
        encoded[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    is_read(bytes(encoded))


@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
def test_every_small_change_of_a_message_is_another_value_or_refused(sample: Value) -> None:
    data = encode(sample)
    assert is_read(data)
    for changed in changes(data):
        if is_read(changed):
            assert repr(decode(changed)) != repr(decode(data))


ACCEPTED_BY_LENGTH = {
    0: 0,
    # 24 unsigned and 24 negative integers, 3 constants, 4 empty strings and containers.
    1: 24 + 24 + 3 + 4,
    # Integers from 24 to 255; strings of one byte, text in ASCII; an array of one item of one byte.
    2: 2 * (256 - 24) + 256 + 128 + 55,
    # Integers from 256 to 65,535; strings of two bytes, text of two characters or one of two bytes;
    # an array of one item of two bytes, or of two of one; a map from the empty text.
    3: 2 * (65_536 - 256) + 65_536 + (128**2 + 1920) + 903 + 55**2 + 55,
}


@pytest.mark.parametrize("length", range(4) if FULL else range(3))
def test_exactly_the_short_encodings_are_read(length: int) -> None:
    accepted = sum(is_read(bytes(data)) for data in product(range(256), repeat=length))
    assert accepted == ACCEPTED_BY_LENGTH[length]


def is_read_by_cbor2(data: bytes) -> bool:
    """Say whether `cbor2` reads a value of our profile from `data`, which is its encoding."""
    try:
        return encode(cbor2.loads(data)) == data
    except Exception:  # noqa: BLE001 - what it raises for malformed bytes is its own affair
        return False


@given(st.one_of(st.binary(max_size=24), VALUES.map(encode).filter(lambda data: len(data) < 60)))
@example(b"\x9b" + b"\xff" * 8)
@example(b"\x5b" + b"\x7f" * 8)
@example(bytes.fromhex("c249010000000000000000"))
@example(bytes.fromhex("a2616101616102"))
@example(bytes.fromhex("d81c81d81d00"))
def test_cbor2_agrees_on_what_is_read(data: bytes) -> None:
    assert is_read(data) == is_read_by_cbor2(data)
    for end in range(len(data)):
        assert not is_read_by_cbor2(data[:end]) or is_read(data[:end])


@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
def test_cbor2_agrees_on_small_changes(sample: Value) -> None:
    data = encode(sample)
    for place, bit in product(range(len(data)), range(8)):
        changed = data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]
        assert is_read(changed) == is_read_by_cbor2(changed)


@pytest.mark.parametrize("first_byte", range(256))
def test_every_first_byte_has_its_reason(first_byte: int) -> None:
    # With 0xff behind it, so that no argument is too short, a length is too long, and text is bad.
    major, low_bits = first_byte >> 5, first_byte & 31
    data = bytes([first_byte]) + b"\xff" * 40
    if low_bits == 31:
        expected = Reason.ENCODING_INDEFINITE
    elif low_bits in (28, 29, 30) or major == 6 or (major == 7 and low_bits not in (20, 21, 22)):
        expected = Reason.ENCODING_UNSUPPORTED
    elif major in (0, 1, 7) or first_byte in (0x40, 0x60, 0x80, 0xA0):
        expected = Reason.ENCODING_TRAILING
    elif major == 2:
        expected = Reason.ENCODING_TRAILING if low_bits < 24 else Reason.ENCODING_TRUNCATED
    elif major == 3:
        expected = Reason.ENCODING_TEXT if low_bits < 24 else Reason.ENCODING_TRUNCATED
    else:
        # An array of 255 may be a message, one of 65,535 may not.
        expected = Reason.ENCODING_INDEFINITE if low_bits < 25 else Reason.ENCODING_TOO_MANY
    assert reason_for(data) is expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.ENCODING_TRUNCATED),
        ("0000", Reason.ENCODING_TRAILING),
        ("8000", Reason.ENCODING_TRAILING),
        # Each form just below its least argument, as number, as length and as count.
        ("1817", Reason.ENCODING_NOT_MINIMAL),
        ("1900ff", Reason.ENCODING_NOT_MINIMAL),
        ("1a0000ffff", Reason.ENCODING_NOT_MINIMAL),
        ("1b00000000ffffffff", Reason.ENCODING_NOT_MINIMAL),
        ("3817", Reason.ENCODING_NOT_MINIMAL),
        ("3b00000000ffffffff", Reason.ENCODING_NOT_MINIMAL),
        ("580161", Reason.ENCODING_NOT_MINIMAL),
        ("780161", Reason.ENCODING_NOT_MINIMAL),
        ("980100", Reason.ENCODING_NOT_MINIMAL),
        ("b801616100", Reason.ENCODING_NOT_MINIMAL),
        ("a17801616100", Reason.ENCODING_NOT_MINIMAL),
        # Text: a lone continuation, an overlong form, a surrogate, beyond Unicode, cut short.
        ("6180", Reason.ENCODING_TEXT),
        ("62c080", Reason.ENCODING_TEXT),
        ("63eda080", Reason.ENCODING_TEXT),
        ("64f4908080", Reason.ENCODING_TEXT),
        ("61c3", Reason.ENCODING_TEXT),
        ("a161ff00", Reason.ENCODING_TEXT),
        # Keys of every other kind.
        ("a10000", Reason.ENCODING_KEY),
        ("a12000", Reason.ENCODING_KEY),
        ("a1416100", Reason.ENCODING_KEY),
        ("a18000", Reason.ENCODING_KEY),
        ("a1a000", Reason.ENCODING_KEY),
        ("a1f500", Reason.ENCODING_KEY),
        ("a1f600", Reason.ENCODING_KEY),
        # Keys twice; descending; by length first, as the encoding has it.
        ("a261610061610a", Reason.ENCODING_KEY_ORDER),
        ("a2606160600a", Reason.ENCODING_KEY_ORDER),
        ("a261620061610a", Reason.ENCODING_KEY_ORDER),
        ("a26261610061620a", Reason.ENCODING_KEY_ORDER),
    ],
)
def test_a_defect_has_its_reason(text: str, reason: Reason) -> None:
    assert reason_for(bytes.fromhex(text)) is reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # The form of an item before its number, and its number before what it announces.
        ("ff0000", Reason.ENCODING_INDEFINITE),
        ("d8", Reason.ENCODING_UNSUPPORTED),
        ("9b0000000000000001", Reason.ENCODING_NOT_MINIMAL),
        ("5817", Reason.ENCODING_NOT_MINIMAL),
        # Depth before count, count before content.
        (8 * "81" + "9a00100000", Reason.ENCODING_TOO_DEEP),
        ("9a00100000ff", Reason.ENCODING_TOO_MANY),
        # A key before its value, an item before what follows, the inside before the end.
        ("a26161006161ff", Reason.ENCODING_KEY_ORDER),
        ("a2616100616100ff", Reason.ENCODING_KEY_ORDER),
        ("8261ff1817", Reason.ENCODING_TEXT),
        ("82181761ff", Reason.ENCODING_NOT_MINIMAL),
        ("8118170000", Reason.ENCODING_NOT_MINIMAL),
    ],
)
def test_of_two_defects_the_first_is_named(text: str, reason: Reason) -> None:
    assert reason_for(bytes.fromhex(text)) is reason


def test_the_place_of_a_defect_is_told() -> None:
    with pytest.raises(PeerError, match=r"at byte 4\b"):
        decode(bytes.fromhex("83000018"))


@pytest.mark.parametrize("data", [None, "", "00", 0, bytearray(b"\0"), memoryview(b"\0"), [0]])
def test_what_is_not_bytes_is_our_own_mistake(data: object) -> None:
    for read in (decode, lambda argument: decode_head(argument, 1)):
        with pytest.raises(LocalError) as caught:
            read(data)  # type: ignore[arg-type]  # the point of the test
        assert caught.value.reason is Reason.LOCAL_ARGUMENT


def test_true_and_one_stay_apart() -> None:
    assert decode(b"\xf5") is True
    assert decode(b"\xf4") is False
    assert type(decode(b"\x01")) is int
    assert [type(item) for item in decode_head(b"\x83\xf5\x01\xf6", 3)] == [bool, int, type(None)]


def test_strings_are_plain_bytes_and_containers_plain_values() -> None:
    value = decode(encode({"a": [b"x" * 1000, "y", {}]}))
    assert type(value) is dict
    assert type(value["a"]) is tuple
    assert [type(item) for item in value["a"]] == [bytes, str, dict]


# Bounds, and the memory that reading may take.


def test_the_longest_message_is_read() -> None:
    data = encode(bytes(MESSAGE_BYTES_MAX - 5))
    assert len(data) == MESSAGE_BYTES_MAX
    assert is_read(data)
    assert reason_for(data + b"\0") is Reason.ENCODING_OVERSIZED
    assert reason_for(b"\xff" * (MESSAGE_BYTES_MAX + 1)) is Reason.ENCODING_OVERSIZED


@pytest.mark.parametrize("container", [b"\x81", b"\xa1\x60"])
def test_the_deepest_message_is_read(container: bytes) -> None:
    for core in (b"\0", b"\x41x", b"\xf6"):
        assert is_read(container * NESTING_MAX + core)
    for core in (b"\x80", b"\xa0", b"\x81\0", b"\xa1\x60\0"):
        assert is_read(container * (NESTING_MAX - 1) + core)
        assert reason_for(container * NESTING_MAX + core) is Reason.ENCODING_TOO_DEEP
    assert reason_for(container * 100_000) is Reason.ENCODING_TOO_DEEP


def test_siblings_do_not_add_to_the_depth() -> None:
    assert is_read(b"\x98\x64" + 100 * (b"\x81" * (NESTING_MAX - 2) + b"\x80"))


def array_of(count: int, item: bytes) -> bytes:
    return b"\x99" + count.to_bytes(2, "big") + item * count


def map_of(count: int) -> bytes:
    entries = b"".join(b"\x64%04x\xf6" % number for number in range(count))
    return b"\xb9" + count.to_bytes(2, "big") + entries


def test_the_message_with_most_items_is_read() -> None:
    # The outermost item counts; keys and values count each; so do all that lie deeper.
    assert is_read(array_of(ITEMS_MAX - 1, b"\0"))
    assert reason_for(array_of(ITEMS_MAX, b"\0")) is Reason.ENCODING_TOO_MANY
    assert is_read(map_of(ITEMS_MAX // 2 - 1))
    assert reason_for(map_of(ITEMS_MAX // 2)) is Reason.ENCODING_TOO_MANY
    assert is_read(array_of(ITEMS_MAX // 2 - 1, b"\x81\0"))
    assert reason_for(array_of(ITEMS_MAX // 2, b"\x81\0")) is Reason.ENCODING_TOO_MANY


HUGE = [0xFF, 0xFFFF, 0xFFFF_FFFF, 1 << 60, UINT_MAX]


def announcing(major: int, count: int) -> bytes:
    power = next(power for power in range(4) if count < 1 << (8 << power))
    return bytes([major << 5 | 24 + power]) + count.to_bytes(1 << power, "big")


def peak_of_refusing(data: bytes) -> int:
    """Return the bytes of memory that refusing `data` takes at most."""
    reason_for(data)  # once before, so that whatever is made only once is there
    tracemalloc.start()
    try:
        reason_for(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("major", [2, 3, 4, 5])
@pytest.mark.parametrize("count", HUGE)
def test_announcing_much_takes_no_memory(major: int, count: int) -> None:
    for before in (b"", b"\x81", b"\x82\0", b"\xa1\x60"):
        assert peak_of_refusing(before + announcing(major, count)) < 20_000


@pytest.mark.parametrize(
    "flood",
    [
        b"\x80" * MESSAGE_BYTES_MAX,
        b"\x81" * MESSAGE_BYTES_MAX,
        b"\x98\xff" * (MESSAGE_BYTES_MAX // 2),
        b"\xb8\xff\x60" * (MESSAGE_BYTES_MAX // 3),
        b"\x99\x3f\xff" * (MESSAGE_BYTES_MAX // 3),
        b"\x87" + (b"\x99\x3f\xf0" + b"\xa0" * 0x3FF0) * 60,
    ],
    ids=["empty", "deep", "arrays", "maps", "full arrays", "items"],
)
def test_floods_take_little_memory(flood: bytes) -> None:
    # The last one is the worst: an empty map for every byte, until the budget is spent.
    assert peak_of_refusing(flood) < 100 * ITEMS_MAX


def test_a_long_string_is_held_once() -> None:
    data = encode((1, "deck/shuffle", bytes(MESSAGE_BYTES_MAX - 100)))
    tracemalloc.start()
    try:
        value = decode(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert encode(value) == data
    assert peak < len(data) + 20_000


# The head of an array.


@given(st.lists(st.one_of(SCALARS, inner(SCALARS)), max_size=5), st.integers(0, 6))
def test_a_head_is_the_beginning_of_the_value(items: list[Value], count: int) -> None:
    data = encode(items)
    value = decode(data)
    assert isinstance(value, tuple)
    assert repr(decode_head(data, count)) == repr(value[:count])


def test_what_lies_behind_the_head_is_not_looked_at() -> None:
    assert decode_head(b"\x83\x02\xff\xff\xff", 1) == (2,)
    assert decode_head(b"\x83", 0) == ()
    assert decode_head(b"\x80\xff", 2) == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.ENCODING_TRUNCATED),
        ("01", Reason.ENCODING_SHAPE),
        ("a0", Reason.ENCODING_SHAPE),
        ("8201", Reason.ENCODING_TRUNCATED),
        ("8201ff", Reason.ENCODING_INDEFINITE),
        ("9a0010000000", Reason.ENCODING_TOO_MANY),
        ("82" + 8 * "81" + "00", Reason.ENCODING_TOO_DEEP),
    ],
)
def test_a_bad_head_is_refused(text: str, reason: Reason) -> None:
    with pytest.raises(PeerError) as caught:
        decode_head(bytes.fromhex(text), 2)
    assert caught.value.reason is reason


@given(st.binary(max_size=40), st.integers(0, 3))
def test_the_head_of_any_bytes_is_read_or_refused(data: bytes, count: int) -> None:
    try:
        head = decode_head(data, count)
    except PeerError:
        return
    assert len(head) <= count
