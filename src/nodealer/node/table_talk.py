"""The chat of a table that is open here: kept, then told and passed on.

`chat` decides which lines are taken. A line that is taken is in the notes of the journal before it
leaves, so a seat that starts again never gives a number twice; then it goes to every other seat but
the one that it came from and the one that said it. So each line goes once over each link, whoever
cannot reach its speaker hears it by way of the others, and a line that is known goes nowhere. A
seat whose program was started anew, and whoever begins to follow, gets the lines that are kept.

Where a link has no room a line is dropped. Spectators hear and say nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

from nodealer.kernel import LocalError, PeerError, Reason, Seat, Tallied
from nodealer.node.chat import (
    LINE,
    Chat,
    SpokenLine,
    chat_of,
    heard,
    looked_at,
    read_lines,
    say,
    write_lines,
)
from nodealer.node.clocks import now_in_ticks
from nodealer.node.envelopes import ForChat, write_envelope
from nodealer.node.observers import Observers
from nodealer.node.transport.link import Link, offered
from nodealer.store import Journal

NOTE: Final = "chat/lines"

WAITING_MAX: Final = 128
"""Chat keeps out of the way of the game: a link with more on its way than this gets no lines."""

FindLink: TypeAlias = Callable[[Seat], Link | None]


class TableTalk:
    """The talk at one table."""

    def __init__(
        self,
        journal: Journal,
        find_link: FindLink,
        ring: Callable[[], None],
        counts: Counter[Reason | Tallied],
    ) -> None:
        """Read what was said before; `ring` wakes whoever waits for news of the table."""
        kept = journal.noted(NOTE) or b""
        self.chat = chat_of(journal.charter, tuple(read_lines(kept)))
        self._counts = counts
        self.listeners: Observers[[SpokenLine]] = Observers()
        self._journal = journal
        self._link_to = find_link
        self._ring = ring

    def say(self, text: str) -> None:
        """Say something to the table, or raise `LocalError`."""
        seat = self._journal.seat
        if seat is None:
            raise LocalError(Reason.LOCAL_ARGUMENT, "who watches hears what is said, and is silent")
        self._take(*say(self.chat, seat, self._journal.signer(), text), seat)

    def hear(self, letter: bytes, bearer: Seat) -> None:
        """Take in what came over the link of a seat, which may be anything."""
        now = now_in_ticks()
        try:
            self.chat = looked_at(self.chat, bearer, now)
            line = LINE.read(letter)
            chat = heard(self.chat, line, now)
        except PeerError as error:
            self._counts[error.reason] += 1
        else:
            self._take(chat, line, bearer)

    def lines_after(self, known: dict[Seat, int]) -> list[SpokenLine]:
        """Return the lines that are kept and not known, and make them known."""
        new = [line for line in self.chat.lines if line.number > known.get(line.seat, 0)]
        known.update({line.seat: line.number for line in new})
        return new

    def greet(self, link: Link) -> None:
        """Send what is kept to somebody who may have heard nothing of it."""
        for line in self.chat.lines:
            offered(link, self.envelope(line), WAITING_MAX)

    def envelope(self, line: SpokenLine) -> bytes:
        """Return what is sent of a line."""
        return write_envelope(ForChat(self.chat.table), LINE.write(line))

    def _take(self, chat: Chat, line: SpokenLine, bearer: Seat) -> None:
        self._journal.note(NOTE, write_lines(chat.lines))
        self.chat = chat
        if self._journal.seat is not None:
            self._pass_on(line, {self._journal.seat, bearer, line.seat})
        self.listeners.tell(line)
        self._ring()

    def _pass_on(self, line: SpokenLine, known: set[Seat]) -> None:
        payload = self.envelope(line)
        for number in range(len(self.chat.keys)):
            if number not in known:
                offered(self._link_to(Seat(number)), payload, WAITING_MAX)
