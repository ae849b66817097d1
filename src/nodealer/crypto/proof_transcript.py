"""The labelled transcript from which a proof draws its challenges (Fiat and Shamir).

A transcript starts from the context of a proof: where, when, by whom and for which relation it is
made. Everything that prover and verifier both know is then absorbed, each item under a label and
framed, so that no two different statements absorb the same bytes. Challenges are hashes of all
that came before.

The prover also draws its nonces from the state of the transcript (`digest`). The rule that makes
this safe is one of order: **nothing may be absorbed between drawing nonces and absorbing the
commitments made from them**. Otherwise two proofs could share nonces and differ in challenges,
which gives the secret away by one subtraction.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from nodealer.crypto.group import SHORT_SCALAR_BYTES, Group, Point
from nodealer.kernel import Value, frame

_DOMAIN: Final = "nodealer/1/transcript"


class ProofTranscript:
    """A running SHA-256 over labelled frames."""

    __slots__ = ("_group", "_hash")

    def __init__(self, group: Group, context: bytes) -> None:
        self._group = group
        self._hash = sha256(frame(_DOMAIN, group.name, context))

    def absorb(self, label: str, *items: Value) -> None:
        """Take in plain values under a label."""
        self._hash.update(frame(label, *items))

    def absorb_points(self, label: str, points: Iterable[Point]) -> None:
        """Take in a list of points under a label, as one string: encodings are prefix-free."""
        self._hash.update(frame(label, b"".join([point.encode() for point in points])))

    def digest(self) -> bytes:
        """Return the hash of everything so far; the transcript goes on unchanged."""
        return self._hash.copy().digest()

    def challenge(self, label: str) -> bytes:
        """Return the 16 bytes of the challenge that follows from everything so far."""
        self.absorb(label)
        return self.digest()[:SHORT_SCALAR_BYTES]

    def weights(self, label: str, count: int) -> list[int]:
        """Return `count` short scalars that follow from everything so far, by one hash each."""
        self.absorb(label, count)
        root, short = self.digest(), self._group.short_scalar
        return [
            short(sha256(root + _framed_index(index)).digest()[:SHORT_SCALAR_BYTES])
            for index in range(count)
        ]


@lru_cache(maxsize=1024)
def _framed_index(index: int) -> bytes:
    return frame(index)
