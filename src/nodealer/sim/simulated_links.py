"""The links between simulated peers: they delay, lose, double, reorder and part.

What arrives is decided for every message and receiver apart, from the seed. A link knows who sends,
as the links of the real network do, and nothing of what is sent. Every fault that strikes is
counted, so that a run can show that its network was as bad as it was meant to be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nodealer.kernel import Chance, Seat


@dataclass(frozen=True, slots=True)
class Weather:
    """The badness of links: delays in ticks, and how many of a hundred messages suffer."""

    least: int = 20
    most: int = 120
    lost: int = 0
    doubled: int = 0
    late: int = 0
    """Of a hundred messages so many are held up for up to `latest` ticks."""
    latest: int = 0


CALM = Weather()
ROUGH = Weather(least=10, most=400, lost=6, doubled=4, late=4, latest=9_000)


@dataclass(slots=True)
class Network:
    """All links of a table. `apart` is the group of each seat while the network is parted."""

    weather: Weather
    chance: Chance
    counts: Counter[str] = field(default_factory=Counter)
    apart: dict[Seat, int] = field(default_factory=dict)

    def arrivals(self, sender: Seat, to: Seat) -> tuple[int, ...]:
        """Return after how many ticks a message arrives: never, once or twice."""
        if self.apart.get(sender, 0) != self.apart.get(to, 0):
            self.counts["parted"] += 1
            return ()
        weather, chance = self.weather, self.chance
        if chance.happens(weather.lost):
            self.counts["lost"] += 1
            return ()
        if chance.happens(weather.doubled):
            self.counts["doubled"] += 1
            return (self._delay(), self._delay())
        return (self._delay(),)

    def _delay(self) -> int:
        weather, chance = self.weather, self.chance
        delay = weather.least + chance.below(weather.most - weather.least + 1)
        if chance.happens(weather.late):
            self.counts["late"] += 1
            delay += chance.below(weather.latest + 1)
        return delay
