"""Playing at a table that is open: a person who is shown it, a bot in its place, or nobody's seat.

Whoever ends a sitting learns what came between this node and the other seats meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from nodealer.bots import bot_for
from nodealer.home.seat_driver import SeatDriver
from nodealer.home.sitting import see_to_the_end
from nodealer.kernel import Counts, Reach, Seat
from nodealer.node import Keeper, bots_of, drawn_chance, play_by, stay

LINGER_SECONDS: Final = 30.0
"""How long a node stays after the close for those who do not have it yet."""

BOTS_LINGER_SECONDS: Final = 1.0
"""Bots end with this program, and get what they lack whenever the table is opened again."""

Show: TypeAlias = Callable[[SeatDriver], Awaitable[object]]
"""Shows a table to a person, until that one has enough."""


@dataclass(frozen=True, slots=True)
class NetSeen:
    """The links of a sitting at its end, by seat, and what this node has counted in it."""

    reach: Mapping[Seat, Reach]
    counts: Counts
    tick: int
    """The end, by the clock of the table."""


async def play(keeper: Keeper, show: Show | None) -> NetSeen:
    """Play until the table is closed, or the player has enough; unseen, a bot plays to the end."""
    if show is not None:
        with closing(SeatDriver(keeper)) as driver:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(driver.run)
                await show(driver)
                nursery.cancel_scope.cancel()
    elif keeper.seat is None:
        await see_to_the_end(keeper)
    else:
        await play_by(keeper, bot_for(keeper.table.position.game), drawn_chance("auto"))
    if keeper.table.position.is_closed and keeper.seat is not None:
        await linger(keeper)
    return net_seen(keeper)


async def linger(keeper: Keeper) -> None:
    """Stay after the close for those who do not have it yet."""
    await stay(keeper, BOTS_LINGER_SECONDS if bots_of(keeper.journal) else LINGER_SECONDS)


def net_seen(keeper: Keeper) -> NetSeen:
    """Return how the other seats are reached now, and all that this node has counted."""
    reach = {seat: keeper.reach(seat) for seat in keeper.others}
    return NetSeen(reach, dict(keeper.counts), keeper.time.now())
