"""A table that is open at home: its keeper, what drives its seat, and the newest of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple, Protocol

import trio

from nodealer.home import SeatDriver, table_mark
from nodealer.kernel import TableId
from nodealer.node import Keeper
from nodealer.show import Snapshot


class Onlooker(Protocol):
    """Somebody who looks on at a table from its first moment here to the last."""

    def meet(self, keeper: Keeper, /) -> None:
        """Hear of a seat of this program before anything happens to it."""

    def follow(self, keeper: Keeper, /) -> None:
        """Hear of the player's own seat, which goes on from now."""

    def show_to(self, driver: SeatDriver, /) -> None:
        """Hear of what shows the table."""


class Unseen:
    """Nobody, who looks on at a table and sees nothing."""

    def __init__(self, table: TableId) -> None:
        """Look on at no table."""

    def meet(self, keeper: Keeper) -> None:
        """Hear of a seat."""

    def follow(self, keeper: Keeper) -> None:
        """Hear of the player's own."""

    def show_to(self, driver: SeatDriver) -> None:
        """Hear of what shows it."""


class BotsResting(NamedTuple):
    """The way to let a table against bots rest."""

    scope: trio.CancelScope
    is_resting: trio.Event
    """Its journals are closed."""


class HouseTable:
    """A table of this player, played at or watched."""

    def __init__(self, keeper: Keeper, onlooker: Onlooker, bots: BotsResting | None = None) -> None:
        """Tell it from its beginning; one against `bots` can rest."""
        self.keeper = keeper
        self.mark = table_mark(keeper.id)
        self.driver = SeatDriver(keeper)
        self.newest: Snapshot | None = None
        self.bots = bots
        onlooker.follow(keeper)
        onlooker.show_to(self.driver)

    async def run(self, changed: Callable[[HouseTable], None]) -> None:
        """Have somebody told whenever there is something newer to show, until cancelled."""
        with closing(self.driver):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.driver.run)
                async for snapshot in self.driver.updates():
                    self.newest = snapshot
                    changed(self)
