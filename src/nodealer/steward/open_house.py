"""All that is open at home: the node on the network, lobbies, tables; opened and closed.

What is open goes on whatever is shown: others need this node for every step of a table among
people, and guests may come to a lobby at any time. Only a table against bots can rest.

The node on the network is begun when something first needs it, so a page is there before libp2p is
loaded, and it is the same one until the end. It is ended before the journals of its tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import trio

from nodealer.games import AnyGame
from nodealer.home import (
    Company,
    GuestSession,
    HostSession,
    LobbyError,
    LobbyForMe,
    SeatAt,
    Shelf,
    announce,
    declare,
    expect,
    found_open,
    friends_of,
    in_lobbies,
    journal_of,
    journal_to_watch,
    keep_asking,
    listening_at,
    load_network,
    places_before,
    refused,
    told_failure,
)
from nodealer.keeping import let_pass_alone
from nodealer.kernel import LocalError, TableId
from nodealer.lobby import Host, Invite, NewSeat, TablePlan, plan_of
from nodealer.node import (
    CLOCKS,
    THOUGHT_SECONDS,
    Node,
    Room,
    Rules,
    Seated,
    at_table,
    bots_in,
    bots_of,
    found,
)
from nodealer.steward.open_lobby import OpenLobby
from nodealer.steward.open_table import BotsResting, HouseTable, Onlooker, Unseen
from nodealer.store import Directories, Friend, Journal

StartedT_contra = TypeVar("StartedT_contra", contravariant=True)

PATIENT: Final = CLOCKS["letters"]
"""Bots wait as long as their player likes."""


@dataclass(frozen=True, slots=True)
class HomeWays:
    """The ways of a home: how it is reached, who is let in, how quickly bots play."""

    listen: Sequence[str] = ()
    relays: Sequence[str] = ()
    meets_nearby: bool = True
    takes_new_keys: bool = False
    passes_alone: bool | None = None
    thought_seconds: float = THOUGHT_SECONDS
    onlooker: Callable[[TableId], Onlooker] = Unseen


@dataclass(frozen=True, slots=True)
class HouseBells:
    """The bells of the house: whoever shows it is told of what happens in it."""

    changed: Callable[[OpenLobby | HouseTable], None]
    """There is something newer to show of one of these."""
    founded: Callable[[OpenLobby, HouseTable], None]
    """A lobby has become a table."""
    over: Callable[[OpenLobby, LocalError | None], None]
    """Nothing comes of a lobby, for this reason if it is not what the player wanted."""


class OpenHouse:
    """The things that a player has open."""

    def __init__(
        self, places: Directories, shelf: Shelf, ways: HomeWays, nursery: trio.Nursery
    ) -> None:
        """Open nothing yet."""
        self.places = places
        self.shelf = shelf
        self.bells = HouseBells(lambda _: None, lambda *_: None, lambda *_: None)
        self.lobbies: dict[bytes, OpenLobby] = {}
        self.tables: dict[TableId, HouseTable] = {}
        self._ways = ways
        self._nursery = nursery
        self._node: Node | None = None
        self._is_opening, self._is_beginning = trio.Lock(), trio.Lock()
        self._held = ExitStack()
        """What the node needs, and is let go of after it."""
        self._rooms: dict[bytes, Room] = {}
        self._company: Company | None = None
        self._friends: tuple[Friend, ...] = ()

    # Tables.

    def practise(
        self, rules: AnyGame, seats: int, options: Mapping[str, int | str | bool], name: str
    ) -> TableId:
        """Found a table against bots."""
        plan_of(rules, seats, dict(options), PATIENT, rules.policies[0])  # raises if it cannot be
        you = Seated(self.shelf.profile, self.shelf.identity, name)
        bots = bots_in(self.places, seats - 1, name)
        return found(Rules(rules, dict(options), PATIENT), [you, *bots]).table

    async def open_table(self, table: TableId) -> HouseTable:
        """Go on at a table."""
        async with self._is_opening:
            if (known := self.tables.get(table)) is not None:
                return known
            journal = journal_of(self.shelf.profile, table, self.shelf.identity)
            if bots_of(journal):
                return await self._with_bots(journal)
            with _closed_if_unused(journal):
                rooms = self.shelf.rooms_of(table)
                node = await self._network(rooms)
                for room in rooms:
                    self._admit(node, room)
                return self._on_network(node, journal)

    async def watch(self, table: TableId, seats: Sequence[SeatAt]) -> HouseTable:
        """Find the table of others at one of these seats, and watch it."""
        async with self._is_opening:
            node = await self._network([])
            journal = await journal_to_watch(node, self.shelf.profile, table, seats)
            with _closed_if_unused(journal):
                return self._on_network(node, journal)

    async def rest(self, table: HouseTable) -> bool:
        """Close a table against bots and say so; one among people stays open: others need it."""
        if table.bots is None:
            return False
        table.bots.scope.cancel()
        await table.bots.is_resting.wait()
        return True

    async def _with_bots(self, journal: Journal) -> HouseTable:
        try:
            table: HouseTable = await self._nursery.start(self._sit_with_bots, journal)
        except BaseExceptionGroup as group:
            raise told_failure(group) from group
        return table

    async def _sit_with_bots(self, journal: Journal, *, task_status: _Starting[HouseTable]) -> None:
        onlooker, thought = self._ways.onlooker(journal.table), self._ways.thought_seconds
        is_resting = trio.Event()
        try:
            with closing(journal), trio.CancelScope() as scope:
                self._note_ways(journal)
                async with at_table(
                    self.places, journal, thought_seconds=thought, meet=onlooker.meet
                ) as keeper:
                    table = HouseTable(keeper, onlooker, BotsResting(scope, is_resting))
                    self.tables[journal.table] = table
                    task_status.started(table)
                    await table.run(self.bells.changed)
        finally:
            self.tables.pop(journal.table, None)
            is_resting.set()

    def _on_network(self, node: Node, journal: Journal) -> HouseTable:
        self._note_ways(journal)
        onlooker, keeper = self._ways.onlooker(journal.table), node.open_table(journal)
        self._held.callback(journal.close)
        onlooker.meet(keeper)
        table = self.tables[keeper.id] = HouseTable(keeper, onlooker)
        self._nursery.start_soon(table.run, self.bells.changed)
        return table

    def _note_ways(self, journal: Journal) -> None:
        if self._ways.passes_alone is not None:
            let_pass_alone(journal, passes=self._ways.passes_alone)

    # Lobbies.

    async def host(self, plan: TablePlan, name: str, friends: Sequence[bytes] = ()) -> OpenLobby:
        """Open a lobby; one to which nobody has an invite yet is forgotten where that fails."""
        room = self.shelf.host(plan, name)
        expect(room, friends)
        try:
            return await self.open_lobby(room)
        except BaseException:
            room.file.discard()
            raise

    async def look_for_friends(self, heard: Callable[[], None]) -> None:
        """Ask friends whether a lobby of theirs is open for this player, from now on."""
        node = await self._network([])
        if not self._friends:
            self._friends = friends_of(self.shelf)
            self._nursery.start_soon(keep_asking, node, self._friends, heard)

    @property
    def for_you(self) -> tuple[LobbyForMe, ...]:
        """The lobbies to which friends have named this player, as far as they were looked for."""
        found = () if self._node is None else found_open(self._node, self._friends)
        return tuple(one for one in found if one.invite.lobby not in self._rooms)

    async def visit(self, invite: Invite, name: str) -> OpenLobby | HouseTable:
        """Go to the lobby of an invite, or to the table that it has become."""
        if invite.host == self.shelf.identity.public:
            raise refused("this invite is to your own lobby: pass it on to somebody else")
        if (known := self.lobbies.get(invite.lobby)) is not None:
            return known
        room = self._rooms.get(invite.lobby)
        if room is None:
            return await self.open_lobby(self.shelf.visit(invite, name))
        assert room.held.founding is not None, "else it would be among the lobbies"
        return await self.open_table(room.held.founding.table)

    async def open_lobby(self, room: Room) -> OpenLobby:
        """Go on in a lobby."""
        try:
            is_hosted = isinstance(room.held, Host)
            before = places_before([room])
            node = await self._network([room])
            is_elsewhere = bool(before) and not set(before) & set(node.addresses())
            declare(room, is_program=False)
            self._admit(node, room)
            company = self._people()
            session: HostSession | GuestSession
            if isinstance(room.held, Host):
                session = HostSession(room, company, is_attended=True)
                session.invites(tuple(map(str, node.addresses())))
            else:
                session = GuestSession(room, company, agrees=False, is_quick=False)
        except BaseException:
            self._rooms.pop(room.lobby, None)
            room.file.close()
            raise
        lobby = OpenLobby(
            session, room.lobby.hex(), self.bells.changed, is_elsewhere=is_hosted and is_elsewhere
        )
        self.lobbies[room.lobby] = lobby
        self._nursery.start_soon(self._gather, node, lobby)
        return lobby

    async def _gather(self, node: Node, lobby: OpenLobby) -> None:
        """Wait for what becomes of a lobby, and sit down at its table."""
        outcome = await lobby.outcome()
        del self.lobbies[lobby.room.lobby]
        if isinstance(outcome, NewSeat):
            try:
                table = self._seated(node, lobby, outcome)
            except LocalError as error:
                self.bells.over(lobby, error)
            else:
                self.bells.founded(lobby, table)
            return
        node.close_room(lobby.room)
        self._rooms.pop(lobby.room.lobby).file.close()
        why = None if outcome.reason is None else LobbyError(outcome.reason)
        self.bells.over(lobby, why)

    def _seated(self, node: Node, lobby: OpenLobby, seat: NewSeat) -> HouseTable:
        if (known := self.tables.get(seat.table)) is not None:
            return known
        journal = self.shelf.sit_down(lobby.room)
        with _closed_if_unused(journal):
            return self._on_network(node, journal)

    def _people(self) -> Company:
        if self._company is None:
            company = self.shelf.company(takes_new_keys=self._ways.takes_new_keys)
            self._company = self._held.enter_context(company)
        return self._company

    # The network.

    def _admit(self, node: Node, room: Room) -> None:
        self._rooms[room.lobby] = room
        announce(room, node, self.shelf.identity)
        node.open_room(room)

    async def _network(self, rooms: Sequence[Room]) -> Node:
        """Return the node; where it begins now, it listens where the host of these has before."""
        async with self._is_beginning:
            if self._node is not None:
                return self._node
            try:
                node: Node = await self._nursery.start(self._run_node, rooms)
            except BaseExceptionGroup as group:
                raise told_failure(group) from group
            self._node = node
            return node

    async def _run_node(self, rooms: Sequence[Room], *, task_status: _Starting[Node]) -> None:
        ways = self._ways
        reach = listening_at(ways.listen, ways.relays, meets_nearby=ways.meets_nearby, rooms=rooms)
        await trio.to_thread.run_sync(load_network)
        with self._held:
            self._held.callback(self._close_rooms)
            async with in_lobbies(self.shelf, [], reach) as node:
                task_status.started(node)
                await trio.sleep_forever()

    def _close_rooms(self) -> None:
        for room in self._rooms.values():
            room.file.close()


@contextmanager
def _closed_if_unused(journal: Journal) -> Iterator[None]:
    """Let go of a journal where opening its table fails."""
    try:
        yield
    except BaseException:
        journal.close()
        raise


class _Starting(Protocol[StartedT_contra]):
    """The words that trio hands to a task, to say that it has started."""

    def started(self, value: StartedT_contra, /) -> None:
        """Say so."""
