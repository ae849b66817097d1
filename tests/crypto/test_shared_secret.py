"""A shared secret proves that it is known, for one value and domain, and shows nothing."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from nodealer.crypto.shared_secret import SECRET_BYTES, SharedSecret
from nodealer.kernel import LocalError, PeerError, Reason, frame

SECRET = SharedSecret(bytes(range(16)))
DOMAIN = "nodealer/1/test"


def test_the_proof_is_hmac_over_a_frame() -> None:
    made = hmac.new(bytes(range(16)), frame(DOMAIN, ("a", 1)), hashlib.sha256).digest()
    assert SECRET.prove(DOMAIN, ("a", 1)) == made
    SECRET.check(DOMAIN, ("a", 1), made)


@pytest.mark.parametrize(
    ("secret", "domain", "value", "cut"),
    [
        (SharedSecret(bytes(16)), DOMAIN, 1, 32),
        (SECRET, "nodealer/1/other", 1, 32),
        (SECRET, DOMAIN, 2, 32),
        (SECRET, DOMAIN, 1, 31),
        (SECRET, DOMAIN, 1, 0),
    ],
)
def test_the_proof_of_anything_else_is_refused(
    secret: SharedSecret, domain: str, value: int, cut: int
) -> None:
    with pytest.raises(PeerError) as refused:
        SECRET.check(DOMAIN, 1, secret.prove(domain, value)[:cut])
    assert refused.value.reason is Reason.LOBBY_SECRET


def test_it_shows_nothing() -> None:
    assert repr(SECRET) == str(SECRET) == "<shared secret>"
    assert SECRET.reveal() == bytes(range(SECRET_BYTES))


def test_equal_secrets_are_equal() -> None:
    assert SharedSecret(bytes(range(16))) == SECRET
    assert len({SharedSecret(bytes(range(16))), SECRET}) == 1
    assert SharedSecret(bytes(16)) != SECRET
    assert SECRET != bytes(range(16))


@pytest.mark.parametrize("length", [0, 15, 17, 32])
def test_it_has_its_length(length: int) -> None:
    with pytest.raises(LocalError):
        SharedSecret(bytes(length))
