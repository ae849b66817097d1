"""Attacks with bytes: points and scalars that are none, or that are one in several ways.

Whatever a peer sends is read by `deck.part_bytes` before anything believes it. The identity, points
off the curve, points of other lengths and forms, and scalars not below the order never become
values. Two encodings of one value would make two messages of one, with two hashes.
"""

from __future__ import annotations

import pytest

from nodealer.crypto import Proof, Seed
from nodealer.deck import KeyPart, OpenKey, deck_messages
from nodealer.kernel import LocalError, Reason, encode
from tests.attacks.tools import GROUP, G, forbidden, refused

MESSAGES = deck_messages(GROUP)
ORDER = GROUP.order.to_bytes(32, "big")
BASE = G.encode()
PROOF = Proof(bytes(16), (1,)).to_bytes()
Y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"


def message(*, X: bytes = BASE, proof: bytes = PROOF) -> bytes:
    """Return the message of a key with any bytes in the place of the key or the proof."""
    honest = MESSAGES.write(KeyPart(G, Proof.from_bytes(GROUP, PROOF, 1)))
    return honest.replace(encode(BASE), encode(X)).replace(encode(PROOF), encode(proof))


def test_the_message_is_read_if_nothing_is_wrong_with_it() -> None:
    assert MESSAGES.read(message(), KeyPart).X == G


NO_POINTS = {
    "the identity as one byte": (b"\0", Reason.ENCODING_SHAPE),
    "the identity as zeros": (bytes(33), Reason.GROUP_POINT_PREFIX),
    "a point uncompressed": (b"\4" + BASE[1:] + bytes.fromhex(Y), Reason.ENCODING_SHAPE),
    "a point in hybrid form": (b"\6" + BASE[1:] + bytes.fromhex(Y), Reason.ENCODING_SHAPE),
    "a hybrid prefix": (b"\6" + BASE[1:], Reason.GROUP_POINT_PREFIX),
    "another prefix": (b"\4" + BASE[1:], Reason.GROUP_POINT_PREFIX),
    "off the curve": (b"\2" + (5).to_bytes(32, "big"), Reason.GROUP_POINT_OFF_CURVE),
    "a coordinate beyond the field": (b"\2" + b"\xff" * 32, Reason.GROUP_POINT_OFF_CURVE),
    "a byte too few": (BASE[:-1], Reason.ENCODING_SHAPE),
    "a byte too many": (BASE + b"\0", Reason.ENCODING_SHAPE),
    "nothing": (b"", Reason.ENCODING_SHAPE),
}


@pytest.mark.parametrize("name", NO_POINTS)
def test_what_is_no_point_is_refused(name: str) -> None:
    data, reason = NO_POINTS[name]
    with refused(reason):
        MESSAGES.read(message(X=data), KeyPart)


DIRECT = {
    "65 bytes": (b"\4" + BASE[1:] + bytes.fromhex(Y), Reason.GROUP_POINT_LENGTH),
    "65 bytes, hybrid": (b"\6" + BASE[1:] + bytes.fromhex(Y), Reason.GROUP_POINT_LENGTH),
    "hybrid prefix": (b"\7" + BASE[1:], Reason.GROUP_POINT_PREFIX),
    "zeros": (bytes(33), Reason.GROUP_POINT_PREFIX),
    "the identity": (GROUP.identity.encode(), Reason.GROUP_POINT_LENGTH),
}


@pytest.mark.parametrize("name", DIRECT)
def test_the_group_itself_reads_one_form_only(name: str) -> None:
    data, reason = DIRECT[name]
    with refused(reason):
        GROUP.read_point(data)


NO_SCALARS = {
    "the order": (ORDER, Reason.GROUP_SCALAR_RANGE),
    "above the order": (b"\xff" * 32, Reason.GROUP_SCALAR_RANGE),
    "33 bytes": (b"\0" * 33, Reason.GROUP_SCALAR_LENGTH),
    "31 bytes": (b"\1" * 31, Reason.GROUP_SCALAR_LENGTH),
    "nothing": (b"", Reason.GROUP_SCALAR_LENGTH),
}


@pytest.mark.parametrize("name", NO_SCALARS)
def test_the_group_reads_no_scalar_in_two_ways(name: str) -> None:
    data, reason = NO_SCALARS[name]
    with refused(reason):
        GROUP.read_scalar(data)


@pytest.mark.parametrize("name", ["the order", "above the order"])
def test_a_proof_or_key_with_such_a_scalar_is_refused(name: str) -> None:
    data, reason = NO_SCALARS[name]
    with refused(reason):
        MESSAGES.read(message(proof=bytes(16) + data), KeyPart)
    opening = MESSAGES.write(OpenKey(1)).replace(PROOF[16:], data)
    with refused(reason):
        MESSAGES.read(opening, OpenKey)


@pytest.mark.parametrize("length", [0, 15, 17, 47, 49])
def test_a_proof_of_another_length_is_refused(length: int) -> None:
    with refused(Reason.PROOF_LENGTH):
        MESSAGES.read(message(proof=bytes(length)), KeyPart)


def test_a_key_that_is_nothing_cannot_even_be_written() -> None:
    with forbidden(Reason.LOCAL_ARGUMENT):
        MESSAGES.write(KeyPart(GROUP.identity, Proof(bytes(16), (1,))))


def test_a_challenge_has_one_length() -> None:
    for length in (0, 15, 17, 32):
        with refused(Reason.GROUP_CHALLENGE_LENGTH):
            GROUP.short_scalar(bytes(length))


def test_a_seed_has_one_length() -> None:
    for length in (0, 31, 33):
        with pytest.raises(LocalError):
            Seed(GROUP, bytes(length))
