"""A table that this node keeps open: its journal, its seat, its clock, and the links to the others.

Theory of operation. Everything that happens to a table is an *input*, a function from a table to a
table and a batch: a message of a peer, the time, what the player has decided. Inputs come from many
tasks and are taken one after the other, as many together as are there. What they come to is in the
journal before anybody is shown anything of it, and on the disk before anything of it leaves; one
sync serves all inputs of a batch. Storing blocks the program for the time of one sync, which is
shorter than anything that a thread would add, and keeps the order plain. What others have said may
be passed on at once, and is synced a little later if nothing leaves until then.

A message to a peer is put into the window of its link. Where there is no room, because the peer
reads slowly or was away for long, the message is dropped: the ledger knows how to ask for what is
missing. Once there is room again everybody is told where this seat stands, and the peer asks. So a
slow peer costs the others nothing, and this node a bounded memory.

The time is told to the table before every input.

Observers (a terminal, a page, a bot, a spectator far away) are told of every batch, in order, once
it is in the journal; they must not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from nodealer.games.api import Action
from nodealer.kernel import LocalError, Seat, TableId
from nodealer.ledger import DUTIES, Duties, Founded, Outgoing, Ready, write
from nodealer.ledger import Link as Entry
from nodealer.node.clocks import TICKS_IN_A_SECOND, now_in_ticks
from nodealer.node.envelopes import ForTable, write_envelope
from nodealer.node.offering import offered
from nodealer.node.talk import FindLink, Talk
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.link import Bell, Link
from nodealer.store.journal import Journal
from nodealer.store.seats import come_back_to, keep
from nodealer.table import Table, joined

Step: TypeAlias = Callable[[Table], tuple[Table, Ready]]
"""An input: what happens to a table."""

BATCH_MAX: Final = 64
"""Inputs that are taken together: one sync serves them all, and none waits long."""

INBOX: Final = 64
"""Inputs that wait; whoever has more to say is read later."""

ROOMY: Final = 32
"""A peer with no more messages than this on their way is not behind any more."""

SYNC_SECONDS: Final = 1.0
"""How long something may be in the journal and not on the disk."""

LOOK_SECONDS: Final = 0.5
"""How often it is looked whether a peer that was behind is so still."""

Observer: TypeAlias = Callable[[Table, Ready], None]
"""Is told the table after a batch, and what the batch was."""


@dataclass(slots=True)
class _Input:
    step: Step
    done: trio.Event
    error: LocalError | None = None


class Keeper:
    """One table, kept open by `run`; made by `open_keeper`."""

    def __init__(self, journal: Journal, find_link: FindLink, duties: Duties = DUTIES) -> None:
        """Bring the seat back from its journal; nothing leaves before `run`."""
        self.journal = journal
        self.founding = write(Founded(journal.charter))
        """The charter, as it is sent to whoever follows."""
        self.observers: list[Observer] = []
        self.link_to = find_link
        self._send_input, self._inputs = trio.open_memory_channel[_Input](INBOX)
        self._behind: set[Seat] = set()
        self._bell = Bell()
        self.talk = Talk(journal, find_link, self._bell.ring)
        self.absent: frozenset[Seat] = frozenset()
        """Whose program has said that it does not have this table open."""
        self.table, self._first = come_back_to(journal, now_in_ticks(), duties)
        self.fed: dict[PeerKey, Entry | None] = {}
        """Who follows, and the last entry that was sent to it."""
        self._wake: int | None = None
        self._sync_at = float("inf")

    @property
    def id(self) -> TableId:
        """The table."""
        return self.journal.table

    @property
    def seat(self) -> Seat | None:
        """The seat of this player; none for a spectator."""
        return self.journal.seat

    @property
    def others(self) -> Mapping[Seat, bytes]:
        """The keys of all other seats."""
        keys = enumerate(self.journal.charter.keys)
        return {Seat(seat): key for seat, key in keys if seat != self.seat}

    async def run(self) -> None:
        """Keep the table open until cancelled."""
        await trio.lowlevel.checkpoint()
        self._settle(self.table, self._first, ())
        while True:
            inputs = await self._some()
            await trio.lowlevel.checkpoint()
            self._take(inputs)

    def note_fed(self, peer: PeerKey, last: Entry | None) -> None:
        """Note what somebody who follows was sent last."""
        self.fed[peer] = last
        self._bell.ring()

    def note_unfed(self, peer: PeerKey) -> None:
        """Note that somebody does not follow any more."""
        del self.fed[peer]
        self._bell.ring()

    async def changed(self) -> None:
        """Wait until anything has happened at the table."""
        await self._bell.wait()

    def note_absent(self, seat: Seat, *, is_absent: bool) -> None:
        """Take notice that a peer has this table open, or has it not."""
        if is_absent != (seat in self.absent):
            self.absent = self.absent | {seat} if is_absent else self.absent - {seat}
            self._bell.ring()

    # Inputs.

    async def receive(self, data: bytes, sender: Seat) -> None:
        """Take in what a peer has sent; wait while there is much to do."""
        await self._put(lambda table: table.receive_bytes(data, sender))

    async def tell(self) -> None:
        """Tell everybody where this seat stands, as when a connection came up."""
        await self._put(Table.tell)

    async def act(self, chosen: Action) -> None:
        """Do what the player has chosen, or raise `LocalError` and do nothing."""
        await self._ask(lambda table: table.act(chosen))

    async def notice(self) -> None:
        """Say that the player has taken notice of everything, where acks wait for that."""
        await self._ask(Table.notice)

    async def again(self) -> None:
        """Ask for another game at this table."""
        await self._ask(Table.again)

    async def leave(self) -> None:
        """Leave the table for good."""
        await self._ask(Table.leave)

    async def _put(self, step: Step) -> _Input:
        one = _Input(step, trio.Event())
        await self._send_input.send(one)
        return one

    async def _ask(self, step: Step) -> None:
        one = await self._put(step)
        await one.done.wait()
        if one.error is not None:
            raise one.error

    # One batch.

    async def _some(self) -> list[_Input]:
        """Return what has happened, or nothing if it is time to look at the clock."""
        inputs: list[_Input] = []
        with trio.move_on_at(self._deadline()):
            inputs.append(await self._inputs.receive())
        while len(inputs) < BATCH_MAX:
            try:
                inputs.append(self._inputs.receive_nowait())
            except trio.WouldBlock:
                break
        return inputs

    def _deadline(self) -> float:
        wake = trio.current_time() + LOOK_SECONDS if self._behind else float("inf")
        wake = min(wake, self._sync_at)
        return wake if self._wake is None else min(wake, self._wake / TICKS_IN_A_SECOND)

    def _take(self, inputs: list[_Input]) -> None:
        table, ready = self.table.tick(max(now_in_ticks(), self.table.ledger.now))
        if self._has_caught_up():
            table, ready = _after(table, ready, Table.tell)
        for one in inputs:
            try:
                table, ready = _after(table, ready, one.step)
            except LocalError as error:  # the player asked for it: nobody else is told
                one.error = error
        self._settle(table, ready, tuple(inputs))

    def _settle(self, table: Table, ready: Ready, inputs: tuple[_Input, ...]) -> None:
        """Store, then show and send what a batch has come to."""
        keep(self.journal, table, ready)
        self._sync_in_time()
        self.table, self._wake = table, ready.wake
        for out in ready.send:
            self._post(out)
        for observer in self.observers:
            observer(table, ready)
        for one in inputs:
            one.done.set()
        self._bell.ring()

    def _sync_in_time(self) -> None:
        """Sync what nothing has left after, once it has waited for long enough."""
        now = trio.current_time()
        self._sync_at = min(self._sync_at, now + SYNC_SECONDS)
        if now >= self._sync_at:
            self.journal.sync()
        if self.journal.is_synced:
            self._sync_at = float("inf")

    # Links.

    def _post(self, out: Outgoing) -> None:
        payload = write_envelope(ForTable(self.id), write(out.message))
        for seat in self.others if out.to is None else (out.to,):
            if not offered(self.link_to(seat), payload):
                self._behind.add(seat)

    def _has_caught_up(self) -> bool:
        """Say whether a peer that was behind has room again; it is not behind any more then."""
        roomy = {seat for seat in self._behind if _has_room(self.link_to(seat))}
        self._behind -= roomy
        return bool(roomy)


def _after(table: Table, ready: Ready, step: Step) -> tuple[Table, Ready]:
    table, more = step(table)
    return table, joined(ready, more)


def _has_room(link: Link | None) -> bool:
    return link is not None and not link.has_ended and link.status.waiting <= ROOMY
