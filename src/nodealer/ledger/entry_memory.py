"""The memory of an entry: near the tip it is held whole, far below packed, and without its state.

A table goes on for as long as its players like, and what a seat holds of it must not grow with all
that was ever computed. Near the tip an entry is asked for all the time, and so is the state after
it. Far below hardly anybody asks: who was away for long is sent entries, and evidence may speak of
a state. So what is far is packed, and unpacked when somebody asks; its state follows from the
entries and is made again (`chain.ChainEntry.state`). Of seals that say the same of one entry the
signatures are enough, which is cheap, and most entries have such. What a round has settled is
packed as its bytes.

What is forgotten changes how long an answer takes and never the answer. That is why links may be
shared by ledgers, and stay values.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from nodealer.kernel import EntryId, Seat
from nodealer.ledger.application import Application
from nodealer.ledger.codec import ENTRY
from nodealer.ledger.messages import Entry
from nodealer.ledger.objects import Certificate, Content, Contribution, Seal

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


@dataclass(frozen=True, slots=True, eq=False)
class SealedEntry:
    """An entry that all have sealed over a parent of rank 0: of each seal the signature is left."""

    content: Content
    contributions: tuple[Contribution, ...]
    entry: EntryId
    seats: tuple[Seat, ...]
    signatures: tuple[bytes, ...]

    def whole(self) -> Entry:
        """Return the entry, with its seals as they were."""
        one = self.content
        place = (one.table, one.height, one.parent, self.entry, 0)
        signed = zip(self.seats, self.signatures, strict=True)
        seals = tuple(Seal(*place, seat, signature) for seat, signature in signed)
        return Entry(one, self.contributions, Certificate(self.entry, 0, seals=seals))


class EntryMemory:
    """The memory of one entry; that of the charter is never far."""

    __slots__ = ("_held", "is_far", "state")

    def __init__(self, entry: Written, state: Application) -> None:
        self._held: Written | SealedEntry | bytes = entry
        self.is_far = False
        """Whether it was forgotten what can be had again."""
        self.state: Application | None = state
        """The state after the entry, as long as it is at hand."""

    @property
    def entry(self) -> Written:
        """The entry, unpacked if it was packed."""
        held = self._held
        if isinstance(held, Entry | Root):
            return held
        return held.whole() if isinstance(held, SealedEntry) else ENTRY.read(held)

    def forget(self, *, is_packed: bool) -> None:
        """Hold the state no longer, and the entry packed if it is to be."""
        self.is_far, self.state = True, None
        if is_packed and isinstance(self._held, Entry):
            self._held = _packed(self._held)


def _packed(entry: Entry) -> SealedEntry | bytes:
    seals = entry.certificate.seals
    if not seals or entry.beside or any(seal.rank for seal in seals):
        return ENTRY.write(entry)
    seats, signatures = zip(*((seal.seat, seal.signature) for seal in seals), strict=True)
    return SealedEntry(entry.content, entry.contributions, seals[0].entry, seats, signatures)


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
