"""Signatures through a narrow door: who signs for this seat, and who checks what others signed.

`Signer` and `Checker` are all that the ledger knows of signatures. Production passes an identity
key and `Signatures`; an explorer passes a table of what was signed. Nothing else of the core can
be replaced.

A signature is checked once: `Signatures` remembers what it has found good, in a bounded memory of
its own beside the immutable ledger. The memory changes how long a check takes, never its outcome.
It is keyed by everything that the signature covers, so no other message can profit from it; of
contributions, which are long, by its hash, so that nobody can fill the memory with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from nodealer.crypto import VerifyKey
from nodealer.kernel import PeerError, Reason, Seat, Value, digest
from nodealer.ledger.objects import (
    CONTRIBUTION,
    DOMAINS,
    Contribution,
    Leave,
    Refusal,
    Seal,
    Signed,
    Vote,
)

SignedT = TypeVar("SignedT", Contribution, Seal, Vote, Refusal, Leave)

REMEMBERED_EACH: Final = 64
"""Signatures of a seat that are remembered: more than it has over a tip and its parent, but where
round after round is voted in; those far below nobody asks for again."""


class Signer(Protocol):
    """Signs for one seat."""

    def sign(self, domain: str, value: Value) -> bytes:
        """Return the signature over the frame of `domain` and `value`."""


class Checker(Protocol):
    """Checks the signatures of all seats of a table."""

    def check(self, seat: Seat, domain: str, value: Value, signature: bytes) -> None:
        """Raise `PeerError` unless the seat has signed the frame of `domain` and `value`."""


class Signatures:
    """The checker of a table: the keys of its seats, and what was found good before."""

    __slots__ = ("_good", "_keys", "_most")

    def __init__(self, keys: Sequence[bytes], each: int = REMEMBERED_EACH) -> None:
        """Check signatures of these keys, and remember so many of each."""
        self._most = each * len(keys)
        self._keys = tuple(VerifyKey(raw) for raw in keys)
        self._good: dict[tuple[Seat, str, Value, bytes], None] = {}

    def check(self, seat: Seat, domain: str, value: Value, signature: bytes) -> None:
        """Raise `PeerError` unless the seat has signed the frame of `domain` and `value`."""
        if seat >= len(self._keys):
            raise PeerError(Reason.LEDGER_NOT_IN_ROSTER, f"no seat {seat}")
        known = (seat, domain, _name(domain, value), signature)
        if known in self._good:
            return
        self._keys[seat].verify(domain, value, signature)
        if len(self._good) >= self._most:
            del self._good[next(iter(self._good))]
        self._good[known] = None


def _name(domain: str, value: Value) -> Value:
    """Return what stands for a value in the memory."""
    return digest(domain, value) if domain == CONTRIBUTION else value


def signed_by(signer: Signer, unsigned: SignedT) -> SignedT:
    """Return an object with the signature of the seat that it names."""
    signature = signer.sign(DOMAINS[type(unsigned)], unsigned.body())
    return replace(unsigned, signature=signature)


def check_signed(checker: Checker, signed: Signed) -> None:
    """Raise unless the object carries the signature of the seat that it names."""
    checker.check(signed.seat, DOMAINS[type(signed)], signed.body(), signed.signature)
