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

from collections import deque
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from nodealer.ledger.application import Application
from nodealer.ledger.codec import ENTRY
from nodealer.ledger.messages import Entry
from nodealer.ledger.objects import Certificate, Contribution

RECALLED_MAX: Final = 16
"""States of far entries that were made again last: who goes through a history asks for the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """The beginning of a history in the place of an entry: the seals of the charter."""

    certificate: Certificate
    content: None = None
    contributions: tuple[Contribution, ...] = ()
    beside: tuple[Certificate, ...] = ()


Written: TypeAlias = Entry | Root


class EntryMemory:
    """The memory of one entry; that of the charter is never far."""

    __slots__ = ("_entry", "is_far", "state")

    def __init__(self, entry: Written, state: Application) -> None:
        self._entry: Written | bytes = entry
        self.is_far = False
        """Whether it was forgotten what can be had again."""
        self.state: Application | None = state
        """The state after the entry, as long as it is at hand."""

    @property
    def entry(self) -> Written:
        """The entry, read again if it is held as bytes."""
        entry = self._entry
        return ENTRY.read(entry) if isinstance(entry, bytes) else entry

    def forget(self, *, is_packed: bool) -> None:
        """Hold the state no longer, and the entry as bytes if it is to be packed."""
        self.is_far, self.state = True, None
        if is_packed and isinstance(self._entry, Entry):
            self._entry = ENTRY.write(self._entry)


@dataclass(slots=True, eq=False)
class ChainMemory:
    """The way in which a chain forgets, and what of far entries is at hand again."""

    is_forgetting: bool = True
    """Whether states are forgotten; who tells a whole history asks for all of them."""
    is_packing: bool = True
    """Whether entries are held as bytes; who holds them anyway would hold them twice."""
    recalled: deque[EntryMemory] = field(default_factory=deque)

    def recall(self, memory: EntryMemory, state: Application) -> None:
        """Have the state after a far entry at hand, and forget again what was recalled long ago."""
        memory.state = state
        self.recalled.append(memory)
        if len(self.recalled) > RECALLED_MAX:
            self.recalled.popleft().state = None
