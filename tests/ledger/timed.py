"""Ledgers whose messages take their time, on one clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Final

from nodealer.kernel import Seat
from nodealer.ledger import Ledger, Ready
from nodealer.ledger.draft import Draft
from nodealer.ledger.objects import EvictStep, Vote
from tests.ledger.world import World

Delay = Callable[[Seat, Seat], int]
"""How many ticks a message takes from one seat to another."""

NEVER: Final = 1 << 60


class Timed(World):
    """A world in which time passes by itself, from one thing that happens to the next."""

    def __init__(
        self,
        seats: int,
        script: Sequence[str],
        delay: Delay = lambda *_: 0,
        gone: Sequence[int] = (),
    ) -> None:
        """Open a table; who is `gone` falls silent then."""
        self.now = 0
        self.delay = delay
        self.after: Callable[[], None] = lambda: None
        """Is done after each thing that happens."""
        self._coming: list[tuple[int, int, Seat, Seat, bytes]] = []
        self._order = count()
        super().__init__(seats, script)
        while not all(Draft(ledger).is_founded for ledger in self.ledgers.values()):
            self._go_on()
        self.gone |= {Seat(seat) for seat in gone}

    def take(self, seat: Seat, result: tuple[Ledger, Ready]) -> Ready:
        """Send what an input came to on its way."""
        ready = super().take(seat, result)
        for sender, to, data in self.wires:
            when = self.now + self.delay(sender, to)
            heappush(self._coming, (when, next(self._order), sender, to, data))
        self.wires.clear()
        return ready

    def run(self, until: Callable[[], bool] = lambda: False, ticks: int = 10_000) -> None:
        """Let everybody play, and time pass, until something holds or so many ticks are over."""
        end = self.now + ticks
        while not until() and self._next() <= end:
            self.play_now()
            self._go_on()
            self.after()
        self.now = end if self._next() > end else self.now

    def play_now(self) -> None:
        """Let everybody do what it is asked for."""
        while self.act(lambda *_: b"x"):
            pass

    def tell_time(self, seat: Seat) -> None:
        """Tell a seat the time."""
        self.take(seat, self.ledgers[seat].tick(self.now))

    def votes(self, seat: int) -> list[Vote]:
        """Return the votes that a seat has cast."""
        return [event for by, event in self.shown if by == seat and isinstance(event, Vote)]

    def evictions(self, seat: int) -> list[EvictStep]:
        """Return who was left out, by the chain of a seat."""
        links = list(self.ledgers[Seat(seat)].tip.downwards())[::-1]
        steps = [link.content.step for link in links if link.content is not None]
        return [step for step in steps if isinstance(step, EvictStep)]

    def _go_on(self) -> None:
        """Deliver the next message, or wake the next seat."""
        self.now = max(self.now, self._next())
        if self._coming and self._coming[0][0] <= self.now:
            *_, sender, to, data = heappop(self._coming)
            if to not in self.gone:
                self.tell_time(to)
            self.wires.append((sender, to, data))
            self.deliver()
            return
        due = [seat for seat, wake in self._wakes() if wake <= self.now]
        for seat in due:
            self.tell_time(seat)

    def _next(self) -> int:
        coming = [when for when, *_ in self._coming[:1]]
        return min([*coming, *(wake for _, wake in self._wakes())], default=NEVER)

    def _wakes(self) -> list[tuple[Seat, int]]:
        found = [(seat, wake) for seat, wake in self.wakes.items() if wake is not None]
        return [(seat, wake) for seat, wake in found if seat not in self.gone]
