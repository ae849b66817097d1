"""Every secret and nonce of a seat, derived from one seed by labels over full inputs.

A seat keeps 32 random bytes per table. Whatever it needs later is a function of that seed, a
label, and the complete inputs of the operation, so a node that crashed and came back makes the
same bytes again, and two different operations never share a secret. The inputs matter: randomness
keyed by less than everything it is used on is the classic way to lose a permutation or a key
(`specs/02-proofs.md`, section "Secrets and nonces", says what each context must hold).

    secret(label, context, i) = HMAC-SHA512(K_s, frame(label, context, i, n)) mod order
    nonce(i)                  = the same with K_n over frame(label, D, W, i, n)

n counts up from 0 until the value is not zero. D is the digest of the proof's transcript, W the
hash of the witness: a nonce sees everything that the challenge will see, and the secret as well.
512 bits modulo a 256-bit order leave no bias worth naming.

Nothing here is ever printed: a `Seed` shows only that it is one.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, TypeAlias

from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from nodealer.crypto.group import Group, write_scalar
from nodealer.kernel import DERIVE_TRIES_MAX, Bug, LocalError, Reason, Value, frame

SEED_BYTES: Final = 32

_KEY_BYTES: Final = 64
_SECRET_INFO: Final = b"nodealer/1/secret"
_NONCE_INFO: Final = b"nodealer/1/nonce"
_FRAME_OF_FOUR: Final = b"\x84"
_FRAME_OF_FIVE: Final = b"\x85"

Nonces: TypeAlias = Callable[[int], int]
"""The nonces of one proof: index to scalar, never zero."""

NonceSource: TypeAlias = Callable[[bytes, Sequence[int]], Nonces]
"""Makes the nonces of a proof from the digest of its transcript and from its witness."""


class Seed:
    """The one secret of a seat at a table, and all that follows from it."""

    __slots__ = ("_nonce_key", "_order", "_secret_key")

    def __init__(self, group: Group, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise LocalError(
                Reason.LOCAL_ARGUMENT, f"a seed has {SEED_BYTES} bytes, not {len(seed)}"
            )
        self._order = group.order
        self._secret_key = _expand(seed, _SECRET_INFO)
        self._nonce_key = _expand(seed, _NONCE_INFO)

    def __repr__(self) -> str:
        return "<seed>"

    def secret(self, label: str, context: bytes, index: int = 0) -> int:
        """Return a lasting secret: a key, or randomness of a shuffle or a sealed release."""
        prefix = _FRAME_OF_FOUR + _items(label, context)
        return self._draw(self._secret_key, prefix, index)

    def secret_bytes(self, label: str, context: bytes) -> bytes:
        """Return 32 secret bytes: a salt, or the value of a coin."""
        return hmac.digest(self._secret_key, frame(label, context), "sha512")[:32]

    def nonce_source(self, label: str) -> NonceSource:
        """Return what a proof draws its nonces from; the label separates stages of one proof."""

        def nonces(digest: bytes, witness: Sequence[int]) -> Nonces:
            witness_hash = sha256(b"".join([write_scalar(value) for value in witness])).digest()
            prefix = _FRAME_OF_FIVE + _items(label, digest, witness_hash)
            return lambda index: self._draw(self._nonce_key, prefix, index)

        return nonces

    def permutation(self, label: str, context: bytes, size: int) -> list[int]:
        """Return a uniform permutation of `range(size)`, by Fisher and Yates."""
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self._below(label, context, last)
            order[last], order[other] = order[other], order[last]
        return order

    def _below(self, label: str, context: bytes, last: int) -> int:
        """Return a uniform number in 0..last; values of the incomplete last round are refused."""
        prefix = _FRAME_OF_FOUR + _items(label, context)
        span = last + 1
        limit = (1 << 512) // span * span
        for tries in range(DERIVE_TRIES_MAX):
            drawn = hmac.digest(self._secret_key, prefix + _counters(last, tries), "sha512")
            value = int.from_bytes(drawn, "big")
            if value < limit:
                return value % span
        raise Bug(Reason.LOCAL_SECRET, "rejection sampling did not end")

    def _draw(self, key: bytes, prefix: bytes, index: int) -> int:
        for tries in range(DERIVE_TRIES_MAX):
            drawn = hmac.digest(key, prefix + _counters(index, tries), "sha512")
            scalar = int.from_bytes(drawn, "big") % self._order
            if scalar:
                return scalar
        raise Bug(Reason.LOCAL_SECRET, "no scalar but zero was drawn")


def _expand(seed: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA512(), length=_KEY_BYTES, salt=None, info=info).derive(seed)


@lru_cache(maxsize=4096)
def _counters(index: int, tries: int) -> bytes:
    return _items(index, tries)


def _items(*items: Value) -> bytes:
    """Return the items as they stand inside a frame, so that a constant prefix is made once."""
    return frame(*items)[1:]
