"""The surroundings of a table when an input comes: the time, and how other seats are reached.

There are two clocks. The table goes by ticks, milliseconds that its node has seen pass: while a
program was kept from running nobody was silent. What is held back, synced or asked for again goes
by microseconds that pass for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from nodealer.kernel import Seat

TICKS_IN_A_SECOND: Final = 1000


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another seat as its link is at this moment."""

    is_up: bool
    has_room: bool
    """Whether so little is on its way to it that it is not behind."""
    round_trip_us: int | None = None
    """The shortest time to it and back that was measured; none if it is not up."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The time, and the seats for which there is a link."""

    tick: int
    us: int
    neighbours: Mapping[Seat, Neighbour]

    def is_up(self, seat: Seat) -> bool:
        """Say whether a seat is reached now."""
        there = self.neighbours.get(seat)
        return there is not None and there.is_up

    def has_room(self, seat: Seat) -> bool:
        """Say whether a seat that was behind is so no more."""
        there = self.neighbours.get(seat)
        return there is not None and there.has_room

    def are_within(self, seats: Iterable[Seat], round_trip_us: int) -> bool:
        """Say whether all of these are there, and were measured to be nearer than this."""
        found = (self.neighbours.get(seat) for seat in seats)
        return all(
            there is not None
            and there.is_up
            and there.round_trip_us is not None
            and there.round_trip_us < round_trip_us
            for there in found
        )
