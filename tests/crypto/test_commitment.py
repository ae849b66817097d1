"""Commitments: bound to everything that stands inside them, and opened in one way only."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import commit, joint_hash, verify_opening
from nodealer.kernel import Reason, Seat, TableId, frame
from nodealer.kernel.limits import OPENED_VALUE_BYTES_MAX
from tests.crypto.tools import hashed, refused


class Opening(NamedTuple):
    """What a seat has committed to."""

    table: TableId = TableId(hashed("table"))
    label: bytes = b"coin/3"
    seat: Seat = Seat(2)
    value: bytes = b"card 66"
    salt: bytes = hashed("salt")

    def commitment(self) -> bytes:
        return commit(*self)

    def check(self, commitment: bytes) -> None:
        verify_opening(self.table, self.label, self.seat, commitment, self.value, self.salt)


def test_a_commitment_is_what_the_description_says() -> None:
    told = Opening()
    framed = frame("nodealer/1/commit", told.table, told.label, 2, told.value, told.salt)
    assert told.commitment() == sha256(framed).digest()


@given(st.binary(max_size=60), st.binary(max_size=60), st.integers(0, 9))
def test_an_honest_opening_is_accepted(label: bytes, value: bytes, seat: int) -> None:
    told = Opening(label=label, value=value, seat=Seat(seat))
    told.check(told.commitment())


@pytest.mark.parametrize(
    "changed",
    [
        Opening(table=TableId(hashed("another table"))),
        Opening(label=b"coin/4"),
        Opening(label=b""),
        Opening(seat=Seat(1)),
        Opening(value=b"card 67"),
        Opening(value=b""),
        Opening(value=b"card 66\0"),
        Opening(salt=hashed("another salt")),
        Opening(label=b"coin/3card 66", value=b""),
        Opening(label=b"coin/", value=b"3card 66"),
    ],
)
def test_everything_inside_counts(changed: Opening) -> None:
    with refused(Reason.COMMIT_MISMATCH):
        changed.check(Opening().commitment())
    assert changed.commitment() != Opening().commitment()


def test_a_copied_commitment_cannot_be_opened_by_another_seat() -> None:
    """The last to commit copies a rival's commitment and, later, the opening."""
    copied = Opening().commitment()
    for seat in (0, 1, 3):
        with refused(Reason.COMMIT_MISMATCH):
            Opening(seat=Seat(seat)).check(copied)


def test_every_bit_of_a_commitment_counts() -> None:
    for bit in range(256):
        number = int.from_bytes(Opening().commitment(), "big") ^ 1 << bit
        with refused(Reason.COMMIT_MISMATCH):
            Opening().check(number.to_bytes(32, "big"))


def test_commitment_and_salt_have_thirty_two_bytes() -> None:
    told = Opening()
    for length in (*range(32), 33, 64):
        with refused(Reason.COMMIT_LENGTH):
            told.check((told.commitment() * 2)[:length])
        short = told._replace(salt=(told.salt * 2)[:length])
        with refused(Reason.COMMIT_LENGTH):
            short.check(short.commitment())


def test_an_opened_value_is_bounded() -> None:
    longest = Opening(value=bytes(OPENED_VALUE_BYTES_MAX))
    longest.check(longest.commitment())
    longer = Opening(value=bytes(OPENED_VALUE_BYTES_MAX + 1))
    with refused(Reason.COMMIT_OVERSIZED):
        longer.check(longer.commitment())


def test_a_joint_hash_is_what_the_description_says() -> None:
    table, values = TableId(hashed("table")), [b"one", b"", b"three"]
    framed = frame("nodealer/1/coin", table, b"coin/3", values)
    assert joint_hash("nodealer/1/coin", table, b"coin/3", values) == sha256(framed).digest()


def test_a_joint_hash_depends_on_every_value_its_order_and_its_place() -> None:
    table = TableId(hashed("table"))
    rows = [list(row) for row in permutations([b"a", b"b", b"c"])]
    rows += [[b"ab", b"", b"c"], [b"a", b"bc"], [b"abc"], [], [b"a", b"b", b"c", b""]]
    hashes = [joint_hash("domain", table, b"label", row) for row in rows]
    hashes += [
        joint_hash("other", table, b"label", rows[0]),
        joint_hash("domain", TableId(bytes(32)), b"label", rows[0]),
        joint_hash("domain", table, b"label?", rows[0]),
    ]
    assert len(set(hashes)) == len(rows) + 3


@pytest.mark.parametrize("place", range(3))
def test_one_honest_value_makes_a_joint_coin_even(place: int) -> None:
    """Whatever the others put in, the low bit follows the one value that they cannot know."""
    table, fixed = TableId(hashed("table")), [b"x", b"y", b"z"]
    bits = 0
    for number in range(1000):
        values = [*fixed[:place], hashed("coin", number), *fixed[place + 1 :]]
        bits += joint_hash("domain", table, b"label", values)[-1] & 1
    assert 430 < bits < 570
