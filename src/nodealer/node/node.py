"""A node: everything that one player has open, over the links to all others.

A node has the player's key, the links of that key, and a keeper for each table. It finds the way of
what arrives: a letter for a table goes to its keeper, as spoken by the seat that holds the key at
the other end of the link. Who holds no seat may follow a table, and nothing else. What speaks of a
table that is not open here is answered with `absent`, once for each link, so that the other side
can tell its player.

Peers are never trusted to be who they say: the link has proven the key, and the charter says whose
seat it is. A letter that cannot be read is dropped and counted. Who watches follows every seat that
can be reached: what one of them keeps back another sends, and when one goes the others are there.

Theory of operation. Every link has one task that reads it, and waits while the keeper it writes to
is busy; so a peer that floods is read as slowly as its flood is dealt with. A link that has ended
is begun again if its peer holds a seat at an open table: the peer was stopped, and may come back.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import trio

from nodealer.keeping import DrawDelay
from nodealer.kernel import LocalError, PeerError, Reason, Seat, TableId, Tallied
from nodealer.ledger import DUTIES, Charter, Duties
from nodealer.lobby import (
    ASK,
    INVITED,
    NO_LOBBY,
    AddressRecord,
    LinkEnd,
    MayICome,
    read_asking,
    unknown_here,
)
from nodealer.lobby import write as write_letter
from nodealer.node.asked_friends import Asking
from nodealer.node.clocks import SeenTime
from nodealer.node.envelopes import (
    Absent,
    EnvelopeHead,
    Follow,
    ForAddress,
    ForChat,
    ForLobby,
    ForTable,
    read_envelope,
    write_envelope,
)
from nodealer.node.keeper import Keeper, drawn_delay
from nodealer.node.rooms import Room
from nodealer.node.seat_addresses import SeatAddresses, addresses_of, chosen, note_addresses
from nodealer.node.spectators import CHARTER_ALONE, Spectators
from nodealer.node.table_search import Search
from nodealer.node.transport.addresses import Address, PeerKey
from nodealer.node.transport.link import Link, LinkEnded, offered
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.switchboard import Switchboard
from nodealer.node.transport.windows import Began
from nodealer.store import Journal

AGAIN_SECONDS: Final = 1.0
"""Before a link that has ended is begun again."""

NEARBY_MAX: Final = 64
"""Keys on this network of which it is remembered where they are; a house has fewer."""

NEARBY_SECONDS: Final = 2.0
"""Before a peer is dialled once more because it says to be elsewhere: dialling begins at once."""

FOLLOW_AGAIN_SECONDS: Final = 2.0
"""Before a spectator asks a seat once more that did not have the table open, or had no place."""


class Node:
    """All open tables of one player; made by `open_node`."""

    def __init__(self, switchboard: Switchboard, nursery: trio.Nursery) -> None:
        self.keepers: dict[TableId, Keeper] = {}
        self.counts = switchboard.counts
        """What was not taken of what others have sent, and how often."""
        self.time = SeenTime()
        self._switchboard = switchboard
        self._nursery = nursery
        self.rooms: dict[bytes, Room] = {}
        self._addresses: dict[TableId, SeatAddresses] = {}
        self._served: set[Link] = set()
        self.spectators = Spectators(nursery, self._is_invited)
        switchboard.welcomes = self.welcomes
        self._searches: dict[PeerKey, Search] = {}
        self._asking_again: set[tuple[PeerKey, TableId]] = set()
        self.nearby: dict[PeerKey, tuple[Address, ...]] = {}
        """Where those on the same network say to be."""
        self._dialled_nearby: set[PeerKey] = set()
        self.asking = Asking()
        self._has_ended = False
        self.draw_delay: DrawDelay = drawn_delay
        """For how long answers are held back at tables that are opened from now on."""
        self.told_absent: Callable[[PeerKey, TableId], None] = self._count_absent
        """Hears who says not to have a table that is none of this node's."""

    def open_table(self, journal: Journal, duties: Duties = DUTIES) -> Keeper:
        """Open a table from its journal, and reach for everybody who sits there."""
        if journal.table in self.keepers:
            raise LocalError(Reason.LOCAL_ARGUMENT, "this table is open already")
        find = partial(self._link_to, journal)
        keeper = Keeper(journal, find, self.time, self.counts, duties, self.draw_delay)
        self.keepers[keeper.id] = keeper
        self._addresses[keeper.id] = SeatAddresses(journal)
        self._addresses[keeper.id].own(self.addresses())
        self._note_host(keeper)
        for key in keeper.others.values():
            link = self._reach(PeerKey(key))
            if keeper.seat is None and link.state is LinkState.UP:
                _follow(keeper, link)  # it began before, as one with the host of a lobby
        self._nursery.start_soon(keeper.run)
        return keeper

    def _note_host(self, keeper: Keeper) -> None:
        """Remember where the host is of a lobby from which this table came.

        Seats have told each other more in the lobby; whoever watches knows its invite alone.
        """
        for seat, key in keeper.others.items():
            for room in self.rooms.values():
                if room.host == key and not addresses_of(keeper.journal, seat):
                    note_addresses(keeper.journal, seat, room.addresses)

    async def find_charter(
        self, table: TableId, peer: PeerKey, addresses: tuple[Address, ...]
    ) -> Charter | None:
        """Return the charter of a table that a peer has open; nothing if it says it has not."""
        search = self._searches[peer] = Search(table, addresses)
        link = self._reach(peer)
        if link.state is LinkState.UP:
            _ask_for_charter(link, search)
        return await search.over()

    def open_room(self, room: Room) -> None:
        """Open a lobby; a guest's reaches for its host, who may be linked already."""
        self.rooms[room.lobby] = room
        room.send, room.ticks = self._send, self.time.now
        if room.host is not None:
            link = self._reach(room.host)
            if link.state is LinkState.UP:
                room.linked(link.peer, link.session.name)

    def close_room(self, room: Room) -> None:
        """Close a lobby of which nothing will come; what it has sent is on its way."""
        del self.rooms[room.lobby]

    def ask_friends(self, friends: Mapping[PeerKey, tuple[Address, ...]]) -> None:
        """Ask these, wherever they are met, whether a lobby of theirs is open for this player.

        Who is known to be at an address is looked for there, the others on this network alone.
        """
        self.asking.begin(friends)
        for peer in friends:
            if self.known_of(peer):
                link = self._reach(peer)
                if link.state is LinkState.UP:
                    self._ask(link)

    def addresses(self) -> tuple[Address, ...]:
        """Return where this node can be reached, as far as it knows."""
        return chosen(self._switchboard.addresses())

    def moved(self) -> None:
        """Tell the tables where this node can be reached now, if that is new."""
        for keeper in self.keepers.values():
            record = self._addresses[keeper.id].own(self.addresses())
            if record is not None:
                self._pass_on(keeper, record)

    def found_nearby(self, peer: PeerKey, addresses: tuple[Address, ...]) -> None:
        """Take in where somebody on this network says to be; the link will prove the key.

        The network is listened to in a thread of its own, so the last word may come after the end.
        """
        if self._has_ended:
            return
        self.nearby.pop(peer, None)
        self.nearby[peer] = addresses
        for old in [*self.nearby][:-NEARBY_MAX]:
            del self.nearby[old]
        if peer not in self._dialled_nearby and self._is_reached_for(peer):
            self._dialled_nearby.add(peer)
            self._nursery.start_soon(self._dial_nearby, peer)

    def welcomes(self, peer: PeerKey) -> bool:
        """Say whether somebody has a place here that no stranger can take."""
        is_here = self._is_invited(peer) or self.spectators.include(peer)
        return peer in self._searches or is_here or self._is_reached_for(peer)

    def end(self) -> None:
        """Begin nothing any more."""
        self._has_ended = True

    async def _dial_nearby(self, peer: PeerKey) -> None:
        """Have a peer dialled where it says to be; what is heard meanwhile has to wait."""
        dialled: tuple[Address, ...] = ()
        while self._is_reached_for(peer) and self.nearby.get(peer, dialled) != dialled:
            dialled = self.nearby[peer]
            if not set(dialled) <= set(self._switchboard.link(peer).addresses):
                # Not what the link dials now: what is heard would add up there, and push all out.
                self._reach(peer)
            await trio.sleep(NEARBY_SECONDS)
        self._dialled_nearby.discard(peer)

    def _is_reached_for(self, peer: PeerKey) -> bool:
        is_host = any(one.host == peer for one in self.rooms.values())
        is_asked = peer in self.asking.friends and bool(self.known_of(peer))
        return is_host or is_asked or bool(self._tables_of(peer))

    def _is_invited(self, peer: PeerKey) -> bool:
        return any(peer in room.people or peer in room.named for room in self.rooms.values())

    def known_of(self, peer: PeerKey) -> tuple[Address, ...]:
        """Return all places where a peer may be, those first that are likely to be right.

        That is what was heard of it on this network, what the journals of tables know, what an
        invite says, and where somebody was told to look.
        """
        tables = [addresses_of(one.journal, _seat_of(one, peer)) for one in self._tables_of(peer)]
        rooms = [one.addresses for one in self.rooms.values() if one.host == peer]
        sought = self._searches[peer].addresses if peer in self._searches else ()
        found = (
            self.nearby.get(peer, ()),
            *tables,
            *rooms,
            sought,
            self.asking.friends.get(peer, ()),
        )
        return tuple(dict.fromkeys(place for places in found for place in places))

    # Links.

    def _send(self, peer: PeerKey, payload: bytes) -> None:
        """Send something to a peer, if there is a link to it and room in it."""
        offered(self._switchboard.find(peer), payload)  # who comes back is told everything

    def _link_to(self, journal: Journal, seat: Seat) -> Link | None:
        return self._switchboard.last(PeerKey(journal.charter.keys[seat]))

    def _reach(self, peer: PeerKey) -> Link:
        link = self._switchboard.link(peer, self.known_of(peer))
        self._begin_to_serve(link)
        return link

    def _begin_to_serve(self, link: Link) -> None:
        if link not in self._served:
            self._served.add(link)
            self._nursery.start_soon(self._serve, link)

    async def take_up_strangers(self) -> None:
        """Serve whoever opens a link, until cancelled."""
        while True:
            self._begin_to_serve(await self._switchboard.accept())

    async def _serve(self, link: Link) -> None:
        try:
            while True:
                item = await link.receive()
                if isinstance(item, Began):
                    await self._began(link)
                else:
                    await self._read(link, item)
        except LinkEnded:
            self._served.discard(link)
        await trio.sleep(AGAIN_SECONDS)
        if self._is_reached_for(link.peer):
            self._reach(link.peer)

    async def _began(self, link: Link) -> None:
        """Tell a peer whose program was started where this one stands."""
        for keeper in self._tables_of(link.peer):
            keeper.note_absent(_seat_of(keeper, link.peer), is_absent=False)
            if keeper.seat is None:
                _follow(keeper, link)
            else:
                await keeper.tell()
                keeper.talk.greet(link)
            for record in self._addresses[keeper.id].records():
                offered(link, write_envelope(ForAddress(keeper.id), write_letter(record)))
        if (search := self._searches.get(link.peer)) is not None:
            _ask_for_charter(link, search)
        for room in tuple(self.rooms.values()):
            room.linked(link.peer, link.session.name)
        if link.peer in self.asking.friends:
            self._ask(link)

    def _tables_of(self, peer: PeerKey) -> tuple[Keeper, ...]:
        return tuple(one for one in self.keepers.values() if peer in one.journal.charter.keys)

    # Letters.

    async def _read(self, link: Link, data: bytes) -> None:
        try:
            head, letter = read_envelope(data)
        except PeerError as error:
            self.counts[error.reason] += 1
        else:
            await self._deliver(link, head, letter)

    async def _deliver(self, link: Link, head: EnvelopeHead, letter: bytes) -> None:
        match head:
            case ForAddress(table) if table in self.keepers:
                self._hear(self.keepers[table], link, letter)
            case ForLobby(lobby):
                self._visit(lobby, link, letter)
            case ForTable(table) | ForChat(table) if table in self.keepers:
                await self._hand_over(self.keepers[table], link, head, letter)
            case Follow(table, height) if table in self.keepers:
                if not self.spectators.take_up(self.keepers[table], link, height):
                    link.offer(write_envelope(Absent(table)))
            case ForTable(table) if self._is_sought(table, link.peer):
                self._searches[link.peer].show(letter)
            case ForTable(table) | Follow(table):
                link.offer(write_envelope(Absent(table)))
            case Absent(table):
                self._note_absent(table, link)
            case _:  # a line of chat for a table that is not open
                self.counts[Tallied.UNEXPECTED] += 1

    def _hear(self, keeper: Keeper, link: Link, letter: bytes) -> None:
        """Take in where a seat is now, and pass it on if it is news."""
        try:
            record = self._addresses[keeper.id].heard(letter, link.peer)
        except PeerError as error:
            self.counts[error.reason] += 1
        else:
            self._reach(PeerKey(record.key))
            self._pass_on(keeper, record, link.peer)

    def _pass_on(self, keeper: Keeper, record: AddressRecord, *knowing: PeerKey) -> None:
        payload = write_envelope(ForAddress(keeper.id), write_letter(record))
        for key in keeper.others.values():
            if key != record.key and key not in knowing:
                self._send(PeerKey(key), payload)

    async def _hand_over(
        self, keeper: Keeper, link: Link, head: EnvelopeHead, letter: bytes
    ) -> None:
        """Hand a letter to its table, as spoken by the seat that the link has proven."""
        if link.peer not in keeper.journal.charter.keys:
            self.counts[Tallied.NO_SEAT] += 1
            return
        seat = _seat_of(keeper, link.peer)
        if isinstance(head, ForChat):
            keeper.talk.hear(letter, seat)
            return
        if keeper.seat is None and letter == keeper.founding:
            return  # whoever is followed begins with it
        keeper.note_absent(seat, is_absent=False)
        await keeper.receive(letter, seat)

    def _note_absent(self, table: TableId, link: Link) -> None:
        keeper, peer = self.keepers.get(table), link.peer
        if keeper is not None and peer in keeper.journal.charter.keys:
            keeper.note_absent(_seat_of(keeper, peer), is_absent=True)
            if keeper.seat is None and (peer, table) not in self._asking_again:
                self._asking_again.add((peer, table))
                self._nursery.start_soon(self._follow_again, keeper, link)
        elif self._is_sought(table, peer):
            self._searches[peer].give_up()
        else:
            self.told_absent(peer, table)

    def _count_absent(self, peer: PeerKey, table: TableId) -> None:
        del peer, table
        self.counts[Tallied.UNEXPECTED] += 1

    async def _follow_again(self, keeper: Keeper, link: Link) -> None:
        """Ask to follow once more: only seats are told when a table is opened."""
        await trio.sleep(FOLLOW_AGAIN_SECONDS)
        self._asking_again.discard((link.peer, keeper.id))
        _follow(keeper, link)

    def _is_sought(self, table: TableId, peer: PeerKey) -> bool:
        return peer in self._searches and self._searches[peer].table == table

    def _ask(self, link: Link) -> None:
        self.asking.forget(link.peer)
        link.offer(write_envelope(ForLobby(NO_LOBBY), ASK.write(MayICome())))

    def _hear_of_lobbies(self, link: Link, letter: bytes) -> None:
        """Answer a friend that asks whether it may come, or take in that this player may."""
        try:
            said = read_asking(letter)
        except PeerError as error:
            self.counts[error.reason] += 1
            return
        if isinstance(said, MayICome):
            for answer in (room.answer_to(link.peer) for room in self.rooms.values()):
                if answer is not None:
                    link.offer(write_envelope(ForLobby(NO_LOBBY), INVITED.write(answer)))
        elif not self.asking.hear(link.peer, said):
            self.counts[Tallied.UNEXPECTED] += 1

    def _visit(self, lobby: bytes, link: Link, letter: bytes) -> None:
        if lobby == NO_LOBBY:
            self._hear_of_lobbies(link, letter)
            return
        room = self.rooms.get(lobby)
        if room is not None:
            room.receive(letter, LinkEnd(link.peer, link.session.name))
            return
        try:
            answer = unknown_here(letter, lobby)
        except PeerError as error:
            self.counts[error.reason] += 1
        else:
            if answer is not None:
                link.offer(write_envelope(ForLobby(lobby), write_letter(answer)))


@asynccontextmanager
async def open_node(switchboard: Switchboard) -> AsyncIterator[Node]:
    """Run a node over its links; at the end of the block its tables are left as they are."""
    async with trio.open_nursery() as nursery:
        node = Node(switchboard, nursery)
        nursery.start_soon(node.time.run)
        nursery.start_soon(node.take_up_strangers)
        try:
            yield node
        finally:
            node.end()
        nursery.cancel_scope.cancel()


def _seat_of(keeper: Keeper, peer: PeerKey) -> Seat:
    return Seat(keeper.journal.charter.keys.index(peer))


def _follow(keeper: Keeper, link: Link) -> None:
    """Ask a peer for all that is not here yet; whoever has no room is asked in another run."""
    offered(link, write_envelope(Follow(keeper.id, keeper.table.ledger.tip.height)))


def _ask_for_charter(link: Link, search: Search) -> None:
    offered(link, write_envelope(Follow(search.table, CHARTER_ALONE)))
