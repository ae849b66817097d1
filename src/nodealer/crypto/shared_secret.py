"""A secret that two parties share, and the proof that somebody knows it.

The proof is HMAC-SHA256 under the secret over a frame with a domain. It shows nothing of the
secret, and whoever sees it can use it for nothing but the value that it covers. So that value says
where the proof belongs: between whom, and on which connection.

A secret is random and long enough that nobody guesses it; it is no password. It is never printed.
"""

from __future__ import annotations

import hmac
from typing import Final

from nodealer.kernel import LocalError, PeerError, Reason, Value, frame

SECRET_BYTES: Final = 16
"""128 bits: nobody guesses it, and it keeps an invite short."""

PROOF_BYTES: Final = 32


class SharedSecret:
    """A secret of `SECRET_BYTES` bytes."""

    __slots__ = ("_raw",)

    def __init__(self, raw: bytes) -> None:
        if len(raw) != SECRET_BYTES:
            detail = f"a shared secret has {SECRET_BYTES} bytes, not {len(raw)}"
            raise LocalError(Reason.LOCAL_ARGUMENT, detail)
        self._raw = raw

    def __repr__(self) -> str:
        return "<shared secret>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedSecret) and hmac.compare_digest(self._raw, other._raw)

    def __hash__(self) -> int:
        return hash(self._raw)

    def reveal(self) -> bytes:
        """Return the bytes, for an invite and for what this machine keeps, and nothing else."""
        return self._raw

    def prove(self, domain: str, value: Value) -> bytes:
        """Return the proof that this secret is known, for one value."""
        return hmac.digest(self._raw, frame(domain, value), "sha256")

    def check(self, domain: str, value: Value, proof: bytes) -> None:
        """Raise unless whoever made the proof for this value knows the secret."""
        if not hmac.compare_digest(self.prove(domain, value), proof):
            raise PeerError(Reason.LOBBY_SECRET, domain)
