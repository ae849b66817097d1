"""The keeper of a table as a value: when to store, to sync, to send, to hold back and to wake.

    done = engine.take(around, step)       or  engine.take(around, chosen=action)
    journal.append(...)                    1. `done.batch`; from here on it has happened
    offer each of done.spoken              2. to the seats that it names, as far as there is room
    show done.engine.table                 3.
    offer each of done.passed_on           4.
    engine = done.engine.missing(seats)    of those for whom there was no room
    sleep until engine.wake_tick or engine.wake_us, then engine.take(around)

An input is a function from a table to a table and a batch: a message of a peer, the time, what the
player has decided. Whoever carries the engine, a node or a simulated one, takes one input after the
other and carries out in this order what it comes to. If storing raises nothing leaves, and this
engine is not gone on with: the seat comes back from its journal.

What has come of an input is in the journal before anybody is shown anything of it, and on the disk
before anything leaves that this seat has newly signed. A sync is made where this seat has signed
something, once or twice in a step. What others have said is free: it may be passed on at once, in
an entry too, and is synced a little later if nothing else leaves until then.

The time is told to the table before an input, if it is later by a tenth of a second or the table
waits for it. There are two clocks: the table goes by ticks that its node has seen pass, while what
is held, synced and asked for again goes by microseconds that pass for everybody.

A seat for whose message there was no room, because its peer reads slowly or was away for long, is
behind. Once there is room again everybody is told where this seat stands, and the peer asks for
what it lacks. So a slow peer costs the others nothing, and this seat a bounded memory.

Beside that: an answer to a question that several are asked in secret leaves at a time of its own
(`answering`); among near peers a seal may be held back from all but the author, and an author sends
its entry (`held_seals`): this seat's words to everybody keep their order, so what is held leaves
before the next of them, and when the engine is stopped; and who waits in vain for what somebody
else holds asks for it (`reminders`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from nodealer.games import Action
from nodealer.keeping.answering import Answering
from nodealer.keeping.reminders import FIRST_LOOK, Reminder
from nodealer.keeping.speech import Offering, Speech
from nodealer.keeping.surroundings import TICKS_IN_A_SECOND, Surroundings
from nodealer.kernel import LocalError, Seat
from nodealer.ledger import LedgerMessage, Ready
from nodealer.table import Table, joined

TableInput: TypeAlias = Callable[[Table], tuple[Table, Ready]]
"""An input: what happens to a table."""

GRAIN_TICKS: Final = TICKS_IN_A_SECOND // 10
"""The time goes on for a table in such steps, unless it waits for it: players wait for seconds."""

SYNC_US: Final = 1_000_000
"""How long something may be in the journal and not on the disk."""

EMPTY: Final = Ready()

LOOK_US: Final = 500_000
"""How often it is looked whether a seat that was behind is so still."""


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """Records that are stored at once, or not at all."""

    records: tuple[LedgerMessage, ...]
    is_suspect: bool
    """Whether the seat signs nothing for now, and its journal is in doubt."""
    syncs: bool
    """Whether this and all before it are on the disk before anything else is done."""


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of an input, in the order in which it is carried out."""

    engine: Engine
    batch: StoredBatch
    spoken: tuple[Offering, ...]
    shown: Ready
    passed_on: tuple[Offering, ...]
    refused: LocalError | None
    """Why the player may not do what was chosen; nothing has come of that, and nobody is told."""


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """One table that is kept open, between two inputs."""

    table: Table
    speech: Speech
    answering: Answering
    first: Ready = EMPTY
    """What the table has come back with, and is not stored yet."""
    table_wake: int | None = None
    """The tick at which the table itself waits for the time."""
    reminder: Reminder = FIRST_LOOK
    behind: frozenset[Seat] = frozenset()
    """Who has missed a message for want of room."""
    taken_us: int = 0
    """When the last input was taken."""
    unsynced_us: int | None = None
    """Since when something is in the journal and may not be on the disk."""

    @property
    def wake_tick(self) -> int | None:
        """The tick of the next look at the clock."""
        ticks = (self.table_wake, self.answering.due)
        return min((tick for tick in ticks if tick is not None), default=None)

    @property
    def wake_us(self) -> int:
        """The microsecond of the next look at the clock."""
        wake = self.reminder.due_us
        if self.behind:
            wake = min(wake, self.taken_us + LOOK_US)
        if self.unsynced_us is not None:
            wake = min(wake, self.unsynced_us + SYNC_US)
        if self.speech.held is not None:
            wake = min(wake, self.speech.held.until_us)
        return wake

    def take(
        self,
        around: Surroundings,
        step: TableInput | None = None,
        *,
        chosen: Action | None = None,
    ) -> Done:
        """Take an input, what the player has chosen, or the time alone."""
        table, ready = self._until_now(around)
        answering, refused = self.answering, None
        still_behind = frozenset(seat for seat in self.behind if not around.has_room(seat))
        if still_behind != self.behind:
            table, ready = _after(table, ready, table.tell())
        if (answer := answering.answer(table, around.tick)) is not None:
            table, ready = _after(table, ready, table.act(answer))
        try:
            if step is not None:
                table, ready = _after(table, ready, step(table))
            if chosen is not None:
                answering, acted, more = answering.act(table, chosen)
                table, ready = _after(table, ready, (acted, more))
        except LocalError as error:
            refused = error
        reminder, asks = self.reminder.after(table, around)
        if asks:
            table, ready = _after(table, ready, table.tell())
        tip = table.ledger.tip
        speech, spoken, passed_on = self.speech.said(ready, tip, around)
        since = self.unsynced_us
        if since is None and ready.persist:
            since = around.us
        syncs = bool(ready.send) or (since is not None and around.us >= since + SYNC_US)
        engine = Engine(
            table,
            speech,
            answering.heeding(table, around.tick),
            EMPTY,
            ready.wake,
            reminder,
            still_behind,
            around.us,
            None if syncs else since,
        )
        batch = StoredBatch(ready.persist, table.ledger.suspect is not None, syncs)
        return Done(engine, batch, spoken, ready, passed_on, refused)

    def missing(self, seats: Iterable[Seat]) -> Engine:
        """Take notice of seats for whose messages there was no room."""
        behind = self.behind.union(seats)
        return self if behind == self.behind else replace(self, behind=behind)

    def stopped(self) -> tuple[Offering, ...]:
        """Return what was held back, and leaves because nothing more is taken."""
        return self.speech.let_go(self.table.ledger.tip)

    def _until_now(self, around: Surroundings) -> tuple[Table, Ready]:
        """Tell the table the time, if that is news to it."""
        now, told = around.tick, self.table.ledger.now
        if now < told + GRAIN_TICKS and (self.table_wake is None or now < self.table_wake):
            return self.table, joined(self.first, Ready(wake=self.table_wake))
        table, ready = self.table.tick(max(now, told))
        return table, joined(self.first, ready)


def _after(table: Table, ready: Ready, done: tuple[Table, Ready]) -> tuple[Table, Ready]:
    """Return a table and its batch behind one more step; an answer that is held back is none."""
    after, more = done
    return (table, ready) if after is table else (after, joined(ready, more))
