"""Points and ends of 66, from the page of rules alone; nothing of the game is imported.

`Tally` follows a game by what lies in the hands when they are opened, and by who has stopped. It
says what everybody must have after each round, when the game must be over, and who has won it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

COPIES = {0: 2, **dict.fromkeys(range(1, 13), 4), 13: 2}


def round_points(sums: Mapping[int, int], stopper: int | None) -> dict[int, int]:
    """Return what a round costs everybody."""
    ranking = sorted(sums.values())
    points = {}
    for seat, mine in sums.items():
        is_lowest = mine == ranking[0]
        is_alone = is_lowest and (len(ranking) == 1 or ranking[1] > mine)
        if seat == stopper and not is_alone:
            points[seat] = mine + 5
        elif is_lowest:
            points[seat] = 0
        else:
            points[seat] = mine
    return points


def summed(total: int, points: int, limit: int) -> int:
    """Return a total after a round."""
    after = total + points
    return limit // 2 if after == limit else after


class Tally:
    """The points of a whole game, counted beside it."""

    def __init__(self, seats: Sequence[int], limit: int) -> None:
        self.limit = limit
        self.totals = dict.fromkeys(seats, 0)
        self.rounds = 0

    def count(self, hands: Mapping[int, Sequence[int]], stopper: int | None) -> dict[int, int]:
        """Count a round by its open hands; return its points."""
        points = round_points({seat: sum(cards) for seat, cards in hands.items()}, stopper)
        for seat, cost in points.items():
            self.totals[seat] = summed(self.totals[seat], cost, self.limit)
        self.rounds += 1
        return points

    @property
    def is_over(self) -> bool:
        return any(total > self.limit for total in self.totals.values())

    @property
    def winners(self) -> set[int]:
        lowest = min(self.totals.values())
        return {seat for seat, total in self.totals.items() if total == lowest}
