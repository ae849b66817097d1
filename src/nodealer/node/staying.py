"""Staying after the close, for those who do not have it yet.

Whoever has the last entry is the only one who can pass it on. A node stays until all who are left
at the table have shown, by a status or by what they have signed, that they hold it too; or for a
while, since nobody can be waited for for ever.

Nothing is signed any more over the last entry, so who holds it would never be known if nobody said
so. Everybody does, as soon as it begins to stay.
"""

from __future__ import annotations

import trio

from nodealer.node.keeper import Keeper


async def stay(keeper: Keeper, seconds: float) -> None:
    """Stay until all who are left have shown that they hold the last entry."""
    with trio.move_on_after(seconds):
        await keeper.tell()
        while not everybody_holds(keeper):
            await keeper.changed()


def everybody_holds(keeper: Keeper) -> bool:
    """Say whether all who are left at the table have shown that they hold its last entry."""
    ledger = keeper.table.ledger
    others = [seat for seat in ledger.tip.roster if seat != keeper.seat]
    return all(ledger.placed.get(seat, -1) >= ledger.tip.height for seat in others)
