"""Tables whose seats are stored on disks, in one process: each seat plays from its own journal.

One game is played in memory, once, and every test begins somewhere in it: a deal costs much more
than anything that is tested here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from nodealer.crypto import SECP256K1
from nodealer.deck import Keyring
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.ledger import AskAction, LedgerMessage, Ready
from nodealer.store.journal import Journal
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import create, open_journal
from nodealer.store.seats import come_back_to
from nodealer.table import Player, Setting, Table, check_charter, sit_down
from tests.store.players import Home, charter_for, home_in, identity_of, origin_of, seed_of, store

SEATS = 2

Batch = tuple[LedgerMessage, ...]


class Seats:
    """Tables and everything that is on the way between them."""

    def __init__(self) -> None:
        self.tables: dict[int, Table] = {}
        self.wires: list[tuple[int, int, LedgerMessage]] = []

    def store(self, seat: int, table: Table, ready: Ready) -> None:
        """Store what a table came to."""
        raise NotImplementedError

    def done(self, seat: int, table: Table, ready: Ready) -> None:
        """Store what a table came to, and send it."""
        self.store(seat, table, ready)
        self.tables[seat] = table
        for outgoing in ready.send:
            others = range(SEATS) if outgoing.to is None else (outgoing.to,)
            self.wires += [(seat, to, outgoing.message) for to in others if to != seat]

    def settle(self) -> None:
        """Deliver everything that is on the way; what goes to somebody who is away is lost."""
        while self.wires:
            sender, to, message = self.wires.pop(0)
            if to in self.tables:
                self.done(to, *self.tables[to].receive(message, Seat(sender)))

    def act(self) -> bool:
        """Let whoever is on turn act; say whether somebody was."""
        for seat, table in self.tables.items():
            asked = any(isinstance(ask, AskAction) for ask in table.ledger.asked)
            if asked and not table.position.is_closed:
                self.done(seat, *table.act(table.legal()[0]))
                return True
        return False

    def play(self, turns: int = 500) -> None:
        """Play so many turns, or to the end."""
        for _ in range(turns):
            self.settle()
            if not self.act():
                return
        self.settle()

    def tips(self) -> set[bytes]:
        """Return the tips of all who are there."""
        return {table.ledger.tip.id for table in self.tables.values()}


class Recorded(Seats):
    """A whole game, with what each seat stored up to every turn."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[Batch]] = [[] for _ in range(SEATS)]
        self.until: list[tuple[int, ...]] = []
        setting = Setting(check_charter(charter_for(SEATS)), game("macaua"))
        for seat in range(SEATS):
            ring = Keyring(SECP256K1, Seat(seat), seed_of(seat))
            self.done(seat, *sit_down(setting, Player(ring, identity_of(seat).signer)))
        self.settle()
        self.until.append(tuple(map(len, self.batches)))
        while self.act():
            self.settle()
            self.until.append(tuple(map(len, self.batches)))

    def store(self, seat: int, table: Table, ready: Ready) -> None:
        """Remember a batch."""
        assert table.seat == seat
        if ready.persist:
            self.batches[seat].append(ready.persist)

    def after(self, turns: int, seat: int) -> list[Batch]:
        """Return what a seat has stored after so many turns."""
        return self.batches[seat][: self.until[turns][seat]]


@lru_cache(maxsize=1)
def recorded() -> Recorded:
    """Return the game that all tests begin in."""
    return Recorded()


class Sitting(Seats):
    """Seats on disks, some turns into the game."""

    def __init__(self, folder: Path, turns: int = 0) -> None:
        super().__init__()
        self.charter = charter_for(SEATS)
        self.homes: list[Home] = [home_in(folder / str(seat), seat) for seat in range(SEATS)]
        self.journals: list[Journal] = []
        for home in self.homes:
            origin, seed = origin_of(self.charter, home.seat), seed_of(home.seat)
            journal = create(home.profile, origin, home.identity, seed)
            journal.append(sum(recorded().after(turns, home.seat), ()))
            self.journals.append(journal)
        for seat in range(SEATS):
            self.done(seat, *come_back_to(self.journals[seat]))
        self.settle()

    def store(self, seat: int, table: Table, ready: Ready) -> None:
        """Store a batch on the disk."""
        store(self.journals[seat], table, ready)

    def path(self, seat: int) -> Path:
        """Return where the journal of a seat is."""
        return self.homes[seat].profile.journal(self.charter.table)

    def doubt(self, seat: int) -> Doubt | None:
        """Return what is in doubt of the journal of a seat."""
        return self.journals[seat].doubt

    def suspect(self, seat: int) -> Mapping[Seat, int] | None:
        """Return who has answered a seat that is suspect, if it is."""
        return self.tables[seat].ledger.suspect

    def stop(self, seat: int) -> None:
        """Close the program of a seat."""
        self.journals[seat].close()
        del self.tables[seat]

    def start(self, seat: int) -> None:
        """Start the program of a seat again."""
        home = self.homes[seat]
        self.journals[seat] = open_journal(home.profile, self.charter.table, home.identity)
        self.done(seat, *come_back_to(self.journals[seat]))
        self.done(seat, *self.tables[seat].tell())

    def close(self) -> None:
        """Close everything."""
        for seat in tuple(self.tables):
            self.stop(seat)
