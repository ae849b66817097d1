"""The time for a table, and how long it waits for whom: the clocks that a host can choose.

A tick is a millisecond. It means nothing to anybody else.

Time in which this program saw nothing, because its computer slept or because it computed, is no
time in which others were silent: what they have sent meanwhile is not read yet, and links may have
to come up again. So a table goes by the time that its node has seen pass.

act      for a turn
answer   for what a program does by itself: a countersignature, a share of a shuffle
rejoin   how long whoever is missed may stay away before the others vote
longest  the longest wait, once rounds have failed
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import trio

from nodealer.keeping import TICKS_IN_A_SECOND
from nodealer.ledger import Clock

SECOND: Final = TICKS_IN_A_SECOND
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE

CLOCKS: Final[Mapping[str, Clock]] = MappingProxyType(
    {
        "brisk": Clock(act=30 * SECOND, answer=10 * SECOND, rejoin=MINUTE, longest=10 * MINUTE),
        "calm": Clock(act=2 * MINUTE, answer=20 * SECOND, rejoin=5 * MINUTE, longest=30 * MINUTE),
        "letters": Clock(act=48 * HOUR, answer=48 * HOUR, rejoin=48 * HOUR, longest=96 * HOUR),
    }
)
"""The clocks by their names: sitting together, with time to think, and over days."""

LOOK_SECONDS: Final = 0.5
"""How often a node looks at its clock."""

LOST_SECONDS: Final = 1.5
"""A gap between two looks that is longer than this was our own, as it is for links."""

BACK_SECONDS: Final = 5.0
"""After such a gap: links come up again, and what was sent meanwhile is read."""


class SeenTime:
    """The time that this program has seen pass, in ticks; `run` looks at the clock for it."""

    def __init__(self) -> None:
        self._looked_at = self._back_at = trio.current_time()
        self._seen = 0.0

    def now(self) -> int:
        """Return the present tick, after a look at the clock."""
        now = trio.current_time()
        gap = now - self._looked_at
        if gap > LOST_SECONDS:
            self._back_at = now + BACK_SECONDS
        self._seen += max(0.0, min(gap, now - self._back_at))
        self._looked_at = now
        return round(self._seen * TICKS_IN_A_SECOND)

    def at(self, tick: int) -> float:
        """Return when a tick comes by trio's clock, if no time is lost until then."""
        left = tick / TICKS_IN_A_SECOND - self._seen
        return max(self._looked_at, self._back_at) + left

    async def run(self) -> None:
        """Look at the clock again and again, until cancelled."""
        while True:
            self.now()
            await trio.sleep(LOOK_SECONDS)


def now_in_ticks() -> int:
    """Return the present tick of trio's clock, lost time and all."""
    return round(trio.current_time() * TICKS_IN_A_SECOND)
