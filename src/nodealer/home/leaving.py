"""Leaving a table: the last word of a seat is signed, and the others go on without it.

What shows that they hold it is an entry that leaves the seat out, or the close. Whoever was left
out already, or sits at a table that is over, has nothing to leave.
"""

from __future__ import annotations

import trio

from nodealer.home.my_tables import refused
from nodealer.node import Keeper, is_over


async def leave_and_wait(keeper: Keeper, patience_seconds: float) -> bool:
    """Sign the last word of a seat, and say whether the others go on without it now."""
    if is_over(keeper.table):
        raise refused("the game is over, or goes on without you already")
    if keeper.seat not in keeper.table.ledger.reading().left:
        with trio.move_on_after(patience_seconds):
            while not _may_sign(keeper):
                await keeper.changed()
        if not _may_sign(keeper):
            raise refused(
                "not all have sat down yet, or the others have not said what you have signed:"
                " nothing can be signed now; try again when they are there"
            )
        await keeper.leave()
    with trio.move_on_after(patience_seconds):
        while not is_over(keeper.table):
            await keeper.changed()
    return is_over(keeper.table)


def _may_sign(keeper: Keeper) -> bool:
    read = keeper.table.ledger.reading()
    return read.is_founded and read.unheard is None
