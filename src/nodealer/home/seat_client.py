"""A player whose moves come from a client: between a keeper and a conversation.

The keeper tells of every batch once it is in the journal. The client is then told of the entries,
one after the other: of the next one when it has acknowledged what the last one has brought. What it
was told and has not acknowledged is a note in the journal, with the entry up to which it was told;
so after a restart, of the client or of this program, it goes on where it was. Between storing an
entry and writing the note a program can die: then the entry is told after the restart, from the
journal.
A journal that was salvaged may lack what the client was told. The others send it; until it is there
again nothing is told, and the note stays.

Where acks are due the seat seals when everything is acknowledged, and not before.
"""

from __future__ import annotations

from typing import Final

import trio

from nodealer.games import Action, ClientRefused, Fault, SeedProtocol, SeenEntry, View
from nodealer.kernel import LocalError, Reason
from nodealer.ledger import AskSeal, ChainEntry, Ready
from nodealer.loopback import ChannelEnded
from nodealer.node import Bell, Keeper, is_asked
from nodealer.seat import Conversation, Wire, note_bytes, read_note, restored
from nodealer.table import Table, position_of

NOTE: Final = "seat/conversation"
"""The note in which the journal keeps what the client was told."""

AHEAD_MAX: Final = 4
"""So much of what a client says waits to be heard; no protocol has it say more at once."""


class SeatClient:
    """The service to the client of one seat."""

    def __init__(self, keeper: Keeper, protocol: SeedProtocol) -> None:
        """Go on where the client was; everything that has happened since will be told."""
        self._keeper = keeper
        self._bell = Bell()
        self._lines: list[str] = []
        self._is_linked = False
        self._is_out = False
        self._noted = keeper.journal.noted(NOTE)
        self._told, self._lacking, self._conversation = _begun(keeper.table, protocol, self._noted)
        self._settle()
        self._go_on()
        keeper.observers.add(self._happened)

    async def talk(self, wire: Wire) -> None:
        """Serve a client until it is gone, or another one takes over."""
        self._settle()
        self._conversation, lines = self._conversation.linked()
        self._lines, self._is_linked = [*lines], True
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, wire, nursery.cancel_scope)
                said, to_hear = trio.open_memory_channel[str](AHEAD_MAX)
                nursery.start_soon(self._read, wire, said, nursery.cancel_scope)
                nursery.start_soon(self._listen, to_hear, nursery.cancel_scope)
        finally:
            self._lines, self._is_linked = [], False

    async def heed(self) -> None:
        """Take notice where acks are due, as soon as the client has acknowledged everything."""
        while True:
            tip = self._keeper.table.ledger.tip
            try:
                if self._has_heard_all():
                    await self._keeper.notice()
            except LocalError:
                if self._keeper.table.ledger.tip is tip and self._has_heard_all():
                    raise
            if not self._has_heard_all():
                await self._bell.wait()

    async def over(self) -> None:
        """Wait until the game is over, or goes on without this seat, and the client knows."""
        while not self._is_over() or self._lines:
            await self._bell.wait()

    def _is_over(self) -> bool:
        table = self._keeper.table
        is_told = self._told.id == table.ledger.tip.id and self._conversation.is_told_all
        return self._is_out or (table.position.is_closed and is_told)

    def _is_founded(self) -> bool:
        """Say whether everybody has agreed to the table; a client that is quicker has to wait."""
        certificate = self._keeper.table.ledger.tip.certificate
        return bool(certificate.seals or certificate.votes)

    def _has_heard_all(self) -> bool:
        ledger = self._keeper.table.ledger
        has_heard = self._conversation.is_heard_out and self._told.id == ledger.tip.id
        return has_heard and any(isinstance(ask, AskSeal) for ask in ledger.asked)

    def _settle(self) -> None:
        """Take note that the table has an answer, which a client gave that was cut off."""
        if not is_asked(self._keeper.table) and self._keeper.table.ledger.suspect is None:
            self._conversation = self._conversation.acted(self._conversation.asked_number)

    # What happens at the table.

    def _happened(self, table: Table, ready: Ready) -> None:
        del table, ready  # the keeper has them
        self._go_on()

    def _go_on(self) -> None:
        """Tell of entries as far as the client has acknowledged; store, then send."""
        table = self._keeper.table
        for entry in _after(table.ledger.tip, self._told):
            if self._conversation.protocol.has_acks and not self._conversation.is_heard_out:
                break
            if table.seat not in entry.roster:
                self._leave_out()
                break
            if self._is_lacking(entry):
                self._told = entry
                continue
            view = _view(table, entry)
            seen = SeenEntry(_view(table, self._told), view, position_of(entry).events)
            legal = position_of(entry).game.legal(view)
            self._conversation, self._told = self._conversation.after(seen, legal), entry
        self._conversation, again = self._conversation.awaited(is_awaited=is_asked(table))
        self._save()
        if self._is_linked:
            self._conversation, lines = self._conversation.flushed()
            self._lines += (*again, *lines)
        self._bell.ring()

    def _leave_out(self) -> None:
        if not self._is_out and self._is_linked:
            refused = ClientRefused(Fault.LEFT_OUT, "the game goes on without this seat")
            self._lines += self._conversation.refusal(refused)[:1]
        self._is_out = True

    def _is_lacking(self, entry: ChainEntry) -> bool:
        """Say whether an entry is one of those that were told before they were lost."""
        if self._lacking is None:
            return False
        until, height = self._lacking
        if entry.height >= height:
            self._lacking = None
        return entry.height < height or entry.id.hex() == until

    def _save(self) -> None:
        note = self._conversation.note()
        until, height = self._lacking or (self._told.id.hex(), self._told.height)
        data = note_bytes(note, until, height)
        if data != self._noted:
            self._keeper.journal.note(NOTE, data)
            self._noted = data

    # What the client says.

    async def _write(self, wire: Wire, scope: trio.CancelScope) -> None:
        try:
            while True:
                while self._lines:
                    await wire.send(self._lines[0])
                    del self._lines[0]
                self._bell.ring()
                await self._bell.wait()
        except ChannelEnded:
            scope.cancel()

    async def _read(
        self, wire: Wire, said: trio.MemorySendChannel[str], scope: trio.CancelScope
    ) -> None:
        """Read ahead, so that a client that goes is noticed while nobody listens to it."""
        try:
            while True:
                await said.send(await wire.receive())
        except ChannelEnded:
            said.close()  # what it has said is heard
        if not self._is_founded():
            scope.cancel()

    async def _listen(
        self, to_hear: trio.MemoryReceiveChannel[str], scope: trio.CancelScope
    ) -> None:
        while not self._is_founded():
            await self._bell.wait()
        async for text in to_hear:
            await self._hear(text)
            while self._lines:  # whoever does not listen is not heard
                await self._bell.wait()
        scope.cancel()

    async def _hear(self, text: str) -> None:
        table, seats = self._keeper.table, len(self._keeper.journal.charter.keys)
        said = self._conversation.heard(text, table.view(), table.legal(), seats)
        self._conversation, reply = said
        self._lines += reply.lines
        if reply.action is not None:
            await self._act(reply.action)
        self._go_on()

    async def _act(self, chosen: Action) -> None:
        number = self._conversation.asked_number
        try:
            await self._keeper.act(chosen)
        except LocalError as error:
            is_late = error.reason is Reason.LOCAL_MAY_NOT_SIGN
            fault = Fault.NOT_NOW if is_late else Fault.NOT_ALLOWED
            self._lines += self._conversation.refusal(ClientRefused(fault, error.detail))
        else:
            self._conversation = self._conversation.acted(number)


def _begun(
    table: Table, protocol: SeedProtocol, noted: bytes | None
) -> tuple[ChainEntry, tuple[str, int] | None, Conversation]:
    """Return up to which entry the client was told, which one is lacking, and what it was told."""
    tip = table.ledger.tip
    known = list(tip.downwards())
    if noted is None:
        return known[-1], None, Conversation(protocol)
    note = read_note(noted)
    entry, height = note["entry"], note["height"]
    assert isinstance(entry, str), "a note names an entry"
    assert isinstance(height, int), "a note says how high an entry stands"
    if tip.height < height:
        return tip, (entry, height), restored(protocol, note)
    # An entry that is not there any more was the tip; what has taken its place is told.
    found = [link for link in known if link.id.hex() == entry or link.height == height - 1]
    return found[0], None, restored(protocol, note)


def _after(tip: ChainEntry, told: ChainEntry) -> list[ChainEntry]:
    """Return the entries that were not told yet; one that has replaced what was told is new."""
    new = []
    for entry in tip.downwards():
        if entry.id == told.id or entry.height < told.height:
            break
        new.append(entry)
    return new[::-1]


def _view(table: Table, entry: ChainEntry) -> View:
    assert table.player is not None, "a client has a seat"
    position = position_of(entry)
    return position.view(table.seat, table.player.notebook(position))
