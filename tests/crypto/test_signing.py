"""Signatures: the vectors of the standard, one domain for each purpose, and no weak keys."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from nodealer.crypto import SigningKey, VerifyKey
from nodealer.crypto.signing import _LOW_ORDER_Y
from nodealer.kernel import Reason, Value, frame
from tests.crypto import reference_edwards as reference
from tests.crypto.rfc8032_vectors import VECTORS, Vector
from tests.crypto.tools import hashed, our_mistake, refused

KEY = SigningKey(hashed("identity"))
DOMAIN = "nodealer/1/entry"
VALUE: Value = ["table", 7, b"entry"]
SIGNATURE = KEY.sign(DOMAIN, VALUE)

each_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


@each_vector
def test_the_vectors_of_rfc_8032(vector: Vector) -> None:
    key = SigningKey(bytes.fromhex(vector.seed))
    message, signature = bytes.fromhex(vector.message), bytes.fromhex(vector.signature)
    assert key.verify_key.raw.hex() == vector.public
    assert key._key.sign(message) == signature
    VerifyKey(bytes.fromhex(vector.public))._key.verify(signature, message)
    for bent in (message + b"\0", message[:-1] if message else b"?"):
        with pytest.raises(InvalidSignature):
            VerifyKey(bytes.fromhex(vector.public))._key.verify(signature, bent)


@each_vector
def test_the_reference_agrees_with_the_vectors(vector: Vector) -> None:
    made = reference.sign(bytes.fromhex(vector.seed), bytes.fromhex(vector.message))
    assert made.hex() == vector.signature


def test_a_signature_covers_the_frame_of_domain_and_value() -> None:
    assert reference.sign(hashed("identity"), frame(DOMAIN, VALUE)) == SIGNATURE
    KEY.verify_key.verify(DOMAIN, VALUE, SIGNATURE)
    VerifyKey(KEY.verify_key.raw).verify(DOMAIN, VALUE, SIGNATURE)
    assert KEY.sign(DOMAIN, VALUE) == SIGNATURE


@given(st.text(max_size=30), st.one_of(st.binary(max_size=99), st.integers(0, 99), st.none()))
def test_what_was_signed_is_verified(domain: str, value: Value) -> None:
    signature = KEY.sign(domain, value)
    KEY.verify_key.verify(domain, value, signature)
    with refused(Reason.SIGNATURE_BAD):
        KEY.verify_key.verify(domain + "/", value, signature)
    with refused(Reason.SIGNATURE_BAD):
        KEY.verify_key.verify(domain, [value], signature)


def test_every_bit_of_a_signature_counts() -> None:
    for bit in range(512):
        number = int.from_bytes(SIGNATURE, "big") ^ 1 << bit
        with refused(Reason.SIGNATURE_BAD):
            KEY.verify_key.verify(DOMAIN, VALUE, number.to_bytes(64, "big"))


def test_every_bit_of_a_key_counts() -> None:
    """Half of the changed keys are no points at all; they are refused when a signature comes."""
    for bit in range(256):
        number = int.from_bytes(KEY.verify_key.raw, "big") ^ 1 << bit
        with refused(Reason.SIGNATURE_BAD):
            VerifyKey(number.to_bytes(32, "big")).verify(DOMAIN, VALUE, SIGNATURE)


def test_a_signature_for_one_purpose_is_void_for_every_other() -> None:
    others: list[tuple[str, Value]] = [
        ("nodealer/1/entr", VALUE),
        ("nodealer/1/entry/", VALUE),
        ("", VALUE),
        (DOMAIN, ["table", 8, b"entry"]),
        (DOMAIN, ["table", 7, "entry"]),
        (DOMAIN, ["table", 7]),
        (DOMAIN, None),
        (DOMAIN, [DOMAIN, VALUE]),
    ]
    for domain, value in others:
        with refused(Reason.SIGNATURE_BAD):
            KEY.verify_key.verify(domain, value, SIGNATURE)


def test_a_signature_is_of_one_key() -> None:
    other = SigningKey(hashed("another identity"))
    with refused(Reason.SIGNATURE_BAD):
        other.verify_key.verify(DOMAIN, VALUE, SIGNATURE)
    with refused(Reason.SIGNATURE_BAD):
        KEY.verify_key.verify(DOMAIN, VALUE, other.sign(DOMAIN, VALUE))


def test_a_signature_has_sixty_four_bytes() -> None:
    for length in (*range(64), 65, 66, 96, 128):
        with refused(Reason.SIGNATURE_LENGTH):
            KEY.verify_key.verify(DOMAIN, VALUE, (SIGNATURE * 2)[:length])


def test_keys_have_thirty_two_bytes() -> None:
    for length in (*range(32), 33, 34, 64):
        with refused(Reason.SIGNATURE_LENGTH):
            VerifyKey((KEY.verify_key.raw * 2)[:length])
        with our_mistake(Reason.LOCAL_ARGUMENT):
            SigningKey(bytes(length))


def test_the_second_half_of_a_signature_is_reduced() -> None:
    """S + L fits the equation as well; taking it would give every signature a second form."""
    S = reference.as_number(SIGNATURE[32:])
    for turns in range(1, 16):
        raised = S + turns * reference.ORDER
        if raised < 1 << 256:
            with refused(Reason.SIGNATURE_BAD):
                form = SIGNATURE[:32] + raised.to_bytes(32, "little")
                KEY.verify_key.verify(DOMAIN, VALUE, form)
    assert S + reference.ORDER < 1 << 256


SMALL = reference.points_of_small_order()
WEAK = sorted(set().union(*(reference.encodings(point) for point in SMALL)))


def test_there_are_eight_points_of_small_order_in_fourteen_encodings() -> None:
    for point in SMALL:
        assert reference.multiply(8, point) == reference.NEUTRAL
    assert len(set(SMALL)) == 8
    assert len(WEAK) == 14
    assert {raw[:-1] + bytes([raw[-1] & 0x7F]) for raw in WEAK} == _LOW_ORDER_Y


@pytest.mark.parametrize("raw", WEAK, ids=lambda raw: f"{raw.hex()[:6]}-{raw.hex()[-2:]}")
def test_a_weak_key_is_refused_when_it_is_read(raw: bytes) -> None:
    with refused(Reason.SIGNATURE_WEAK_KEY):
        VerifyKey(raw)


def test_why_weak_keys_are_refused() -> None:
    """Under the neutral element as key, one signature without any secret fits all messages."""
    neutral = reference.encode(reference.NEUTRAL)
    forged = neutral + bytes(32)
    for message in (b"I owe you nothing", b"I owe you everything"):
        Ed25519PublicKey.from_public_bytes(neutral).verify(forged, message)


def test_sound_keys_beside_the_weak_ones_are_read() -> None:
    for name in range(50):
        key = SigningKey(hashed("sound", name))
        assert VerifyKey(key.verify_key.raw).raw == key.verify_key.raw


MESSAGE = frame(DOMAIN, VALUE)

NO_PART, ORDER_8, ORDER_2 = SMALL[0], SMALL[1], SMALL[4]


@pytest.mark.parametrize(
    ("in_key", "in_R", "outcomes"),
    [
        (ORDER_8, NO_PART, {True, False}),
        (ORDER_2, NO_PART, {True, False}),
        (ORDER_8, ORDER_8, {True, False}),
        (ORDER_2, ORDER_2, {True, False}),
        (NO_PART, ORDER_8, {False}),
        (NO_PART, ORDER_2, {False}),
    ],
    ids=[
        "key of order 8",
        "key of order 2",
        "both of 8",
        "both of 2",
        "R of order 8",
        "R of order 2",
    ],
)
def test_parts_of_small_order_are_refused_unless_they_cancel(
    in_key: reference.Affine, in_R: reference.Affine, outcomes: set[bool]
) -> None:
    """Some libraries multiply the equation by eight and take all of these.

    No check of the key decides it: the same key has a good signature as soon as what its part adds
    is what the part of R takes away, and everybody must come to the same.
    """
    seen: set[bool] = set()
    nonce = 0
    while seen != outcomes:
        nonce += 1
        key, signature = reference.mixed(hashed("mixed"), MESSAGE, in_key, in_R, nonce)
        left = reference.remainder(key, MESSAGE, signature)
        assert left in SMALL
        seen.add(left == reference.NEUTRAL)
        if left == reference.NEUTRAL:
            VerifyKey(key).verify(DOMAIN, VALUE, signature)
        else:
            with refused(Reason.SIGNATURE_BAD):
                VerifyKey(key).verify(DOMAIN, VALUE, signature)


def test_a_key_that_is_no_reduced_point_verifies_nothing() -> None:
    """An encoding that is refused only when a signature comes: y is reduced, or there is no x."""
    for y in (*range(2, 19), reference.FIELD - 2):
        raw = (reference.FIELD + y if y < 19 else y).to_bytes(32, "little")
        with refused(Reason.SIGNATURE_BAD):
            VerifyKey(raw).verify(DOMAIN, VALUE, SIGNATURE)


def test_a_key_shows_its_public_half_only() -> None:
    assert repr(KEY) == f"<signing key of {KEY.verify_key.raw.hex()[:12]}>"
    assert hashed("identity").hex() not in f"{KEY!r} {KEY}"
    assert not hasattr(KEY, "__dict__")
