"""Boxes: bytes that only the holder of a key, or of a passphrase, can read or change.

What a machine keeps or hands to another lies in such boxes: an identity key under a passphrase,
the seed of a seat under its identity, a moved profile under a passphrase. A box is
ChaCha20-Poly1305 over the content; what lies open beside it is covered as well, so a box that was
put into another place does not open.

A passphrase becomes a key by scrypt, which makes every guess cost time and memory. How much is
stored beside the box and bounded here, so that a file of a stranger cannot ask for all memory.
A key becomes one for boxes by HKDF under a domain of its own: no key signs and encrypts.

Nothing here draws a salt or a nonce; the caller brings them, each new for every box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from nodealer.kernel import LocalError, Reason

BOX_KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
SALT_BYTES: Final = 16
TAG_BYTES: Final = 16

_BOX_INFO: Final = b"nodealer/1/box"

COST_MIN: Final = 10
COST_MAX: Final = 20
"""A reader spends at most 1 GiB and some seconds on a file that it does not trust."""

BLOCK_SIZE: Final = 8
PARALLEL: Final = 1


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of one guess at a passphrase: scrypt with N = 2^`log_n`, r = 8, p = 1."""

    log_n: int

    def __post_init__(self) -> None:
        if not COST_MIN <= self.log_n <= COST_MAX:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"a cost of 2^{self.log_n}")


USUAL_COST: Final = Cost(17)
"""128 MiB and about a quarter of a second for a guess."""


def stretched(secret: bytes, salt: bytes, cost: Cost) -> bytes:
    """Return 32 bytes that cost time and memory to compute from these."""
    kdf = Scrypt(salt=salt, length=BOX_KEY_BYTES, n=1 << cost.log_n, r=BLOCK_SIZE, p=PARALLEL)
    return kdf.derive(secret)


def key_of_passphrase(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    """Return the key that a passphrase stands for, however its letters were composed."""
    return stretched(normalize("NFKC", passphrase).encode(), salt, cost)


def key_of_secret(secret: bytes) -> bytes:
    """Return the key for boxes that belongs to a secret, which itself is used for other things."""
    return HKDF(algorithm=SHA512(), length=BOX_KEY_BYTES, salt=None, info=_BOX_INFO).derive(secret)


def shut(key: bytes, nonce: bytes, content: bytes, beside: bytes) -> bytes:
    """Return a box around the content; it opens only with the same `beside`."""
    return ChaCha20Poly1305(key).encrypt(nonce, content, beside)


def opened(key: bytes, nonce: bytes, box: bytes, beside: bytes) -> bytes:
    """Return the content of a box, or raise `LocalError` if it is not as it was shut."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, box, beside)
    except InvalidTag:
        raise LocalError(Reason.LOCAL_BOX) from None
