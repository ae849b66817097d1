"""The memory of an entry: near the tip it is held whole, far below as the bytes that were signed.

A table goes on for as long as its players like, and what a seat holds of it must not grow with all
that was ever computed. Near the tip an entry is asked for all the time, and so is the state after
it. Far below hardly anybody asks: who was away for long is sent entries, and evidence may speak of
a state. So what is far is held as its bytes, read again when somebody asks, and without its state,
which follows from the entries and is made again (`chain.ChainEntry.state`).

What is forgotten changes how long an answer takes and never the answer. That is why links may be
shared by ledgers, and stay values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nodealer.ledger.application import Application
from nodealer.ledger.codec import ENTRY
from nodealer.ledger.messages import Entry
from nodealer.ledger.objects import Certificate, Contribution


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """The beginning of a history, in the place of an entry: nothing but the seals of the charter."""

    certificate: Certificate
    content: None = None
    contributions: tuple[Contribution, ...] = ()
    beside: tuple[Certificate, ...] = ()


Written: TypeAlias = Entry | Root


class EntryMemory:
    """The memory of one entry; that of the charter is never far."""

    __slots__ = ("_entry", "state")

    def __init__(self, entry: Written, state: Application) -> None:
        self._entry: Written | bytes = entry
        self.state: Application | None = state
        """The state after the entry, as long as it is at hand."""

    @property
    def entry(self) -> Written:
        """The entry, read again if it is far."""
        entry = self._entry
        return ENTRY.read(entry) if isinstance(entry, bytes) else entry

    @property
    def is_far(self) -> bool:
        """Whether the entry is held as bytes."""
        return isinstance(self._entry, bytes)

    def pack(self) -> None:
        """Hold the entry as bytes, and its state no longer."""
        if isinstance(self._entry, Entry):
            self._entry = ENTRY.write(self._entry)
            self.state = None


class Recalled:
    """The far entry of a chain whose state was made again last; of all far states it alone stays.

    Whoever goes up a history, asking for one state after the other, so has each made once.
    """

    __slots__ = ("memory",)

    def __init__(self) -> None:
        self.memory: EntryMemory | None = None

    def keep(self, memory: EntryMemory, state: Application) -> None:
        """Keep a state that was made again, and forget the one before it."""
        if self.memory is not None and self.memory.is_far:
            self.memory.state = None
        self.memory, memory.state = memory, state
