"""A shell of engines without trio, disk or network: every step of it is taken by hand.

A `World` has one engine for each seat, a journal in memory that can lose what was not synced, and
what is on the way between any two seats. Engines are values, so a world is forked by copying a few
dicts, and everything that may happen next can be tried from the same moment:

    deliver   the oldest message from one seat to another
    time      it goes on to the next moment for which an engine asks
    crash     a program is gone between storing and offering, or between two offers, and comes back

While it runs the world watches what no order of events may do: what a seat has newly signed is
synced before it leaves, a seat never signs twice in one place, and its words to everybody come to
each of the others in the order in which they were said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Final, get_args

from nodealer.bots import bot_for
from nodealer.keeping import (
    Answering,
    Done,
    Engine,
    Neighbour,
    Offering,
    Speech,
    Surroundings,
    TableInput,
    no_delay,
)
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Evidence, LedgerMessage, Ready
from nodealer.ledger.objects import Seal, Signed
from nodealer.node.auto import is_asked
from nodealer.table import Player, Setting, Table, come_back, sit_down

SIGNED: Final = get_args(Signed)

DELIVERY_US: Final = 300
"""What dealing with one message takes."""

NEAR_ROUND_TRIP_US: Final = 1_000
FAR_ROUND_TRIP_US: Final = 200_000

ROOM: Final = 64
"""So many messages are on the way from one seat to another at most."""

US_IN_A_TICK: Final = 1000


class MemoryJournal:
    """A journal without a disk, of which a power cut leaves what was synced."""

    def __init__(self) -> None:
        self.stored: list[LedgerMessage] = []
        self.synced = 0
        self.is_suspect = False
        self.notes: dict[str, bytes] = {}

    def copied(self) -> MemoryJournal:
        """Return the same journal for another course of events."""
        copy = MemoryJournal()
        copy.stored, copy.synced = list(self.stored), self.synced
        copy.is_suspect, copy.notes = self.is_suspect, dict(self.notes)
        return copy

    def append(self, records: Iterable[LedgerMessage], /, *, syncs: bool, is_suspect: bool) -> None:
        """Store a batch."""
        self.stored += records
        if syncs or is_suspect is not self.is_suspect:
            self.synced = len(self.stored)
        self.is_suspect = is_suspect

    def records(self) -> Sequence[LedgerMessage]:
        """Return everything that was stored."""
        return tuple(self.stored)

    def note(self, name: str, value: bytes, /) -> None:
        """Remember something."""
        self.notes[name] = value

    def noted(self, name: str, /) -> bytes | None:
        """Return what was remembered."""
        return self.notes.get(name)

    def lose(self) -> None:
        """Lose what was not synced."""
        del self.stored[self.synced :]


@dataclass(frozen=True, slots=True)
class Crash:
    """A program is gone at one point of carrying out what its engine has decided."""

    point: int
    """The points are counted from 1, over all seats."""
    loses: bool = False
    """Whether what was not synced is lost with it, as by a power cut."""
    away_us: int = 0
    """How long it is before the program comes back."""


@dataclass(frozen=True, slots=True)
class OnTheWay:
    """A message from one seat to another."""

    number: int
    """Messages are counted in the order in which they were sent."""
    message: LedgerMessage


class BrokenRuleError(AssertionError):
    """Something has happened that no order of events may lead to."""


class World:
    """Everything that a shell holds, for all seats of a table."""

    def __init__(self, setting: Setting, players: Sequence[Player]) -> None:
        self.setting = setting
        self.players = {player.seat: player for player in players}
        self.engines: dict[Seat, Engine] = {}
        self.journals = {seat: MemoryJournal() for seat in self.players}
        self.ways: dict[tuple[Seat, Seat], tuple[OnTheWay, ...]] = {}
        self.us = 0
        self.round_trip_us = NEAR_ROUND_TRIP_US
        self.narrow: frozenset[Seat] = frozenset()
        """Seats for which nobody has room."""
        self.points = self.sent = 0
        self.crash: Crash | None = None
        self.crashed: tuple[tuple[Seat, int], ...] = ()
        """Who is gone, and when it comes back."""
        self.left: dict[Seat, frozenset[object]] = {seat: frozenset() for seat in self.players}
        """Everything that a seat has signed and said, over all of its lives."""
        self.heard: dict[tuple[Seat, Seat], frozenset[Seal]] = {}
        """The seals of one seat that another was offered."""

    def fork(self) -> World:
        """Return a world in which everything may go another way from here on."""
        world = World(self.setting, tuple(self.players.values()))
        world.engines = dict(self.engines)
        world.journals = {seat: one.copied() for seat, one in self.journals.items()}
        world.ways = dict(self.ways)
        world.us, world.round_trip_us, world.narrow = self.us, self.round_trip_us, self.narrow
        world.points, world.sent, world.crashed = self.points, self.sent, self.crashed
        world.left, world.heard = dict(self.left), dict(self.heard)
        return world

    # Programs.

    def start(self, seat: Seat) -> None:
        """Let the program of a seat begin, from its journal if there is anything in it."""
        player, journal, tick = self.players[seat], self.journals[seat], self.us // US_IN_A_TICK
        records = journal.records()
        if records:
            table, first = come_back(self.setting, player, records, tick, is_old=journal.is_suspect)
        else:
            table, first = sit_down(self.setting, player, now=tick)
        others = tuple(other for other in self.players if other != seat)
        answering = Answering(no_delay)
        self.engines[seat] = Engine(table, Speech(seat, others), answering, first, first.wake)
        self.take(seat)
        for other in (*self.engines, seat):  # a connection has come up
            self.take(other, Table.tell)

    def around(self, seat: Seat) -> Surroundings:
        """Return what is around a seat now."""
        return Surroundings(
            self.us // US_IN_A_TICK,
            self.us,
            {other: self._neighbour(other) for other in self.players if other != seat},
        )

    def take(self, seat: Seat, step: TableInput | None = None) -> None:
        """Let a seat take an input, or the time alone."""
        if seat in self.engines:
            self._carry_out(seat, self.engines[seat].take(self.around(seat), step))

    def act(self, seat: Seat) -> None:
        """Let a bot choose for a seat."""
        table = self.engines[seat].table
        chance = Chance("kept", seat, table.ledger.tip.height)
        chosen = bot_for(self.setting.game).choose(table.view(), table.legal(), chance)
        done = self.engines[seat].take(self.around(seat), chosen=chosen)
        if done.refused is not None:
            raise BrokenRuleError(f"seat {seat} may not do what its bot has chosen: {done.refused}")
        self._carry_out(seat, done)

    def _neighbour(self, other: Seat) -> Neighbour:
        is_up = other in self.engines
        has_room = is_up and other not in self.narrow
        return Neighbour(is_up, has_room, self.round_trip_us if is_up else None)

    def _carry_out(self, seat: Seat, done: Done) -> None:
        """Do what an engine has decided, in its order, unless the program is gone meanwhile."""
        journal, batch = self.journals[seat], done.batch
        if self._is_gone(seat):
            return
        journal.append(batch.records, syncs=batch.syncs, is_suspect=batch.is_suspect)
        self.engines[seat] = done.engine
        if self._is_gone(seat):
            return
        self._require_innocent(done.shown)
        missed = set[Seat]()
        for one in (*done.spoken, *done.passed_on):
            self._require_order(seat, one)
            for to in one.to:
                if not self._offer(seat, to, one):
                    missed.add(to)
                if self._is_gone(seat):
                    return
        self.engines[seat] = done.engine.missing(missed)

    def _offer(self, seat: Seat, to: Seat, one: Offering) -> bool:
        self._require_synced(seat, one.message)
        way = self.ways.get((seat, to), ())
        if to not in self.engines or to in self.narrow or len(way) >= ROOM:
            return False
        self.sent += 1
        self.ways[seat, to] = (*way, OnTheWay(self.sent, one.message))
        return True

    # Crashes.

    def _is_gone(self, seat: Seat) -> bool:
        """Count one more point, and let the program be gone if it is this one."""
        self.points += 1
        if self.crash is None or self.points != self.crash.point:
            return False
        del self.engines[seat]
        if self.crash.loses:
            self.journals[seat].lose()
        self.ways = {way: found for way, found in self.ways.items() if seat not in way}
        self.crashed = (*self.crashed, (seat, self.us + self.crash.away_us))
        return True

    # Events.

    def choices(self) -> list[tuple[Seat, Seat] | None]:
        """Return what may happen next: a delivery over one of the ways, or that time goes on.

        What would happen in a calm world comes first: the message that was sent first.
        """
        ways = [way for way, found in self.ways.items() if found and way[1] in self.engines]
        return [*sorted(ways, key=lambda way: self.ways[way][0].number), None]

    def happen(self, choice: tuple[Seat, Seat] | None) -> None:
        """Let one thing happen."""
        if choice is None:
            self._pass_time()
            return
        (first, *rest), (sender, to) = self.ways[choice], choice
        self.ways[choice] = tuple(rest)
        self.us += DELIVERY_US
        self.take(to, lambda table: table.receive(first.message, sender))

    def _pass_time(self) -> None:
        """Let time go on to the next moment that matters to anybody."""
        wakes = {seat: _wake_us(engine) for seat, engine in self.engines.items()}
        comes_back = dict(self.crashed)
        self.us = max(self.us, min((*wakes.values(), *comes_back.values())))
        back = [seat for seat, at in self.crashed if at <= self.us]
        self.crashed = tuple(one for one in self.crashed if one[0] not in back)
        for seat in back:
            self.start(seat)
        for seat, wake in wakes.items():
            if wake <= self.us:
                self.take(seat)

    # What may never be.

    def _require_synced(self, seat: Seat, message: LedgerMessage) -> None:
        journal = self.journals[seat]
        own = frozenset(signed_by(seat, message))
        if not own - self.left[seat]:
            return
        synced = frozenset(signed_by(seat, journal.stored[: journal.synced]))
        if own - synced:
            raise BrokenRuleError(
                f"seat {seat} says what a power cut would make it forget: {message}"
            )
        self.left[seat] |= own

    def _require_order(self, seat: Seat, one: Offering) -> None:
        """Let everybody hear a seal before the next words, until its entry is taken."""
        new = frozenset(seal for seal in signed_by(seat, one.message) if isinstance(seal, Seal))
        tip = self.engines[seat].table.ledger.tip
        for to in one.to:
            heard = self.heard[seat, to] = self.heard.get((seat, to), frozenset()) | new
            seals = (seal for seal in self.left[seat] if isinstance(seal, Seal))
            late = [seal for seal in seals if seal.parent == tip.id and seal not in heard]
            if late and len(one.to) == len(self.players) - 1:
                raise BrokenRuleError(f"seat {seat} says to {to}, before {late[0]}: {one.message}")

    def _require_innocent(self, shown: Ready) -> None:
        for event in shown.show:
            if isinstance(event, Evidence):
                raise BrokenRuleError(f"seat {event.seat} is accused")

    # The table.

    @property
    def heights(self) -> list[int]:
        """The heights of all programs that run."""
        return [engine.table.ledger.tip.height for engine in self.engines.values()]

    @property
    def tips(self) -> set[bytes]:
        """The tips of all programs that run."""
        return {engine.table.ledger.tip.id for engine in self.engines.values()}

    @property
    def asked(self) -> Seat | None:
        """The seat whose player is asked for something, if all know it."""
        if len(self.tips) > 1 or self.crashed:
            return None
        seats = (seat for seat, engine in self.engines.items() if is_asked(engine.table))
        return next(seats, None)

    @property
    def is_busy(self) -> bool:
        """Whether anything is on the way."""
        return any(self.ways.values())

    @property
    def is_closed(self) -> bool:
        """Whether the game is over for everybody."""
        return not self.crashed and all(
            engine.table.position.is_closed for engine in self.engines.values()
        )


def signed_by(seat: Seat, value: object) -> Iterator[object]:
    """Yield everything in a message, or in many, that a seat has signed."""
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from signed_by(seat, one)
    elif is_dataclass(value):
        if isinstance(value, SIGNED) and value.seat == seat:
            yield value
        for field in fields(value):
            yield from signed_by(seat, getattr(value, field.name))


def _wake_us(engine: Engine) -> int:
    tick = engine.wake_tick
    return engine.wake_us if tick is None else min(engine.wake_us, tick * US_IN_A_TICK)
