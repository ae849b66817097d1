"""Playing with somebody who cannot be reached: the others are asked for what they have.

The ledger brings everything to everybody through any seat that both reach, but only to those who
have said that they lack it, and it says so by itself only when a table stalls. That is right while
all are linked, and slow for two that are not: each step would wait for a limit of time. So a seat
that has no link to another one of the roster tells where it stands whenever its tip has changed,
and once more after a pause, since the others may not have had that tip yet. A status is short and
is answered only with what is missing; whoever is there hears at most one in a pause and tip.
"""

from __future__ import annotations

from typing import Final

import trio

from nodealer.node.keeper import Keeper
from nodealer.node.transport.states import State

PAUSE_SECONDS: Final = 1.0


async def bridge(keeper: Keeper) -> None:
    """Ask the others for what an unreachable seat has to say, until cancelled."""
    while True:
        tip = keeper.table.ledger.tip
        if is_parted(keeper) and not keeper.table.position.is_closed:
            await keeper.tell()
        with trio.move_on_after(PAUSE_SECONDS):
            while keeper.table.ledger.tip is tip:
                await keeper.changed()


def is_parted(keeper: Keeper) -> bool:
    """Say whether there is no link to a seat of the roster."""
    others = [seat for seat in keeper.table.ledger.tip.roster if seat != keeper.seat]
    links = [keeper.link_to(seat) for seat in others]
    return any(link is None or link.status.state is not State.UP for link in links)
