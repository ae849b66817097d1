"""All links of a node: whom it dials, whom it takes up, and an orderly end.

There is one link to a peer, however many streams come and go. A link comes to be because this node
asks for it (`link`), or because a stranger opens a stream; then `accept` returns it, and whoever is
above decides what the stranger may do. Strangers share the places of `admission`: when these are
short, the link of one ends for that of another. A link that nobody keeps is forgotten when its peer
stays away. A peer whose frames broke the rules is not taken up again for `COOL_OFF_SECONDS`.

Ids of runs are drawn here, from the operating system; nothing else here is left to chance but the
waiting between two attempts, whose source is handed in.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import trio

from nodealer.kernel import Cause, Chance, LocalError, Reason, Tallied
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.admission import HeldPlace, HeldPlaces, origin_at
from nodealer.node.transport.carrier import Carrier, Stream
from nodealer.node.transport.frames import RUN_ID_BYTES, RunId
from nodealer.node.transport.link import Bell, Link, now_us
from nodealer.node.transport.session import LinkSession

NEWCOMERS_MAX: Final = 32
"""Links that nobody has accepted yet; whoever accepts does nothing else."""

COOL_OFF_SECONDS: Final = 30.0
"""How long a peer that broke the rules is not taken up: a broken program must not keep us busy."""

COOLING_MAX: Final = 256
"""Peers that are remembered for that; the oldest is forgotten first."""

END_SECONDS: Final = 3.0
"""For all goodbyes together when the node stops."""


class Switchboard:
    """All links of one key over one carrier; made by `open_switchboard`."""

    def __init__(
        self, carrier: Carrier, chance: Chance, new_run: Callable[[], RunId], nursery: trio.Nursery
    ) -> None:
        self.key = carrier.key
        self._carrier = carrier
        self._chance = chance
        self._new_run = new_run
        self._links: dict[PeerKey, Link] = {}
        """Those that run, and the last one to each peer whom this node has sought."""
        self._running = 0
        self.counts: Counter[Reason | Tallied] = Counter()
        """What others have done to this node, at all layers."""
        self._places = HeldPlaces(self.knows)
        self._places_of: dict[Link, HeldPlace] = {}
        self.welcomes: Callable[[PeerKey], bool] = lambda _: False
        """Says who is known here although this node does not reach for it."""
        self._cooling: dict[PeerKey, float] = {}
        self._newcomers, self._to_accept = trio.open_memory_channel[Link](NEWCOMERS_MAX)
        self._nursery = nursery
        self._bell = Bell()

    @property
    def links(self) -> tuple[Link, ...]:
        """The links that have not ended."""
        return tuple(link for link in self._links.values() if not link.has_ended)

    def find(self, peer: PeerKey) -> Link | None:
        """Return the link to a peer, if there is one that has not ended."""
        link = self.last(peer)
        return None if link is None or link.has_ended else link

    def last(self, peer: PeerKey) -> Link | None:
        """Return the link to a peer, or else the last one, if this node wanted it."""
        return self._links.get(peer)

    def addresses(self) -> tuple[Address, ...]:
        """Return where this node can be reached, as far as it knows."""
        return self._carrier.addresses()

    def link(self, peer: PeerKey, addresses: tuple[Address, ...] = ()) -> Link:
        """Return the link to a peer, and keep it: dial these addresses whenever it is down."""
        link = self.find(peer) or self._begin(peer)
        link.keep(addresses)
        return link

    async def accept(self) -> Link:
        """Return the next link that a stranger has begun."""
        return await self._to_accept.receive()

    def knows(self, key: PeerKey) -> bool:
        """Say whether this node wants to be linked to the holder of a key."""
        link = self.find(key)
        return (link is not None and link.session.is_kept) or self.welcomes(key)

    def expects(self, host: str) -> bool:
        """Say whether somebody who is known may come from the number of a host."""
        return any(
            host == address.host
            for link in self.links
            for address in link.addresses
            if link.session.is_kept
        )

    # --- inside ---

    async def run(self) -> None:
        """Take up streams until cancelled."""
        while True:
            stream = await self._carrier.accept()
            link = self.find(stream.peer)
            if stream.peer == self.key or self._is_cooling(stream.peer):
                self.counts[Tallied.COOLING] += 1
                self._nursery.start_soon(stream.abandon)
            elif link is not None:
                link.take_up(stream)
            else:
                self._take_stranger(stream)

    async def end(self) -> None:
        """Say goodbye on every link, and end those that take too long."""
        for link in self.links:
            link.begin_goodbye(END_SECONDS / 2)
        with trio.move_on_after(END_SECONDS):
            while self._running:
                await self._bell.wait()
        for link in self.links:
            link.stop()

    def _take_stranger(self, stream: Stream) -> None:
        link = self._begin(stream.peer, is_kept=False)
        now = now_us()
        self._places_of[link] = place = HeldPlace(
            origin_at(stream.place), now, link.stop, link.peer
        )
        self.counts[Tallied.GAVE_WAY] += self._places.take(place, now)
        link.take_up(stream)
        try:
            self._newcomers.send_nowait(link)
        except trio.WouldBlock:
            link.stop()  # nobody accepts

    def _begin(self, peer: PeerKey, *, is_kept: bool = True) -> Link:
        if peer == self.key:
            raise LocalError(Reason.LOCAL_ARGUMENT, "a link to oneself")
        leads = self.key < peer
        session = LinkSession(self._new_run(), leads=leads, now=now_us(), is_kept=is_kept)
        link = Link(peer, session, self._carrier, self._chance.branch(peer), self.last(peer))
        self._links[peer] = link
        self._running += 1
        self._nursery.start_soon(self._run_link, link)
        return link

    async def _run_link(self, link: Link) -> None:
        await link.run()
        if link in self._places_of:
            self._places.release(self._places_of.pop(link))
        if link.session.refusal is not None and link.session.cause is Cause.REFUSED:
            self.counts[link.session.refusal.reason] += 1
            self._cooling[link.peer] = trio.current_time() + COOL_OFF_SECONDS
            if len(self._cooling) > COOLING_MAX:
                del self._cooling[next(iter(self._cooling))]
        self._running -= 1
        if self.last(link.peer) is link and not link.session.is_kept:
            del self._links[link.peer]
        self._bell.ring()

    def _is_cooling(self, peer: PeerKey) -> bool:
        return trio.current_time() < self._cooling.get(peer, -1)


@asynccontextmanager
async def open_switchboard(
    carrier: Carrier, chance: Chance, new_run: Callable[[], RunId] | None = None
) -> AsyncIterator[Switchboard]:
    """Run the links of a node; at the end of the block they say goodbye."""
    async with trio.open_nursery() as nursery:
        switchboard = Switchboard(carrier, chance, new_run or _random_run, nursery)
        nursery.start_soon(switchboard.run)
        yield switchboard
        await switchboard.end()
        nursery.cancel_scope.cancel()


def _random_run() -> RunId:
    return RunId(os.urandom(RUN_ID_BYTES))
