"""The journal of a table as its keeper needs it: a file, or nothing but memory in a simulation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from nodealer.ledger import LedgerMessage


class TableJournal(Protocol):
    """Everything that a seat must not forget.

    A batch is stored whole or not at all, and never without those before it. After a crash there is
    at least what was synced. If `append` raises it is not known what was stored, and the journal is
    finished.
    """

    def append(self, records: Iterable[LedgerMessage], /, *, syncs: bool, is_suspect: bool) -> None:
        """Store a batch; if it syncs, all that was stored is on the disk on return.

        A batch that changes whether the seat is suspect, and signs nothing for now, always syncs.
        """

    def records(self) -> Sequence[LedgerMessage]:
        """Return everything that was stored, in order."""

    def note(self, name: str, value: bytes, /) -> None:
        """Remember something for this table that is nobody else's business."""

    def noted(self, name: str, /) -> bytes | None:
        """Return what was remembered under a name."""
