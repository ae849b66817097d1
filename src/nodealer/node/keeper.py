"""A table that this node keeps open: the engine that decides, and what carries it out.

What is stored, synced, sent, held back and looked at, and in which order, is decided by an `Engine`
(`keeping`), a value. Here are the journal, the links and the clock that it speaks of, and those who
bring inputs and want to be told.

Inputs come from many tasks, and each is dealt with in the task that brings it, from its beginning
to its end without waiting for anything; so they come one after the other, and a task that is
cancelled has brought an input whole or not at all. Storing blocks the program for the time of one
sync, which is shorter than anything that a thread would add, and keeps the order plain.

Nothing waits in a queue. Inputs that are taken together would have a sync together, but hardly
any two of them need one each. A task that has brought an input lets all others run before it
brings the next; so a peer that floods is read no faster than its flood is dealt with, and between
any two of its messages everybody else has a turn. Those who write to links have it first, and
whoever waits for changes of the table is woken after them.

What goes wrong inside, a disk that is full or a table that contradicts itself, goes wrong for the
table and not for whoever brought the input: `run` raises it, nothing more is taken, and whoever
wants to bring anything waits for the end of the program. Before `run` has begun it is the same.
`run` does nothing else but look at the clock; whatever changes the time of the next look moves it.

A message to a peer is put into the window of its link. Where there is no room the message is
dropped: the ledger knows how to ask for what is missing.

Observers (a terminal, a page, a bot, a spectator far away) are told of every batch, in order, once
it is in the journal; they must not wait.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from nodealer.games import Action
from nodealer.keeping import (
    TICKS_IN_A_SECOND,
    Answering,
    Done,
    DrawDelay,
    Engine,
    Neighbour,
    Offering,
    Speech,
    Surroundings,
    TableInput,
    delays,
    passes_alone,
)
from nodealer.kernel import Reach, Reason, Seat, TableId, Tallied
from nodealer.ledger import DUTIES, ChainEntry, Duties, Founded, Ready, write
from nodealer.node.clocks import SeenTime
from nodealer.node.envelopes import ForTable, write_envelope
from nodealer.node.observers import Observers
from nodealer.node.table_talk import FindLink, TableTalk
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.link import Bell, Link, now_us, offered
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.timing import SECOND_US
from nodealer.store import Journal, come_back_to
from nodealer.table import Player, Table

ROOMY: Final = 32
"""A peer with no more messages than this on their way is not behind any more."""

US_IN_A_TICK: Final = SECOND_US // TICKS_IN_A_SECOND


def drawn_delay(window: int) -> int:
    """Draw for how many ticks an answer is held back."""
    return secrets.choice(delays(window))


class Keeper:
    """One table, kept open by `run`; made by `Node.open_table`."""

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
        self._bell, self._tip_bell = Bell(), Bell()
        self.talk = TableTalk(journal, find_link, self._bell.ring, counts)
        self.absent: frozenset[Seat] = frozenset()
        """Whose program has said that it does not have this table open."""
        self.fed: dict[PeerKey, ChainEntry | None] = {}
        """Who follows, and the last entry that was sent to it."""
        table, first = come_back_to(journal, time.now(), duties)
        self._engine = Engine(
            table,
            Speech(journal.seat, tuple(self.others)),
            Answering(draw_delay, passes_alone=passes_alone(journal)),
            first,
            first.wake,
        )

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self._engine.table

    @property
    def answering(self) -> Answering:
        """The question that is open for the player, if there is one."""
        return self._engine.answering

    def seat_player(self, player: Player) -> None:
        """Let somebody else make what this seat owes, who has the same keys."""
        table = replace(self._engine.table, player=player)
        self._engine = replace(self._engine, table=table)

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
            while self._error is None:
                self._carry_out(self._engine.take(self._around()))
                self._bell.ring()
                await self._until_it_is_time()
        finally:
            self._is_open = False
            self._offer(self._engine.stopped())
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
        await self._put(partial(Table.receive, message=data, sender=sender))

    async def tell(self) -> None:
        """Tell everybody where this seat stands, as when a connection came up."""
        await self._put(Table.tell)

    async def act(self, chosen: Action) -> None:
        """Do what the player has chosen, or raise `LocalError` and do nothing."""
        await self._put(chosen=chosen)

    async def notice(self) -> None:
        """Say that the player has taken notice of everything, where acks wait for that."""
        await self._put(Table.notice)

    async def again(self) -> None:
        """Ask for another game at this table."""
        await self._put(Table.again)

    async def leave(self) -> None:
        """Leave the table for good."""
        await self._put(Table.leave)

    async def _put(self, step: TableInput | None = None, *, chosen: Action | None = None) -> None:
        await self._until_open()
        refused = None
        try:
            done = self._engine.take(self._around(), step, chosen=chosen)
            self._carry_out(done)
            refused = done.refused
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

    async def _until_it_is_time(self) -> None:
        with trio.CancelScope(deadline=self._deadline()) as self._look:
            await trio.sleep_forever()

    def _deadline(self) -> float:
        wake, tick = self._engine.wake_us / SECOND_US, self._engine.wake_tick
        return wake if tick is None else min(wake, self.time.at(tick))

    # What the engine speaks of.

    def _around(self) -> Surroundings:
        links = ((seat, self.link_to(seat)) for seat in self.others)
        there = {seat: neighbour(link) for seat, link in links if link is not None}
        return Surroundings(self.time.now(), now_us(), there)

    def _carry_out(self, done: Done) -> None:
        """Store, then show and send what an input has come to."""
        batch, tip = done.batch, self.table.ledger.tip
        self.journal.append(batch.records, syncs=batch.syncs, is_suspect=batch.is_suspect)
        self._engine = done.engine
        if self.table.ledger.tip is not tip:
            self._tip_bell.ring()
        missed = self._offer(done.spoken)
        self.observers.tell(self.table, done.shown)
        missed |= self._offer(done.passed_on)
        self._engine = self._engine.missing(missed)
        self._look.deadline = self._deadline()

    def _offer(self, offerings: Iterable[Offering]) -> set[Seat]:
        """Offer messages to their seats, and return those who had no room for one."""
        missed = set[Seat]()
        for one in offerings:
            payload = write_envelope(ForTable(self.id), write(one.message))
            missed |= {seat for seat in one.to if not offered(self.link_to(seat), payload)}
        return missed


def neighbour(link: Link) -> Neighbour:
    """Return what a link says of its seat at this moment."""
    is_up = link.state is LinkState.UP
    has_room = not link.has_ended and link.waiting <= ROOMY
    return Neighbour(is_up, has_room, link.session.pulse.least_rtt_us if is_up else None)
