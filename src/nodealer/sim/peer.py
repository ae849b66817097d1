"""A simulated peer: a real table, a journal in memory, and a bot for a player.

Whatever the table wants stored goes into the journal before anything leaves, as a node does with
its disk. A peer can stop at any point of that: with part of a batch stored and nothing sent, or
with everything stored and part of it sent. It comes back from its journal alone, from bytes.

A peer whose seat breaks the rules on purpose has a liar between its table and the network
(`lying`). The table behind it stays honest; what leaves is the liar's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nodealer.games import Bot
from nodealer.kernel import Chance, Seat
from nodealer.ledger import (
    AskAction,
    AskContribution,
    AskSeal,
    LedgerEvent,
    LedgerMessage,
    Outgoing,
    Ready,
    read,
    write,
)
from nodealer.table import Player, Table


@dataclass(slots=True)
class Peer:
    """A seat at a simulated table; without a table it has stopped."""

    player: Player
    bot: Bot
    chance: Chance
    table: Table | None = None
    is_honest: bool = True
    journal: list[bytes] = field(default_factory=list)
    asked: AskAction | AskContribution | None = None
    woken: int | None = None
    shown: list[LedgerEvent] = field(default_factory=list)
    is_gone: bool = False
    """It has stopped and will never come back."""

    @property
    def seat(self) -> Seat:
        """The seat of this peer."""
        return self.player.seat

    @property
    def is_left_out(self) -> bool:
        """Whether the others have left this seat out, and it knows."""
        return self.table is not None and self.seat not in self.table.position.roster

    def take(self, table: Table, ready: Ready) -> tuple[Outgoing, ...]:
        """Store what a table asks for, and return what it sends."""
        self.table = table
        self.journal.extend(write(message) for message in ready.persist)
        self.shown.extend(ready.show)
        for ask in ready.ask:
            assert not isinstance(ask, AskSeal), "nobody here waits for word before it seals"
            self.asked = ask
        return ready.send

    def stop_within(self, ready: Ready, stored: int, sent: int) -> tuple[Outgoing, ...]:
        """Stop with part of a batch stored; only if all of it is, some of it has left."""
        self.journal.extend(write(message) for message in ready.persist[:stored])
        self.stop()
        return ready.send[:sent] if stored >= len(ready.persist) else ()

    def forget(self, hundredths: int) -> bool:
        """Put an old copy in the place of the journal; say whether anything is missing in it."""
        lost = len(self.journal) * hundredths // 100
        del self.journal[len(self.journal) - lost :]
        return lost > 0

    def stop(self) -> None:
        """Forget everything that is not in the journal."""
        self.table, self.asked, self.woken = None, None, None

    def records(self) -> tuple[LedgerMessage, ...]:
        """Return what the journal holds."""
        return tuple(read(data) for data in self.journal)
