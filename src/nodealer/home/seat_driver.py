"""The table as a player at the terminal is shown it, and acts on it: between keeper and screen.

The driver fills the book that lies beside the table: every batch of the keeper is told in it, and
once a second how the other seats are reached. The newest snapshot is held for whoever shows it.
What a player asks for is passed to the keeper, and whatever that refuses is told to the player.
Who is muted is remembered for this table in the notes of its journal.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import trio

from nodealer.games import Action
from nodealer.kernel import Seat
from nodealer.ledger import Ready
from nodealer.node import Keeper, SpokenLine
from nodealer.table import Table
from nodealer.ui import (
    Book,
    Command,
    Latest,
    Snapshot,
    chatted,
    counted,
    dismissed,
    muted,
    noted,
    opened,
    reached,
    snapshot_of,
    unmuted,
)

MUTED: Final = "chat/muted"
"""The note with the seats that are muted, one byte for each."""

LOOK_SECONDS: Final = 1.0
"""How often the links are looked at, and the times on the screen go on."""


class SeatDriver:
    """Drives the terminal of one seat at one table."""

    def __init__(self, keeper: Keeper, book: Book) -> None:
        """Tell the whole history so far in the book."""
        self._keeper = keeper
        self.book = opened(book, keeper.table, keeper.time.now())
        for number in keeper.journal.noted(MUTED) or b"":
            self.book = muted(self.book, Seat(number))
        for line in keeper.talk.chat.lines:
            self._said(line)
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

    async def act(self, action: Action) -> None:
        """Do what the player has chosen."""
        await self._keeper.act(action)

    async def say(self, text: str) -> None:
        """Say something to the table."""
        await trio.lowlevel.checkpoint()
        self._keeper.talk.say(text)

    async def command(self, command: Command) -> str:
        """Carry out a command; return a sentence for the player, or nothing."""
        match command:
            case Command("leave"):
                await self._keeper.leave()
            case Command("again"):
                await self._keeper.again()
            case _:
                await trio.lowlevel.checkpoint()
                return self._change(command)
        return ""

    def _change(self, command: Command) -> str:
        match command:
            case Command("mute", int() as seat):
                self.book = muted(self.book, Seat(seat))
            case Command("unmute", int() as seat):
                self.book = unmuted(self.book, Seat(seat))
            case Command("seen"):
                self.book = dismissed(self.book)
            case _:
                return f"Nothing here does {command.name}."
        self._keeper.journal.note(MUTED, bytes(sorted(self.book.muted)))
        self._show()
        return ""

    def _heard(self, line: SpokenLine) -> None:
        self._said(line)
        self._show()

    def _said(self, line: SpokenLine) -> None:
        self.book = chatted(self.book, line.seat, line.text)

    def _noted(self, table: Table, ready: Ready) -> None:
        self.book = noted(self.book, table, ready, self._keeper.time.now())
        self._show()

    def _show(self) -> None:
        self._shown.put(snapshot_of(self._keeper.table, self.book, self._keeper.time.now()))
