"""Asking for what somebody else holds and cannot, or does not, send by itself.

The ledger brings everything to everybody through any seat that both reach, but only to those who
have said that they lack it, and it says so by itself only when a table stalls. That is right while
all are linked and say all to all, and slow in two cases: each step would wait for a limit of time.

Two seats cannot reach each other. So a seat that has no link to another one of the roster tells
where it stands whenever its tip has changed, and once more after each pause, since the others may
not have had that tip yet.

An author sends the entry that all have sealed to some alone: it means harm, or its program was
stopped between two sends. Those who have the entry need not say their own seals any more
(`held_seals`), and the others lack just these. So a seat that has sealed what somebody has
authored, and is found so again after a whole pause, tells where it stands; whoever has the entry
answers with it. It asks again after one, two, four pauses and so on: nobody may have the entry,
because a seat keeps its seal back, and then all the others ask all.

A status is short and is answered only with what is missing. Whoever is there hears at most one in a
pause, and one for each tip.
"""

from __future__ import annotations

from typing import Final

import trio

from nodealer.ledger import Authored, ChainEntry
from nodealer.node.keeper import Keeper
from nodealer.node.transport.states import LinkState

PAUSE_SECONDS: Final = 1.0


async def bridge(keeper: Keeper) -> None:
    """Ask the others for what an unreachable seat has to say, or an author, until cancelled."""
    tip: ChainEntry | None = None
    looks = 0
    while True:
        is_new, tip = keeper.table.ledger.tip is not tip, keeper.table.ledger.tip
        looks = looks + 1 if waits_for_seals(keeper) and not is_new else 0
        if (is_parted(keeper) or is_asking(looks)) and not keeper.table.position.is_closed:
            await keeper.tell()
        with trio.move_on_after(PAUSE_SECONDS):
            while keeper.table.ledger.tip is tip:
                await keeper.moved()


def is_parted(keeper: Keeper) -> bool:
    """Say whether there is no link to a seat of the roster."""
    others = [seat for seat in keeper.table.ledger.tip.roster if seat != keeper.seat]
    links = [keeper.link_to(seat) for seat in others]
    return any(link is None or link.state is not LinkState.UP for link in links)


def is_asking(looks: int) -> bool:
    """Say whether a seat asks that was found waiting by so many looks in a row."""
    before = looks - 1  # the first shows that it waits, the next that it has waited for a pause
    return before > 0 and before & (before - 1) == 0


def waits_for_seals(keeper: Keeper) -> bool:
    """Say whether this seat has sealed what somebody has authored over its tip."""
    ledger = keeper.table.ledger
    return isinstance(ledger.tip.duty, Authored) and ledger.tip.id in ledger.own.seals
