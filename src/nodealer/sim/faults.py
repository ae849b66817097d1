"""The faults of a simulated game, and when they come: a plan that follows from the seed.

    none        a calm network, everybody honest and present
    lossy       messages are lost, doubled, reordered and held up; some clocks run too fast
    partition   the network falls into parts for a while, briefly or for longer than patience lasts
    crash       peers stop in the middle of storing or sending, and come back, or never do
    byzantine   one seat, or two, break the rules on purpose
    all         each game has one of these, or several at once

The seed decides which: consecutive seeds go through all kinds and all ways of breaking the rules in
turn, so a run of enough games leaves none of them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nodealer.kernel import Chance, Seat
from nodealer.sim.simulated_links import CALM, ROUGH, Weather

NONE: Final = "none"
LOSSY: Final = "lossy"
PARTITION: Final = "partition"
CRASH: Final = "crash"
BYZANTINE: Final = "byzantine"
ALL: Final = "all"

FAULTS: Final = (NONE, LOSSY, PARTITION, CRASH, BYZANTINE, ALL)

_CYCLE: Final = (
    (BYZANTINE,),
    (LOSSY,),
    (BYZANTINE, LOSSY),
    (PARTITION,),
    (BYZANTINE,),
    (CRASH,),
    (LOSSY, PARTITION, CRASH),
    (BYZANTINE, CRASH),
    (BYZANTINE,),
    (NONE,),
)
"""What strikes together in consecutive games under `all`."""

_LYING_ROWS: Final = sum(BYZANTINE in row for row in _CYCLE)

_AGAIN_EVERY: Final = 17
_AGAIN_AT: Final = 5
"""One game in so many is followed by another; 17 and 10 meet in every kind of fault."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A peer stops at a tick, in its next batch, and comes back `after` ticks later or never.

    Of a hundred records of its journal the last `lost` are not in the copy that it comes back from.
    """

    seat: Seat
    at: int
    after: int | None
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Partition:
    """The network falls into groups from a tick on, for some time."""

    at: int
    lasting: int
    groups: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Everything that will go wrong in one game."""

    weather: Weather = CALM
    parts: tuple[Partition, ...] = ()
    stops: tuple[Stop, ...] = ()
    hasty: tuple[Seat, ...] = ()
    """Seats whose clocks run too fast, so that they lose patience with others for nothing."""
    behaviour: int | None = None
    """Which way of breaking the rules, counted through."""
    games: int = 1
    """How many games are to be played at the table, one after the other."""

    @property
    def is_more_than_lies(self) -> bool:
        """Whether network, clocks or machines have faults too."""
        return self.weather != CALM or bool(self.parts or self.stops or self.hasty)

    @property
    def healed(self) -> int:
        """The tick after which nothing new goes wrong but for the weather."""
        ends = [part.at + part.lasting for part in self.parts]
        ends += [stop.at + (stop.after or 0) for stop in self.stops]
        return max(ends, default=0)


def plan_for(faults: str, seed: int, seats: int, chance: Chance) -> FaultPlan:
    """Return what goes wrong in the game with this seed."""
    kinds = _CYCLE[seed % len(_CYCLE)] if faults == ALL else (faults,)
    lied = (seed // len(_CYCLE)) * _LYING_ROWS + _rank(seed) if faults == ALL else seed
    return FaultPlan(
        weather=ROUGH if LOSSY in kinds else CALM,
        parts=_parts(seats, chance.branch("parts")) if PARTITION in kinds else (),
        stops=_stops(seats, chance.branch("stops")) if CRASH in kinds else (),
        hasty=_hasty(seats, chance.branch("hasty")) if LOSSY in kinds else (),
        behaviour=lied if BYZANTINE in kinds else None,
        games=2 if seed % _AGAIN_EVERY == _AGAIN_AT else 1,
    )


def _rank(seed: int) -> int:
    """Return which of the lying rows of the cycle this seed has."""
    return sum(BYZANTINE in row for row in _CYCLE[: seed % len(_CYCLE)])


def _parts(seats: int, chance: Chance) -> tuple[Partition, ...]:
    parts, at = [], 0
    for _ in range(1 + chance.below(3)):
        at += chance.below(12_000)
        lasting = 500 + chance.below(6_000) if chance.happens(60) else 30_000
        groups = tuple((Seat(seat), chance.below(2)) for seat in range(seats))
        parts.append(Partition(at, lasting, groups))
        at += lasting
    return tuple(parts)


def _hasty(seats: int, chance: Chance) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(seats) if chance.happens(8))


def _stops(seats: int, chance: Chance) -> tuple[Stop, ...]:
    stops = []
    for seat in range(seats):
        if chance.happens(50):
            never = chance.happens(25)
            after = None if never else 200 + chance.below(40_000)
            stops.append(Stop(Seat(seat), chance.below(25_000), after, _lost(after, seat, chance)))
    return tuple(stops)


def _lost(after: int | None, seat: int, chance: Chance) -> int:
    """Return how much of its journal a peer that comes back has lost; mostly nothing."""
    aside = chance.branch("lost", seat)
    return 1 + aside.below(60) if after is not None and aside.happens(20) else 0
