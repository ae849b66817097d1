"""The state of a history that cannot be replayed: its rules are not installed, or it is broken.

A chain of such states can still be walked: who must seal an entry follows from the evictions, and
hashes and signatures need no rules. What asks for more must look first whether a state is one of
these, because this one accepts everything.

Behind an entry that does not lie over the one before it not even that is known: which seats are in
the roster follows from entries that are not here, or stand elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from nodealer.kernel import Seat
from nodealer.ledger import Application, Closed, Given, LedgerDuty, Moment


class NoState:
    """The state of a history that nobody can replay: nothing is known to be due.

    `is_linked` says whether each entry up to here lies over the one before it.
    """

    def __init__(self, *, is_linked: bool = True) -> None:
        self.is_linked = is_linked

    def due(self) -> LedgerDuty:
        """Return that nothing is known to be due."""
        return Closed()

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Application:
        """Return this state again."""
        del moment, seat, action
        return self

    def check(
        self,
        moment: Moment,
        seat: Seat,
        payloads: Sequence[tuple[bytes, bytes]],
        earlier: Sequence[Given],
    ) -> None:
        """Accept."""

    def settle(self, moment: Moment, contributions: Sequence[Given]) -> Application:
        """Return this state again."""
        del moment, contributions
        return self

    def evicted(self, moment: Moment, seats: Sequence[Seat]) -> Application:
        """Return this state again."""
        del moment, seats
        return self

    def digest(self) -> bytes:
        """Return what is no hash of any state."""
        return bytes(32)

    def is_over(self) -> bool:
        """Say that nothing is known to be over."""
        return False
