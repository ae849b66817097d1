"""Signatures as a table of what was signed: the one part of a seat that is replaced."""

from __future__ import annotations

from dataclasses import dataclass

from nodealer.kernel import PeerError, Reason, Seat, Value

SIGNATURE = bytes(64)


class SignatureTable:
    """What was signed by whom."""

    def __init__(self) -> None:
        self.signed: set[tuple[Seat, str, Value]] = set()

    def sign_as(self, seat: Seat, domain: str, value: Value) -> bytes:
        """Note a signature."""
        self.signed.add((seat, domain, value))
        return SIGNATURE

    def check(self, seat: Seat, domain: str, value: Value, signature: bytes) -> None:
        """Raise unless it was signed."""
        if signature != SIGNATURE or (seat, domain, value) not in self.signed:
            raise PeerError(Reason.SIGNATURE_BAD, "not in the table")


@dataclass(frozen=True)
class TableSigner:
    """Signs for one seat into the table."""

    seat: Seat
    table: SignatureTable

    def sign(self, domain: str, value: Value) -> bytes:
        """Note a signature of this seat."""
        return self.table.sign_as(self.seat, domain, value)
