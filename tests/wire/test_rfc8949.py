"""The examples of the standard: RFC 8949, appendix A (values) and appendix F (malformed bytes).

Every example is here, with what our profile makes of it: the value, whose encoding must be the
same bytes again, or the reason for which it is refused.
"""

import pytest

from nodealer.kernel import PeerError, Reason, Value, encode
from nodealer.wire import decode

ONE_TO_25 = tuple(range(1, 26))

VALUES: list[tuple[str, Value]] = [
    ("00", 0),
    ("01", 1),
    ("0a", 10),
    ("17", 23),
    ("1818", 24),
    ("1819", 25),
    ("1864", 100),
    ("1903e8", 1000),
    ("1a000f4240", 1_000_000),
    ("1b000000e8d4a51000", 1_000_000_000_000),
    ("1bffffffffffffffff", 18_446_744_073_709_551_615),
    ("3bffffffffffffffff", -18_446_744_073_709_551_616),
    ("20", -1),
    ("29", -10),
    ("3863", -100),
    ("3903e7", -1000),
    ("f4", False),
    ("f5", True),
    ("f6", None),
    ("40", b""),
    ("4401020304", b"\x01\x02\x03\x04"),
    ("60", ""),
    ("6161", "a"),
    ("6449455446", "IETF"),
    ("62225c", '"\\'),
    ("62c3bc", "\u00fc"),
    ("63e6b0b4", "\u6c34"),
    ("64f0908591", "\U00010151"),
    ("80", ()),
    ("83010203", (1, 2, 3)),
    ("8301820203820405", (1, (2, 3), (4, 5))),
    ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", ONE_TO_25),
    ("a0", {}),
    ("a26161016162820203", {"a": 1, "b": (2, 3)}),
    ("826161a161626163", ("a", {"b": "c"})),
    (
        "a56161614161626142616361436164614461656145",
        {"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"},
    ),
]
"""Appendix A: what is inside the profile."""

FOREIGN: list[tuple[str, Reason]] = [
    # Integers of more than 64 bits.
    ("c249010000000000000000", Reason.ENCODING_UNSUPPORTED),
    ("c349010000000000000000", Reason.ENCODING_UNSUPPORTED),
    # Floats.
    ("f90000", Reason.ENCODING_UNSUPPORTED),
    ("f98000", Reason.ENCODING_UNSUPPORTED),
    ("f93c00", Reason.ENCODING_UNSUPPORTED),
    ("fb3ff199999999999a", Reason.ENCODING_UNSUPPORTED),
    ("f93e00", Reason.ENCODING_UNSUPPORTED),
    ("f97bff", Reason.ENCODING_UNSUPPORTED),
    ("fa47c35000", Reason.ENCODING_UNSUPPORTED),
    ("fa7f7fffff", Reason.ENCODING_UNSUPPORTED),
    ("fb7e37e43c8800759c", Reason.ENCODING_UNSUPPORTED),
    ("f90001", Reason.ENCODING_UNSUPPORTED),
    ("f90400", Reason.ENCODING_UNSUPPORTED),
    ("f9c400", Reason.ENCODING_UNSUPPORTED),
    ("fbc010666666666666", Reason.ENCODING_UNSUPPORTED),
    ("f97c00", Reason.ENCODING_UNSUPPORTED),
    ("f97e00", Reason.ENCODING_UNSUPPORTED),
    ("f9fc00", Reason.ENCODING_UNSUPPORTED),
    ("fa7f800000", Reason.ENCODING_UNSUPPORTED),
    ("fa7fc00000", Reason.ENCODING_UNSUPPORTED),
    ("faff800000", Reason.ENCODING_UNSUPPORTED),
    ("fb7ff0000000000000", Reason.ENCODING_UNSUPPORTED),
    ("fb7ff8000000000000", Reason.ENCODING_UNSUPPORTED),
    ("fbfff0000000000000", Reason.ENCODING_UNSUPPORTED),
    # Other simple values.
    ("f7", Reason.ENCODING_UNSUPPORTED),
    ("f0", Reason.ENCODING_UNSUPPORTED),
    ("f8ff", Reason.ENCODING_UNSUPPORTED),
    # Tags.
    ("c074323031332d30332d32315432303a30343a30305a", Reason.ENCODING_UNSUPPORTED),
    ("c11a514b67b0", Reason.ENCODING_UNSUPPORTED),
    ("c1fb41d452d9ec200000", Reason.ENCODING_UNSUPPORTED),
    ("d74401020304", Reason.ENCODING_UNSUPPORTED),
    ("d818456449455446", Reason.ENCODING_UNSUPPORTED),
    ("d82076687474703a2f2f7777772e6578616d706c652e636f6d", Reason.ENCODING_UNSUPPORTED),
    # Keys that are not text.
    ("a201020304", Reason.ENCODING_KEY),
    # Indefinite lengths.
    ("5f42010243030405ff", Reason.ENCODING_INDEFINITE),
    ("7f657374726561646d696e67ff", Reason.ENCODING_INDEFINITE),
    ("9fff", Reason.ENCODING_INDEFINITE),
    ("9f018202039f0405ffff", Reason.ENCODING_INDEFINITE),
    ("9f01820203820405ff", Reason.ENCODING_INDEFINITE),
    ("83018202039f0405ff", Reason.ENCODING_INDEFINITE),
    ("83019f0203ff820405", Reason.ENCODING_INDEFINITE),
    ("9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", Reason.ENCODING_INDEFINITE),
    ("bf61610161629f0203ffff", Reason.ENCODING_INDEFINITE),
    ("826161bf61626163ff", Reason.ENCODING_INDEFINITE),
    ("bf6346756ef563416d7421ff", Reason.ENCODING_INDEFINITE),
]
"""Appendix A: what is outside the profile."""

MALFORMED: dict[Reason, str] = {
    Reason.ENCODING_TRUNCATED: """
        18 19 1a 1b 1901 1a0102 1b01020304050607 38 58 78 98 9a01ff00 b8
        41 61 5affffffff00 5bffffffffffffffff010203 7affffffff00 7b7fffffffffffffff010203
        81 8200 a1
    """,
    Reason.ENCODING_UNSUPPORTED: """
        d8 f8 f900 fa0000 fb000000 c0
        1c 1d 1e 3c 3d 3e 5c 5d 5e 7c 7d 7e 9c 9d 9e bc bd be dc dd de fc fd fe
        f800 f801 f818 f81f
    """,
    Reason.ENCODING_INDEFINITE: """
        5f4100 7f6100
        9f 9f0102 bf bf01020102 819f 9f8000 9f9f9f9f9fffffffff 9f819f819f9fffffff
        5f00ff 5f21ff 5f6100ff 5f80ff 5fa0ff 5fc000ff 5fe0ff 7f4100ff
        5f5f4100ffff 7f7f6100ffff
        ff 81ff 8200ff a1ff a1ff00 9f81ff 9f829f819f9fffffffff
        bf00ff bf000000ff
        1f 3f df
    """,
    Reason.ENCODING_KEY: "a20102 a100 a2000000 a100ff a20000ff",
    Reason.ENCODING_TOO_DEEP: "818181818181818181",
}
"""Appendix F: bytes that are no CBOR, by the first thing that our reader finds wrong with them."""

MALFORMED_CASES = [(text, reason) for reason, cases in MALFORMED.items() for text in cases.split()]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_value_of_the_profile_is_read_and_written(text: str, value: Value) -> None:
    read = decode(bytes.fromhex(text))
    assert repr(read) == repr(value)
    assert encode(read).hex() == text


@pytest.mark.parametrize(("text", "reason"), FOREIGN)
def test_a_value_outside_the_profile_is_refused(text: str, reason: Reason) -> None:
    with pytest.raises(PeerError) as caught:
        decode(bytes.fromhex(text))
    assert caught.value.reason is reason


@pytest.mark.parametrize(("text", "reason"), MALFORMED_CASES)
def test_malformed_bytes_are_refused(text: str, reason: Reason) -> None:
    with pytest.raises(PeerError) as caught:
        decode(bytes.fromhex(text))
    assert caught.value.reason is reason


def test_no_example_stands_here_twice() -> None:
    texts = [text for text, _ in [*VALUES, *FOREIGN, *MALFORMED_CASES]]
    assert len(set(texts)) == len(texts)
