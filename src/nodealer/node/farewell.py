"""Staying after the close, for those who do not have it yet.

Whoever has the last entry is the only one who can pass it on. A node stays until all who are left
at the table have shown, by a status or by what they have signed, that they hold it too; or for a
while, since nobody can be waited for for ever. Whoever has left is not counted, and wants to know
that the others go on: while it is there it is given a moment more. So is whoever follows, until it
was sent the last entry.

Nothing is signed any more over the last entry, so who holds it would never be known if nobody said
so. Everybody does, as soon as it begins to stay.
"""

from __future__ import annotations

from typing import Final

import trio

from nodealer.kernel import Seat
from nodealer.node.keeper import Keeper
from nodealer.node.transport.states import LinkState

FAREWELL_SECONDS: Final = 3.0
"""How long those who have left, or follow, and are still there are given to take notice."""


async def stay(keeper: Keeper, seconds: float) -> None:
    """Stay until all who still play have shown that they hold the last entry."""
    with trio.move_on_after(seconds):
        await keeper.tell()
        while not everybody_holds(keeper):
            await keeper.changed()
    with trio.move_on_after(min(seconds, FAREWELL_SECONDS)):
        while not all(last is keeper.table.ledger.tip for last in keeper.fed.values()):
            await keeper.changed()
        for seat in tuple(keeper.table.ledger.reading().left):
            await gone(keeper, seat)


async def gone(keeper: Keeper, seat: Seat) -> None:
    """Wait until the program of a seat is not there any more, or does not have this table open."""
    link = None if seat == keeper.seat else keeper.link_to(seat)
    while link is not None and link.state is LinkState.UP and seat not in keeper.absent:
        await link.changed()


def everybody_holds(keeper: Keeper) -> bool:
    """Say whether all who are left at the table have shown that they hold its last entry."""
    ledger = keeper.table.ledger
    others = [seat for seat in ledger.tip.roster if seat != keeper.seat]
    return all(ledger.placed.get(seat, -1) >= ledger.tip.height for seat in others)
