"""Points: what a hand costs, what stopping costs, and when the game is over.

round    the sum of the hand; whoever has the least of all gets 0 instead
stopping whoever stopped without having the least alone gets 5 more, and no 0
total    the sum of all rounds; one of exactly the limit becomes half of it
end      a total above the limit
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.kernel import Seat

PENALTY: Final = 5
LIMIT: Final = 66
"""The limit of a table that says nothing of it, and of every table of version 1."""


def points_of(sums: Mapping[Seat, int], stopper: Seat | None) -> dict[Seat, int]:
    """Return the points of a round, from the sums of the hands; its winners have 0."""
    least = min(sums.values())
    lowest = [seat for seat, value in sums.items() if value == least]
    points = {seat: 0 if seat in lowest else value for seat, value in sums.items()}
    if stopper is not None and lowest != [stopper]:
        points[stopper] = sums[stopper] + PENALTY
    return points


def added(total: int, points: int, limit: int) -> int:
    """Return the total after a round."""
    return limit // 2 if total + points == limit else total + points


def ends_game(totals: Mapping[Seat, int], limit: int) -> bool:
    """Whether somebody has gone too far."""
    return max(totals.values()) > limit
