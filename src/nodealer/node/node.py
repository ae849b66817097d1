"""A node: everything that one player has open, over the links to all others.

A node has the player's key, the links of that key, and a keeper for each table. It finds the way of
what arrives: a letter for a table goes to its keeper, as spoken by the seat that holds the key at
the other end of the link. Who holds no seat may follow a table, and nothing else. What speaks of a
table that is not open here is answered with `absent`, once for each link, so that the other side
can tell its player.

Peers are never trusted to be who they say: the link has proven the key, and the charter says whose
seat it is. A letter that cannot be read is dropped and counted.

Theory of operation. Every link has one task that reads it, and waits while the keeper it writes to
is busy; so a peer that floods is read as slowly as its flood is dealt with. A link that has ended
is begun again if its peer holds a seat at an open table: the peer was stopped, and may come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Final

import trio

from nodealer.kernel import Height, LocalError, PeerError, Reason, Seat, TableId
from nodealer.lobby import Peer
from nodealer.lobby import read as read_letter
from nodealer.lobby import write as write_letter
from nodealer.lobby.messages import unknown_here
from nodealer.node.envelopes import (
    Absent,
    Follow,
    ForLobby,
    ForTable,
    Head,
    read_envelope,
    write_envelope,
)
from nodealer.node.following import feed
from nodealer.node.keeper import Keeper
from nodealer.node.rooms import Room
from nodealer.node.transport.addresses import Address, PeerKey, parse
from nodealer.node.transport.link import Link, LinkEnded
from nodealer.node.transport.switchboard import Switchboard
from nodealer.node.transport.windows import Began
from nodealer.store.journal import Journal

AGAIN_SECONDS: Final = 1.0
"""Before a link that has ended is begun again."""

FOLLOWERS_MAX: Final = 32
"""Spectators of a table whom this node serves; there are other seats to ask."""


class Node:
    """All open tables of one player; made by `open_node`."""

    def __init__(self, switchboard: Switchboard, nursery: trio.Nursery) -> None:
        self.keepers: dict[TableId, Keeper] = {}
        self.counts: Counter[str] = Counter()
        self.absent: set[tuple[PeerKey, TableId]] = set()
        """Who has said that it does not have a table open."""
        self._switchboard = switchboard
        self._nursery = nursery
        self.rooms: dict[bytes, Room] = {}
        self._served: set[PeerKey] = set()
        self._followers: Counter[TableId] = Counter()

    def open_table(self, journal: Journal) -> Keeper:
        """Open a table from its journal, and reach for everybody who sits there."""
        if journal.table in self.keepers:
            raise LocalError(Reason.LOCAL_ARGUMENT, "this table is open already")
        keeper = Keeper(journal, lambda seat: self._link_to(journal, seat))
        self.keepers[keeper.id] = keeper
        for seat, key in keeper.others.items():
            self._reach(PeerKey(key), addresses_of(journal, seat))
        self._nursery.start_soon(keeper.run)
        return keeper

    def open_room(self, room: Room) -> None:
        """Open a lobby; a guest's reaches for its host."""
        self.rooms[room.lobby] = room
        room.send = self._send
        if room.host is not None:
            self._reach(room.host, room.addresses)

    def close_room(self, room: Room) -> None:
        """Take nothing in for a lobby any more."""
        self.rooms.pop(room.lobby, None)

    def addresses(self) -> tuple[Address, ...]:
        """Return where this node can be reached, as far as it knows."""
        return self._switchboard.addresses()

    # Links.

    def _send(self, peer: PeerKey, payload: bytes) -> None:
        """Send something to a peer, if there is a link to it and room in it."""
        for link in self._switchboard.links:
            if link.peer == peer:
                with suppress(LinkEnded):  # who comes back is told everything
                    link.offer(payload)

    def _link_to(self, journal: Journal, seat: Seat) -> Link | None:
        key = PeerKey(journal.charter.keys[seat])
        found = [link for link in self._switchboard.links if link.peer == key]
        return found[0] if found else None

    def _reach(self, key: PeerKey, addresses: tuple[Address, ...]) -> None:
        link = self._switchboard.link(key, addresses)
        if key not in self._served:
            self._served.add(key)
            self._nursery.start_soon(self._serve, link)

    async def take_up_strangers(self) -> None:
        """Serve whoever opens a link, until cancelled."""
        while True:
            link = await self._switchboard.accept()
            if link.peer not in self._served:
                self._served.add(link.peer)
                self._nursery.start_soon(self._serve, link)

    async def _serve(self, link: Link) -> None:
        try:
            while True:
                item = await link.receive()
                if isinstance(item, Began):
                    await self._began(link)
                else:
                    await self._read(link, item)
        except LinkEnded:
            self._served.discard(link.peer)
        for keeper in self._tables_of(link.peer):
            await trio.sleep(AGAIN_SECONDS)
            self._reach(link.peer, addresses_of(keeper.journal, _seat_of(keeper, link.peer)))
            return
        for room in [one for one in self.rooms.values() if one.host == link.peer]:
            await trio.sleep(AGAIN_SECONDS)
            self._reach(link.peer, room.addresses)
            return

    async def _began(self, link: Link) -> None:
        """Tell a peer whose program was started where this one stands."""
        self.absent = {(key, table) for key, table in self.absent if key != link.peer}
        for keeper in self._tables_of(link.peer):
            if keeper.seat is None:
                height = keeper.table.ledger.tip.height
                link.offer(write_envelope(Follow(keeper.id, height)))
            else:
                await keeper.tell()
        for room in tuple(self.rooms.values()):
            room.linked(link.peer, link.session.name)

    def _tables_of(self, peer: PeerKey) -> tuple[Keeper, ...]:
        return tuple(one for one in self.keepers.values() if peer in one.journal.charter.keys)

    # Letters.

    async def _read(self, link: Link, data: bytes) -> None:
        try:
            head, letter = read_envelope(data)
        except PeerError as error:
            self.counts[error.slug] += 1
        else:
            await self._deliver(link, head, letter)

    async def _deliver(self, link: Link, head: Head, letter: bytes) -> None:
        match head:
            case ForTable(table) if (keeper := self.keepers.get(table)) is not None:
                if link.peer in keeper.journal.charter.keys:
                    await keeper.receive(letter, _seat_of(keeper, link.peer))
                else:
                    self.counts["node/no-seat"] += 1
            case ForTable(table) | Follow(table) if table not in self.keepers:
                link.offer(write_envelope(Absent(table)))
            case ForLobby(lobby):
                self._visit(lobby, link, letter)
            case Follow(table, height):
                self._follow(self.keepers[table], link, height)
            case Absent(table):
                self.absent.add((link.peer, table))
            case _:
                self.counts["node/unexpected"] += 1

    def _visit(self, lobby: bytes, link: Link, letter: bytes) -> None:
        room = self.rooms.get(lobby)
        if room is not None:
            room.receive(letter, Peer(link.peer, link.session.name))
            return
        try:
            answer = unknown_here(read_letter(letter))
        except PeerError as error:
            self.counts[error.slug] += 1
        else:
            if answer is not None:
                link.offer(write_envelope(ForLobby(lobby), write_letter(answer)))

    def _follow(self, keeper: Keeper, link: Link, height: Height) -> None:
        if self._followers[keeper.id] >= FOLLOWERS_MAX:
            link.offer(write_envelope(Absent(keeper.id)))
            return
        self._followers[keeper.id] += 1
        self._nursery.start_soon(self._feed, keeper, link, height)

    async def _feed(self, keeper: Keeper, link: Link, height: Height) -> None:
        await feed(keeper, link, height)
        self._followers[keeper.id] -= 1


@asynccontextmanager
async def open_node(switchboard: Switchboard) -> AsyncIterator[Node]:
    """Run a node over its links; at the end of the block its tables are left as they are."""
    async with trio.open_nursery() as nursery:
        node = Node(switchboard, nursery)
        nursery.start_soon(node.take_up_strangers)
        yield node
        nursery.cancel_scope.cancel()


def note_addresses(journal: Journal, seat: Seat, addresses: Iterable[Address]) -> None:
    """Remember where a seat may be reached."""
    journal.note(f"addresses/{seat}", "\n".join(map(str, addresses)).encode())


def addresses_of(journal: Journal, seat: Seat) -> tuple[Address, ...]:
    """Return where a seat may be reached, as far as this journal knows."""
    noted = journal.noted(f"addresses/{seat}") or b""
    return tuple(parse(line) for line in noted.decode().splitlines())


def _seat_of(keeper: Keeper, peer: PeerKey) -> Seat:
    return Seat(keeper.journal.charter.keys.index(peer))
