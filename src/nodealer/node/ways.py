"""How each seat is reached at the moment, for whoever shows a table: directly, relayed, or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from nodealer.kernel import Seat
from nodealer.node.keeper import Keeper
from nodealer.node.transport.link import Link
from nodealer.node.transport.states import State


class Kind(Enum):
    """What lies between two players."""

    DIRECT = "direct"
    RELAYED = "relayed"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Way:
    """How a seat is reached."""

    kind: Kind
    rtt_ms: float | None = None
    """There and back, smoothed; none before the first answer."""
    detail: str = ""
    """Where its end is, or why there is none."""


def ways(keeper: Keeper) -> Mapping[Seat, Way]:
    """Return how all other seats of a table are reached."""
    return {seat: _way(keeper.link_to(seat)) for seat in keeper.others}


def _way(link: Link | None) -> Way:
    if link is None:
        return Way(Kind.AWAY)
    status = link.status
    if status.state is not State.UP or status.path is None:
        return Way(Kind.AWAY, detail=status.cause.value)
    kind = Kind.RELAYED if status.path.is_relayed else Kind.DIRECT
    rtt_ms = None if status.rtt_us is None else status.rtt_us / 1000
    return Way(kind, rtt_ms, status.path.place)
