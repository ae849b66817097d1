"""The table as a player is shown it, and acts on it: between keeper and whatever shows it.

The driver fills the book that lies beside the table: every batch of the keeper is told in it, and
once a second how the other seats are reached. The newest snapshot is held for whoever shows it.
What a player wants done at the table the keeper does, and whoever asked hears what it refuses.
Who is muted is remembered for this table in the notes of its journal; that it was put away, by a
file beside it, until it is opened again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import trio

from nodealer.home.latest import Latest
from nodealer.home.my_lobbies import PROGRAMS
from nodealer.home.my_tables import away_mark, table_mark
from nodealer.kernel import Seat
from nodealer.ledger import Ready
from nodealer.node import Keeper, SpokenLine, bots_of
from nodealer.show import (
    Book,
    Snapshot,
    chatted,
    counted,
    held,
    muted,
    noted,
    opened,
    reached,
    snapshot_of,
    told,
    unmuted,
)
from nodealer.store import mark_of
from nodealer.table import Table

MUTED: Final = "chat/muted"
"""The note with the seats that are muted, one byte for each."""

LOOK_SECONDS: Final = 1.0
"""How often the links are looked at, and the times on the screen go on."""


class SeatDriver:
    """Drives what one seat is shown at one table."""

    def __init__(self, keeper: Keeper) -> None:
        """Tell the whole history so far in a new book."""
        self._keeper = keeper
        self.act, self.again, self.leave = keeper.act, keeper.again, keeper.leave
        self.say = keeper.talk.say
        self.book = opened(_book_of(keeper), keeper.table, keeper.time.now())
        for number in keeper.journal.noted(MUTED) or b"":
            self.book = muted(self.book, Seat(number))
        for line in keeper.talk.chat.lines:
            self._said(line)
        away_mark(keeper.journal.path).unlink(missing_ok=True)
        self._shown: Latest[Snapshot] = Latest()
        self._removals = (
            keeper.observers.add(self._noted),
            keeper.talk.listeners.add(self._heard),
        )

    def close(self) -> None:
        """Be told nothing more of the table."""
        for remove in self._removals:
            remove()

    async def run(self) -> None:
        """Look at the links again and again, until cancelled."""
        while True:
            for seat in self._keeper.others:
                self.book = reached(self.book, self._keeper.table, seat, self._keeper.reach(seat))
            self.book = counted(self.book, self._keeper.counts)
            self._show()
            await trio.sleep(LOOK_SECONDS)

    def updates(self) -> AsyncIterator[Snapshot]:
        """Yield what is to be shown, from now on."""
        return self._shown.updates()

    def put_away(self) -> None:
        """Let the table stand among the unfinished ones, until its player opens it again."""
        away_mark(self._keeper.journal.path).touch()

    def mute(self, seat: Seat, *, is_muted: bool) -> None:
        """Show what a seat says no more, or show it again; also when the player comes back."""
        self.book = muted(self.book, seat) if is_muted else unmuted(self.book, seat)
        self._keeper.journal.note(MUTED, bytes(sorted(self.book.muted)))
        self._show()

    def tell(self, text: str) -> None:
        """Have a sentence stand in the log that no entry tells."""
        self.book = told(self.book, text)
        self._show()

    def _heard(self, line: SpokenLine) -> None:
        self._said(line)
        self._show()

    def _said(self, line: SpokenLine) -> None:
        self.book = chatted(self.book, line.seat, line.number, line.text)

    def _noted(self, table: Table, ready: Ready) -> None:
        self.book = noted(self.book, table, ready, self._keeper.time.now())
        self._show()

    def _show(self) -> None:
        answering = self._keeper.answering
        self.book = held(self.book, is_held=answering.has_said, passes_at=answering.passes_at)
        self._shown.put(snapshot_of(self._keeper.table, self.book, self._keeper.time.now()))


def _book_of(keeper: Keeper) -> Book:
    journal = keeper.journal
    marks = {Seat(seat): mark_of(key) for seat, key in enumerate(journal.charter.keys)}
    title, bots = "with friends", frozenset[Seat]()
    if bots_of(journal):
        title, bots = "against bots", frozenset(keeper.others)
    elif keeper.seat is None:
        title = "as a spectator"
    programs = frozenset(map(Seat, journal.noted(PROGRAMS) or b""))
    return Book(title=title, mark=table_mark(keeper.id), marks=marks, bots=bots, programs=programs)
