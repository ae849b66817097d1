"""Hash commitments to coins and hidden choices.

    c = H("nodealer/1/commit", table, label, seat, value, salt)

The seat stands inside the hash: without it the last to commit copies somebody's commitment, later
copies the opening, and with that fixes a joint coin or mirrors a choice. The label stands inside
so that a commitment serves one purpose only. The salt is 32 bytes that depend on the value: the
same salt under two values, after a restart, would show whether the choice changed.

The result of a joint coin is a hash of all openings in seat order. It must never be a hash of the
history, which whoever signs last can choose among variants of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer.kernel import (
    ID_BYTES,
    OPENED_VALUE_BYTES_MAX,
    PeerError,
    Reason,
    Seat,
    TableId,
    digest,
)

COMMITMENT_BYTES: Final = ID_BYTES
SALT_BYTES: Final = 32

_DOMAIN: Final = "nodealer/1/commit"


def commit(table: TableId, label: bytes, seat: Seat, value: bytes, salt: bytes) -> bytes:
    """Return the commitment of `seat` to `value` under this label."""
    return digest(_DOMAIN, table, label, seat, value, salt)


def verify_opening(
    table: TableId, label: bytes, seat: Seat, commitment: bytes, value: bytes, salt: bytes
) -> None:
    """Raise unless `value` and `salt` are what `seat` committed to."""
    if len(salt) != SALT_BYTES or len(commitment) != COMMITMENT_BYTES:
        raise PeerError(Reason.COMMIT_LENGTH)
    if len(value) > OPENED_VALUE_BYTES_MAX:
        raise PeerError(Reason.COMMIT_OVERSIZED, f"{len(value)} bytes")
    if commit(table, label, seat, value, salt) != commitment:
        raise PeerError(Reason.COMMIT_MISMATCH, f"seat {seat}")


def joint_hash(domain: str, table: TableId, label: bytes, values: Sequence[bytes]) -> bytes:
    """Return the hash of all opened values, in seat order."""
    return digest(domain, table, label, list(values))
