"""Items one after another are told apart without being read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.kernel import PeerError, Reason, encode
from nodealer.kernel.limits import ITEMS_MAX, MESSAGE_BYTES_MAX
from nodealer.wire import decode, split

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**64), 2**64 - 1) | st.binary() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(VALUES.map(encode), max_size=6))
def test_what_was_put_together_is_taken_apart(items: list[bytes]) -> None:
    assert list(split(b"".join(items))) == items


@given(st.binary(max_size=100))
def test_whatever_is_one_item_to_the_reader_is_one_item_here(data: bytes) -> None:
    try:
        decode(data)
    except PeerError:
        return
    assert list(split(data)) == [data]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x82\x01", Reason.ENCODING_TRUNCATED),
        (b"\x01\x43ab", Reason.ENCODING_TRUNCATED),
        (b"\x01\x19\x01", Reason.ENCODING_TRUNCATED),
        (b"\x9f\x01\xff", Reason.ENCODING_INDEFINITE),
        (b"\x1c", Reason.ENCODING_UNSUPPORTED),
        (b"\x9a\x00\x00\x40\x00", Reason.ENCODING_TOO_MANY),
        (b"\xbb" + b"\xff" * 8, Reason.ENCODING_TOO_MANY),
        (b"\x5a\x00\x10\x00\x00", Reason.ENCODING_OVERSIZED),
        (b"\x5b" + b"\xff" * 8, Reason.ENCODING_OVERSIZED),
    ],
)
def test_an_item_without_a_findable_end(data: bytes, reason: Reason) -> None:
    with pytest.raises(PeerError) as caught:
        list(split(data))
    assert caught.value.reason is reason


def test_the_longest_item_is_found() -> None:
    items = [
        encode(bytes(MESSAGE_BYTES_MAX - 5)),
        encode([0] * (ITEMS_MAX - 1)),
    ]
    assert [len(item) for item in split(b"".join(items))] == [MESSAGE_BYTES_MAX, ITEMS_MAX + 2]
