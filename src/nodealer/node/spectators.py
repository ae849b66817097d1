"""Spectators: the history of a table for whoever follows it, as it grows, and not for too many.

Who follows gets what a transcript holds, in the same messages and the same order: the charter, its
seals, every complete entry from a height on, and then each new one. If the tip is replaced the
entry that took its place is sent, as it would be to a seat. Everything in it is public, and the
follower checks it like everything else; it signs nothing and is told nothing that is not in the
history. Lines of chat that are kept go along. A follower that reads slowly is waited for, by its
own feed alone, and may miss some of them.

There is one feed for each spectator and table. Who asks again is fed anew, from the height that it
names now, and only after a moment: its program was started again, or it wants to make this one send
everything over and over. The former feed ends at once, so a spectator never has two. Whose link has
ended leaves its place, also where there is nothing to be sent.

Whoever knows the id of a table may ask to follow it. Who has come to it by an invite is served
before others: when there is no place left one of those gives way, the one that came first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Final, TypeAlias

import trio

from nodealer.kernel import UINT_MAX, Height, Seat, TableId
from nodealer.ledger import ChainEntry, LedgerMessage, Seal, Sealed, entry_message, write
from nodealer.node.envelopes import Absent, ForTable, write_envelope
from nodealer.node.keeper import Keeper
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.link import Link, LinkEnded, offered

FOLLOWERS_MAX: Final = 32
"""Spectators of a table whom this node serves; there are other seats to ask."""

CHARTER_ALONE: Final = Height(UINT_MAX)
"""Whoever follows from here on is sent the charter, and nothing else."""

AGAIN_SECONDS: Final = 1.0
"""Before somebody is fed who has asked again."""

SpectatorPlace: TypeAlias = tuple[PeerKey, TableId]


class Spectators:
    """The feeds of a node."""

    def __init__(self, nursery: trio.Nursery, is_invited: Callable[[PeerKey], bool]) -> None:
        self._nursery = nursery
        self._is_invited = is_invited
        self._feeds: dict[SpectatorPlace, trio.CancelScope] = {}

    def of(self, table: TableId) -> int:
        """Return how many follow a table."""
        return sum(one == table for _, one in self._feeds)

    def include(self, peer: PeerKey) -> bool:
        """Say whether somebody follows a table."""
        return any(one == peer for one, _ in self._feeds)

    def take_up(self, keeper: Keeper, link: Link, height: Height) -> bool:
        """Feed somebody, and say whether there is a place."""
        place = link.peer, keeper.id
        former = self._feeds.get(place)
        if former is not None:
            former.cancel()
        elif self.of(keeper.id) >= FOLLOWERS_MAX and not self._made_room(keeper, link.peer):
            return False
        scope = trio.CancelScope()
        self._feeds[place] = scope
        keeper.note_fed(link.peer, None)
        delay = 0.0 if former is None else AGAIN_SECONDS
        self._nursery.start_soon(self._feed, scope, keeper, link, height, delay)
        return True

    def _made_room(self, keeper: Keeper, peer: PeerKey) -> bool:
        """End the feed of somebody without an invite for somebody who has one."""
        here = [one for one, table in self._feeds if table == keeper.id]
        other = next((one for one in here if not self._is_invited(one)), None)
        if other is None or not self._is_invited(peer):
            return False
        self._feeds.pop((other, keeper.id)).cancel()
        keeper.note_unfed(other)
        return True

    async def _feed(
        self, scope: trio.CancelScope, keeper: Keeper, link: Link, height: Height, delay: float
    ) -> None:
        with scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_ended, link, scope)
                await trio.sleep(delay)
                await feed(keeper, link, height)
                scope.cancel()
        place = link.peer, keeper.id
        if place not in self._feeds:  # it has given way
            offered(link, write_envelope(Absent(keeper.id)))
        elif self._feeds[place] is scope:
            del self._feeds[place]
            keeper.note_unfed(link.peer)


async def _until_ended(link: Link, scope: trio.CancelScope) -> None:
    while not link.has_ended:
        await link.changed()
    scope.cancel()


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
