"""Virtual time: a list of things that happen, each at its tick, in one order for ever.

A tick is a millisecond of a time that nobody waits for. Things that happen at one tick happen in
the order in which they were planned, so a run follows from its seed alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Clockwork:
    """The time now, and what is planned."""

    now: int = 0
    _planned: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    _count: int = 0

    def plan(self, delay: int, happening: Callable[[], None]) -> None:
        """Plan that something happens after so many ticks."""
        self._count += 1
        heapq.heappush(self._planned, (self.now + max(0, delay), self._count, happening))

    def next_tick(self) -> int | None:
        """Return when the next thing happens, if anything is planned."""
        return self._planned[0][0] if self._planned else None

    def step(self) -> None:
        """Let the next thing happen."""
        self.now, _, happening = heapq.heappop(self._planned)
        happening()
