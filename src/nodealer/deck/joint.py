"""Decisions that several seats take at once: a coin nobody can bias, choices nobody sees in time.

Both are commit and open. In the first step everybody commits, in the next everybody opens; an
opening leaves only when the step with all commitments is complete. A coin's value is 32 bytes that
the seat derives from its seed, and the result is the hash of all openings in seat order, so one
honest seat is enough. A choice is whatever bytes the game encodes it in.

A commitment is made once for each label and seat, from derived bytes: a node that crashed commits
to the same value again. Whoever withholds an opening voids the decision and is left out for it.
That the last to open already knows the result cannot be helped, only priced
(`specs/00-overview.md`).

When all that is chosen is one of one's own hidden slots, naming the slot *is* the commitment: the
slot is fixed, its face hidden, and opening it later is a reveal (`deck.reveal`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from nodealer.crypto import commit, joint_hash, verify_opening
from nodealer.deck.keyring import Keyring
from nodealer.kernel import (
    DERIVE_TRIES_MAX,
    OPENED_VALUE_BYTES_MAX,
    Bug,
    LocalError,
    PeerError,
    Reason,
    Seat,
    TableId,
    digest,
)

_COIN_DOMAIN: Final = "nodealer/1/coin"
_DRAW_DOMAIN: Final = "nodealer/1/draw"
_COIN_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class CommitPart:
    """A seat's commitment."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class OpenPart:
    """The value that a seat had committed to."""

    value: bytes
    salt: bytes


def coin_value(keyring: Keyring, table: TableId, label: bytes) -> bytes:
    """Return this seat's secret contribution to the coin with this label."""
    return keyring.committed("coin", table, label)


def make_commit(keyring: Keyring, table: TableId, label: bytes, value: bytes) -> CommitPart:
    """Commit this seat to a value."""
    opening = make_open(keyring, table, label, value)
    return CommitPart(commit(table, label, keyring.seat, value, opening.salt))


def make_open(keyring: Keyring, table: TableId, label: bytes, value: bytes) -> OpenPart:
    """Open this seat's commitment to a value; a longer one than anybody reads has none."""
    if len(value) > OPENED_VALUE_BYTES_MAX:
        raise LocalError(Reason.COMMIT_OVERSIZED, f"{len(value)} bytes")
    return OpenPart(value, keyring.committed("salt", table, label, value))


def check_open(
    table: TableId, label: bytes, seat: Seat, committed: CommitPart, opened: OpenPart
) -> bytes:
    """Return the value that a seat opens once it fits its commitment."""
    verify_opening(table, label, seat, committed.commitment, opened.value, opened.salt)
    return opened.value


def check_coin(
    table: TableId, label: bytes, seat: Seat, committed: CommitPart, opened: OpenPart
) -> bytes:
    """Return a seat's contribution to a coin once it fits its commitment and its length."""
    if len(opened.value) != _COIN_BYTES:
        raise PeerError(Reason.COMMIT_LENGTH, f"a coin of {len(opened.value)} bytes")
    return check_open(table, label, seat, committed, opened)


def coin(
    table: TableId, label: bytes, owing: Iterable[Seat], values: Mapping[Seat, bytes]
) -> bytes:
    """Return the 32 bytes of a coin from the openings, each checked, of all owing seats."""
    seats = sorted(owing)
    missing = [seat for seat in seats if seat not in values]
    if missing or not seats:
        raise LocalError(Reason.COMMIT_MISSING, f"seats {missing}")
    wrong = [seat for seat in seats if len(values[seat]) != _COIN_BYTES]
    if wrong:
        raise LocalError(Reason.COMMIT_LENGTH, f"coins of seats {wrong} were not checked")
    return joint_hash(_COIN_DOMAIN, table, label, [values[seat] for seat in seats])


def draw(result: bytes, bound: int) -> int:
    """Return the uniform number below `bound` that the result of a coin stands for."""
    if not 0 < bound <= 1 << 32:
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a coin with {bound} sides")
    limit = (1 << 256) // bound * bound
    for tries in range(DERIVE_TRIES_MAX):
        value = int.from_bytes(digest(_DRAW_DOMAIN, result, tries), "big")
        if value < limit:
            return value % bound
    raise Bug(Reason.LOCAL_ARGUMENT, "rejection sampling did not end")
