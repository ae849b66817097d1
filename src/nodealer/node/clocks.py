"""What time it is for a table, and how long it waits for whom: the clocks that a host can choose.

A tick is a millisecond of trio's clock. It means nothing to anybody else.

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

from nodealer.ledger import Clock

TICKS_IN_A_SECOND: Final = 1000

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

USUAL_CLOCK: Final = "calm"


def now_in_ticks() -> int:
    """Return the present tick."""
    return round(trio.current_time() * TICKS_IN_A_SECOND)
