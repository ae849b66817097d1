"""How the other seats of a table are reached, in the time that the table goes by."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer.kernel import Reach, Seat
from nodealer.node.clocks import TICKS_IN_A_SECOND
from nodealer.node.keeper import Keeper
from nodealer.node.transport.link import now_us
from nodealer.node.transport.timing import SECOND_US

_US_IN_A_TICK: Final = SECOND_US // TICKS_IN_A_SECOND


def reach_of(keeper: Keeper, seat: Seat) -> Reach:
    """Return how another seat is reached now, in ticks of its table."""
    link = keeper.link_to(seat)
    if link is None:
        return Reach()
    tick, now = keeper.time.now(), now_us()
    there = link.reach.at_times(lambda us: tick - (now - us) // _US_IN_A_TICK)
    return replace(there, is_absent=seat in keeper.absent)
