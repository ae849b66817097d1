"""Who follows a table that is open here: one feed for each spectator and table, and not too many.

Who asks again is fed anew, from the height that it names now, and only after a moment: its program
was started again, or it wants to make this one send everything over and over. The former feed ends
at once, so a spectator never has two. Whose link has ended leaves its place, also where there is
nothing to be sent.

Whoever knows the id of a table may ask to follow it. Who has come to it by an invite is served
before others: when there is no place left one of those gives way, the one that came first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import trio

from nodealer.kernel import Height, TableId
from nodealer.node.envelopes import Absent, write_envelope
from nodealer.node.following import feed
from nodealer.node.keeper import Keeper
from nodealer.node.offering import offered
from nodealer.node.transport.addresses import PeerKey
from nodealer.node.transport.link import Link

FOLLOWERS_MAX: Final = 32
"""Spectators of a table whom this node serves; there are other seats to ask."""

AGAIN_SECONDS: Final = 1.0
"""Before somebody is fed who has asked again."""

Place: TypeAlias = tuple[PeerKey, TableId]


class Followers:
    """The feeds of a node."""

    def __init__(self, nursery: trio.Nursery, is_invited: Callable[[PeerKey], bool]) -> None:
        self._nursery = nursery
        self._is_invited = is_invited
        self._feeds: dict[Place, trio.CancelScope] = {}

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
