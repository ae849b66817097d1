"""A box opens with its key, in its place, unchanged, and in no other way."""

from __future__ import annotations

from hashlib import scrypt

import pytest

from nodealer.crypto.boxes import (
    COST_MAX,
    COST_MIN,
    NONCE_BYTES,
    TAG_BYTES,
    Cost,
    key_of_passphrase,
    key_of_secret,
    opened,
    shut,
    stretched,
)
from nodealer.kernel import LocalError

CHEAP = Cost(COST_MIN)
NONCE = bytes(range(NONCE_BYTES))


def test_a_box_opens_as_it_was_shut() -> None:
    key = key_of_secret(b"secret")
    box = shut(key, NONCE, b"content", b"beside")
    assert len(box) == len(b"content") + TAG_BYTES
    assert b"content" not in box
    assert opened(key, NONCE, box, b"beside") == b"content"


def test_nothing_else_opens_it() -> None:
    key = key_of_secret(b"secret")
    box = shut(key, NONCE, b"content", b"beside")
    wrong = [
        (key_of_secret(b"Secret"), NONCE, box, b"beside"),
        (key, bytes(NONCE_BYTES), box, b"beside"),
        (key, NONCE, box, b"Beside"),
        (key, NONCE, box[:-1], b"beside"),
        (key, NONCE, box + b"\x00", b"beside"),
        (key, NONCE, b"", b"beside"),
        *((key, NONCE, flipped(box, at), b"beside") for at in range(len(box))),
    ]
    for arguments in wrong:
        with pytest.raises(LocalError, match="local/box"):
            opened(*arguments)


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_the_stretch_is_scrypt() -> None:
    other = scrypt(b"password", salt=b"NaCl", n=1 << COST_MIN, r=8, p=1, dklen=32)
    assert stretched(b"password", b"NaCl", CHEAP) == other


def test_a_passphrase_is_one_however_its_letters_are_composed() -> None:
    composed, apart = "caf\u00e9 cr\u00e8me", "cafe\u0301 cre\u0300me"
    assert composed != apart
    assert key_of_passphrase(composed, b"salt", CHEAP) == key_of_passphrase(apart, b"salt", CHEAP)
    assert key_of_passphrase(composed, b"Salt", CHEAP) != key_of_passphrase(apart, b"salt", CHEAP)


def test_a_cost_is_bounded() -> None:
    for outside in (0, COST_MIN - 1, COST_MAX + 1, 1 << 40):
        with pytest.raises(LocalError, match="local/argument"):
            Cost(outside)


def test_the_key_of_a_secret_is_not_the_secret() -> None:
    secret = bytes(range(32))
    assert key_of_secret(secret) != secret
    assert len(key_of_secret(secret)) == 32
