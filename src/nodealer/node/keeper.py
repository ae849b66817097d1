"""A table that this node keeps open: its journal, its seat, its clock, and the links to the others.

Theory of operation. Everything that happens to a table is an *input*, a function from a table to a
table and a batch: a message of a peer, the time, what the player has decided. Inputs come from many
tasks, and each is dealt with in the task that brings it, from its beginning to its end without
waiting for anything; so they come one after the other, and a task that is cancelled has brought an
input whole or not at all. What it comes to is in the journal before anybody is shown anything of
it, and on the disk before anything leaves that this seat has newly signed. Storing blocks the
program for the time of one sync, which is shorter than anything that a thread would add, and keeps
the order plain. What others have said may be passed on at once, in an entry too, and is synced a
little later if nothing else leaves until then.

Nothing waits in a queue. Inputs that are taken together would have a sync together, but hardly
any two of them need one each: a sync is made where this seat has signed something, once or twice in
a step, and what others say is free. A task that has brought an input lets all others run before it
brings the next; so a peer that floods is read no faster than its flood is dealt with, and between
any two of its messages everybody else has a turn. Those who write to links have it first, and
whoever waits for changes of the table is woken after them.

What goes wrong inside, a disk that is full or a table that contradicts itself, goes wrong for the
table and not for whoever brought the input: `run` raises it, nothing more is taken, and whoever
wants to bring anything waits for the end of the program. Before `run` has begun it is the same.
`run` does nothing else but look at the clock; whatever changes the time of the next look moves it.

A message to a peer is put into the window of its link. Where there is no room, because the peer
reads slowly or was away for long, the message is dropped: the ledger knows how to ask for what is
missing. Once there is room again everybody is told where this seat stands, and the peer asks. So a
slow peer costs the others nothing, and this node a bounded memory.

The time is told to the table before an input, if it is later by a tenth of a second or the table
waits for it. It is the time that the node has seen pass: while this program was kept from running
nobody was silent, and what has come in meanwhile is read before anybody is voted on.

An answer to a question that several are asked in secret leaves at a time of its own: see
`answering`.

Observers (a terminal, a page, a bot, a spectator far away) are told of every batch, in order, once
it is in the journal; they must not wait.

Among near peers a seal may be held back from all but the author, and an author sends its entry:
`held_seals` says which and why. This seat's words to everybody keep their order, so what is held
leaves before the next of them, and when `run` ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import trio

from nodealer.games import Action
from nodealer.kernel import EntryId, LocalError, Reach, Reason, Seat, TableId, Tallied
from nodealer.ledger import (
    DUTIES,
    ChainEntry,
    Duties,
    Founded,
    LedgerMessage,
    Outgoing,
    Ready,
    write,
)
from nodealer.node.answering import Answering, DrawDelay, drawn_delay, passes_alone
from nodealer.node.clocks import TICKS_IN_A_SECOND, SeenTime
from nodealer.node.envelopes import ForTable, write_envelope
from nodealer.node.held_seals import (
    HOLD_SECONDS,
    MAY_BE_NEAR_US,
    NEAR_US,
    HeldSeals,
    completed,
    is_within,
    proposed_by,
    sealed_for,
)
from nodealer.node.observers import Observers
from nodealer.node.table_talk import FindLink, TableTalk
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.link import Bell, Link, now_us, offered
from nodealer.node.transport.timing import SECOND_US
from nodealer.store import Journal, come_back_to, keep
from nodealer.table import Table, joined

TableInput: TypeAlias = Callable[[Table], tuple[Table, Ready]]
"""An input: what happens to a table."""

GRAIN_TICKS: Final = TICKS_IN_A_SECOND // 10
"""The time goes on for a table in such steps, unless it waits for it: players wait for seconds."""

ROOMY: Final = 32
"""A peer with no more messages than this on their way is not behind any more."""

SYNC_SECONDS: Final = 1.0
"""How long something may be in the journal and not on the disk."""

US_IN_A_TICK: Final = SECOND_US // TICKS_IN_A_SECOND

LOOK_SECONDS: Final = 0.5
"""How often it is looked whether a peer that was behind is so still."""


class Keeper:
    """One table, kept open by `run`; made by `open_keeper`."""

    def __init__(
        self,
        journal: Journal,
        find_link: FindLink,
        time: SeenTime,
        counts: Counter[Reason | Tallied],
        duties: Duties = DUTIES,
        draw_delay: DrawDelay = drawn_delay,
    ) -> None:
        """Bring the seat back from its journal; nothing leaves before `run`."""
        self.journal = journal
        self.time = time
        """The clock that the table goes by."""
        self.counts = counts
        """What its node has not taken of what others have sent."""
        self.founding = write(Founded(journal.charter))
        """The charter, as it is sent to whoever follows."""
        self.observers: Observers[[Table, Ready]] = Observers()
        """Are told the table after each batch, and what the batch was."""
        self.link_to = find_link
        keys = enumerate(journal.charter.keys)
        self.others: Mapping[Seat, bytes] = {Seat(s): key for s, key in keys if s != journal.seat}
        """The keys of all other seats."""
        self._is_open = False
        """Whether inputs are taken: from the beginning of `run` to its end, or to an error."""
        self._error: BaseException | None = None
        self._look = trio.CancelScope()
        """Ends the present wait of `run` at the next time at which the clock matters."""
        self._held: HeldSeals | None = None
        self._proposed: EntryId | None = None
        """What this seat has proposed last."""
        self._behind: set[Seat] = set()
        self._bell, self._tip_bell = Bell(), Bell()
        self.talk = TableTalk(journal, find_link, self._bell.ring, counts)
        self.absent: frozenset[Seat] = frozenset()
        """Whose program has said that it does not have this table open."""
        self.table, self._first = come_back_to(journal, time.now(), duties)
        self.fed: dict[PeerKey, ChainEntry | None] = {}
        """Who follows, and the last entry that was sent to it."""
        self.answering = Answering(draw_delay, passes_alone=passes_alone(journal))
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

    async def run(self) -> None:
        """Keep the table open until cancelled, or until something goes wrong."""
        await trio.lowlevel.checkpoint()
        try:
            self._is_open = True
            self._settle(self.table, self._first)
            self._bell.ring()
            await self._until_it_is_time()
            while self._error is None:
                if not self._let_go_in_time():
                    self._take()
                    self._bell.ring()
                await self._until_it_is_time()
        finally:
            self._is_open = False
            self._let_go()
            if self._error is not None:  # also where `run` is cancelled at the same time
                raise self._error

    def note_fed(self, peer: PeerKey, last: ChainEntry | None) -> None:
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

    async def moved(self) -> None:
        """Wait until there is another tip, which happens much less often."""
        await self._tip_bell.wait()

    def note_absent(self, seat: Seat, *, is_absent: bool) -> None:
        """Take notice that a peer has this table open, or has it not."""
        if is_absent != (seat in self.absent):
            self.absent = self.absent | {seat} if is_absent else self.absent - {seat}
            self._bell.ring()

    def reach(self, seat: Seat) -> Reach:
        """Return how another seat is reached now, in ticks of this table."""
        link, tick, now = self.link_to(seat), self.time.now(), now_us()
        there = Reach() if link is None else link.reach
        there = there.at_times(lambda us: tick - (now - us) // US_IN_A_TICK)
        return replace(there, is_absent=seat in self.absent)

    # Inputs.

    async def receive(self, data: bytes, sender: Seat) -> None:
        """Take in what a peer has sent, and let others have their turn."""
        await self._put(lambda table: table.receive(data, sender))

    async def tell(self) -> None:
        """Tell everybody where this seat stands, as when a connection came up."""
        await self._put(Table.tell)

    async def act(self, chosen: Action) -> None:
        """Do what the player has chosen, or raise `LocalError` and do nothing."""
        await self._put(lambda table: self.answering.act(table, chosen))

    async def notice(self) -> None:
        """Say that the player has taken notice of everything, where acks wait for that."""
        await self._put(Table.notice)

    async def again(self) -> None:
        """Ask for another game at this table."""
        await self._put(Table.again)

    async def leave(self) -> None:
        """Leave the table for good."""
        await self._put(Table.leave)

    async def _put(self, step: TableInput) -> None:
        await self._until_open()
        refused = None
        try:
            refused = self._take(step)
        except BaseException as error:  # noqa: BLE001 - `run` raises it, and the table ends there
            self._is_open, self._error = False, error
            self._look.cancel()
        await self._until_open()
        try:
            await trio.lowlevel.checkpoint()
        finally:
            self._bell.ring()
        if refused is not None:
            raise refused

    async def _until_open(self) -> None:
        while not self._is_open:
            await self._bell.wait()

    # The clock.

    async def _until_it_is_time(self) -> None:
        with trio.CancelScope(deadline=self._deadline()) as self._look:
            await trio.sleep_forever()

    def _deadline(self) -> float:
        wake = trio.current_time() + LOOK_SECONDS if self._behind else float("inf")
        wake = min(wake, self._sync_at)
        if self._held is not None:
            wake = min(wake, self._held.until)
        ticks = [tick for tick in (self._wake, self.answering.due) if tick is not None]
        return min([wake, *map(self.time.at, ticks)])

    # One input.

    def _take(self, step: TableInput | None = None) -> LocalError | None:
        """Take an input, or the time alone; return why the player is refused, if it is."""
        refused = None
        table, ready = self._in_time()
        if self._has_caught_up():
            table, ready = _after(table, ready, Table.tell)
        if (answer := self.answering.answered(table, self.time.now())) is not None:
            table, ready = _after(table, ready, lambda table: table.act(answer))
        if step is not None:
            try:
                table, ready = _after(table, ready, step)
            except LocalError as error:  # nobody else is told
                refused = error
        self._settle(table, ready)
        return refused

    def _in_time(self) -> tuple[Table, Ready]:
        """Tell the table the time, if that is news to it."""
        now, told = self.time.now(), self.table.ledger.now
        if now < told + GRAIN_TICKS and (self._wake is None or now < self._wake):
            return self.table, Ready(wake=self._wake)
        return self.table.tick(max(now, told))

    def _settle(self, table: Table, ready: Ready) -> None:
        """Store, then show and send what an input has come to."""
        keep(self.journal, table, ready)
        self._sync_in_time()
        if table.ledger.tip is not self.table.ledger.tip:
            self._tip_bell.ring()
        self.table, self._wake = table, ready.wake
        self.answering.heed(table, self.time.now())
        whole = self._whole(ready)
        if ready.send:  # what is over an entry must not come before it
            self._send(*whole, *ready.send, stored=ready.persist)
            whole = ()
        self.observers.tell(table, ready)
        self._send(*whole)
        self._look.deadline = self._deadline()

    def _sync_in_time(self) -> None:
        """Sync what nothing has left after, once it has waited for long enough."""
        now = trio.current_time()
        self._sync_at = min(self._sync_at, now + SYNC_SECONDS)
        if now >= self._sync_at:
            self.journal.sync()
        if self.journal.is_synced:
            self._sync_at = float("inf")

    # Links.

    def _send(self, *messages: Outgoing, stored: Sequence[LedgerMessage] = ()) -> None:
        for out in messages:
            payload = write_envelope(ForTable(self.id), write(out.message))
            if out.to is not None:
                self._offer(out.to, payload)
                continue
            self._let_go()
            self._proposed = proposed_by(self.seat, out) or self._proposed
            self._held = self._holding(out, payload, stored)
            for seat in self.others if self._held is None else (self._held.author,):
                self._offer(seat, payload)

    def _offer(self, seat: Seat, payload: bytes) -> None:
        if not offered(self.link_to(seat), payload):
            self._behind.add(seat)

    # Near peers.

    def _holding(
        self, out: Outgoing, payload: bytes, stored: Sequence[LedgerMessage]
    ) -> HeldSeals | None:
        """Return what is held if all but one seat are sent this a moment later."""
        found = sealed_for(out, stored)
        if found is None or not self._are_all_within(NEAR_US):
            return None
        return HeldSeals(*found, payload, trio.current_time() + HOLD_SECONDS)

    def _whole(self, ready: Ready) -> tuple[Outgoing, ...]:
        """Return the entry that this seat has authored, if it was taken and others may wait."""
        entry = completed(self._proposed, ready.persist)
        if entry is None or not self._are_all_within(MAY_BE_NEAR_US):
            return ()
        return (Outgoing(entry),)

    def _are_all_within(self, round_trip_us: int) -> bool:
        """Say whether there are several others, and all of them are nearer than this."""
        others = [seat for seat in self.table.ledger.tip.roster if seat != self.seat]
        links = map(self.link_to, others)
        return len(others) > 1 and all(is_within(link, round_trip_us) for link in links)

    def _let_go_in_time(self) -> bool:
        """Send what was held for long enough, and say whether there was anything."""
        is_time = self._held is not None and trio.current_time() >= self._held.until
        if is_time:
            self._let_go()
        return is_time

    def _let_go(self) -> None:
        """Send what is held to all who were not sent it yet; drop it if its entry was taken."""
        held, self._held = self._held, None
        if held is None or held.is_settled(self.table.ledger.tip):
            return
        for seat in self.others:
            if seat != held.author:
                self._offer(seat, held.payload)

    def _has_caught_up(self) -> bool:
        """Say whether a peer that was behind has room again; it is not behind any more then."""
        roomy = {seat for seat in self._behind if _has_room(self.link_to(seat))}
        self._behind -= roomy
        return bool(roomy)


def _after(table: Table, ready: Ready, step: TableInput) -> tuple[Table, Ready]:
    after, more = step(table)
    if after is table:  # an answer that is held back
        return table, ready
    return after, joined(ready, more)


def _has_room(link: Link | None) -> bool:
    return link is not None and not link.has_ended and link.waiting <= ROOMY
