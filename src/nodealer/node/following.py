"""Spectators: the history of a table for whoever asks for it, as it grows.

Who follows gets what a transcript holds, in the same messages and the same order: the charter, its
seals, every complete entry from a height on, and then each new one. If the tip is replaced the
entry that took its place is sent, as it would be to a seat. Everything in it is public, and the
follower checks it like everything else; it signs nothing and is told nothing that is not in the
history.

Lines of chat that are kept go along. A follower that reads slowly is waited for, by its own feed
alone, and may miss some of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from nodealer.kernel import Height, Seat
from nodealer.kernel.limits import UINT_MAX
from nodealer.ledger import ChainEntry, LedgerMessage, write
from nodealer.ledger.catch_up import entry_message
from nodealer.ledger.messages import Sealed
from nodealer.ledger.objects import Seal
from nodealer.node.envelopes import ForTable, write_envelope
from nodealer.node.keeper import Keeper
from nodealer.node.transport.link import Link, LinkEnded

CHARTER_ALONE: Final = Height(UINT_MAX)
"""Whoever follows from here on is sent the charter, and nothing else."""


async def feed(keeper: Keeper, link: Link, height: Height) -> None:
    """Send the history of a table from a height on, and what is said, until the link ends."""
    try:
        await link.send(write_envelope(ForTable(keeper.id), keeper.founding))
        if height == CHARTER_ALONE:
            return
        last: ChainEntry | None = None
        known: dict[Seat, int] = {}
        while True:
            tip, lines = keeper.table.ledger.tip, keeper.talk.lines_after(known)
            for line in lines:
                await link.send(keeper.talk.envelope(line))
            seals = _charter_seals(tip)  # none before all have sat down
            if tip is not last and seals:
                if last is None:
                    await _send_all(keeper, link, map(Sealed, seals))
                await _send_all(keeper, link, _entries(tip, last, height))
                last = tip
                keeper.note_fed(link.peer, tip)
            elif not lines:
                await keeper.changed()
    except LinkEnded:
        return


async def _send_all(keeper: Keeper, link: Link, messages: Iterable[LedgerMessage]) -> None:
    for message in messages:
        await link.send(write_envelope(ForTable(keeper.id), write(message)))


def _charter_seals(tip: ChainEntry) -> tuple[Seal, ...]:
    """Return the seals on the charter, once there are all of them."""
    root = tip.at(0)
    assert root is not None, "every chain begins with the charter"
    return tuple(root.certificate.seals)


def _entries(tip: ChainEntry, last: ChainEntry | None, height: Height) -> Iterator[LedgerMessage]:
    """Yield the entries up to the tip that are not those up to the last one, the lowest first."""
    known = set() if last is None else {(one.id, one.rank) for one in last.downwards()}

    def is_new(one: ChainEntry) -> bool:
        return one.height >= max(height, 1) and (one.id, one.rank) not in known

    new = [*takewhile(is_new, tip.downwards())]
    yield from (entry_message(one) for one in reversed(new))
