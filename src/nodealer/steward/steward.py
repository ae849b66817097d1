"""The steward of a player's home: it carries out what pages wish, and shows what comes of it.

One thing is shown at a time: the home, a lobby, a table or a record. What is open goes on whatever
is shown (`open_house`).

What cannot be done is said to the page that wished it. What goes wrong later, as when a host does
not let this player in, stands at home as a problem; where it was the name, the invite stands there
too, so that another name is all that is asked for. A disk that fails ends the program: nothing was
signed that is not stored, and everything can be gone on with.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Final

import trio

from nodealer.dialogue import (
    CloseSubject,
    FilePiece,
    GrantedWish,
    HomeWish,
    HostLobby,
    JoinLobby,
    JudgeFile,
    LookForFriends,
    OpenAgain,
    Practise,
    ReplayTable,
    with_home,
    with_lobby,
    with_recording,
    with_table,
)
from nodealer.games import registry
from nodealer.home import (
    LobbyError,
    SeatAt,
    Shelf,
    friend_called,
    friends_of,
    lobby_by,
    refused,
    table_by,
)
from nodealer.kernel import LocalError, PeerError, Reason, TableId
from nodealer.lobby import Guest, Invite, TablePlan, plan_of, read_invite, write_invite
from nodealer.node import CLOCKS, Room
from nodealer.show import PUT_AWAY, Recording, Say, granted, recording_of
from nodealer.steward.file_judge import FileJudge
from nodealer.steward.home_list import HomeList
from nodealer.steward.home_told import name_used
from nodealer.steward.open_house import HomeWays, HouseBells, OpenHouse
from nodealer.steward.open_lobby import OpenLobby
from nodealer.steward.open_table import HouseTable
from nodealer.steward.refusals import why_refused
from nodealer.steward.served_dialogue import DialogueVisit, ServedDialogue
from nodealer.store import Directories, transcript
from nodealer.verify import judge_bytes

OF_NAMES: Final = (Reason.LOBBY_NAME, Reason.TABLE_NAME)
"""The reasons of a host that mean another name is needed, and nothing else."""


class Steward:
    """Whoever runs the home of a player; made by `steward_of`."""

    def __init__(self, house: OpenHouse, name: str, nursery: trio.Nursery) -> None:
        """Show the home; `name` is that of the player at tables."""
        self.house = house
        self.house.bells = HouseBells(self._changed, self._founded, self._over)
        self.name = name
        self._nursery = nursery
        self.served = ServedDialogue(self.carry_out, self._left)
        self._judge = FileJudge(nursery, self.served.tell_verdict)
        self._list = HomeList(house.shelf.profile)
        self.shown: OpenLobby | HouseTable | Recording | None = None
        self._problem = self._invite = ""
        self.show_home()

    def open_visit(self) -> AbstractAsyncContextManager[DialogueVisit]:
        """Let a page in, until it is gone."""
        return self.served.open_visit()

    # What is shown.

    def show_home(self) -> None:
        """Show the home, as it is now."""
        self.shown = None
        self._list.look()
        self._tell_home()
        tables = self.house.tables
        self._nursery.start_soon(
            self._list.find_standings, tables, self._is_at_home, self._tell_home
        )

    def show(self, subject: OpenLobby | HouseTable) -> None:
        """Show something that is open."""
        self.shown = subject
        self._problem = self._invite = ""
        self._changed(subject)

    def _is_at_home(self) -> bool:
        return self.shown is None

    def _tell_home(self) -> None:
        if self._is_at_home():
            tables, problem, invite = self.house.tables, self._problem, self._invite
            for_you = self.house.for_you
            home = self._list.shown(
                tables, self.name, problem=problem, invite=invite, for_you=for_you
            )
            self.served.show(with_home, home)

    def _changed(self, subject: OpenLobby | HouseTable) -> None:
        if subject is not self.shown:
            self._tell_home()  # where it stands in a line
            return
        if isinstance(subject, OpenLobby):
            self.served.show(with_lobby, subject.shown())
        elif subject.newest is not None:
            self.served.show(with_table, subject.newest)

    def _founded(self, lobby: OpenLobby, table: HouseTable) -> None:
        if self.shown is lobby:
            self.show(table)
        elif self._is_at_home():
            self.show_home()

    def _over(self, lobby: OpenLobby, why: LocalError | None) -> None:
        if why is not None:
            self._problem = why_refused(why)
            held = lobby.room.held
            if why.reason in OF_NAMES and isinstance(held, Guest):
                is_line = held.invite.secret is not None
                self._invite = write_invite(held.invite) if is_line else ""
        if self.shown in (lobby, None):
            self.show_home()

    # What is wished, by pages and by commands.

    async def practise(self, wish: Practise) -> None:
        """Sit down at a new table against bots."""
        rules = registry.game(wish.game)
        table = self.house.practise(rules, wish.seats, wish.options, self.name)
        await self.open_table(table)

    async def host(self, wish: HostLobby) -> None:
        """Open a lobby."""
        if wish.clock not in CLOCKS:
            raise refused(f"there are these clocks: {', '.join(CLOCKS)}")
        rules = registry.game(wish.game)
        policy = wish.policy or rules.policies[0]
        plan = plan_of(rules, wish.seats, dict(wish.options), CLOCKS[wish.clock], policy)
        known = friends_of(self.house.shelf) if wish.friends else ()
        friends = [friend_called(known, one).key for one in wish.friends]
        await self.host_plan(plan, wish.name, friends)

    async def host_plan(self, plan: TablePlan, name: str, friends: Sequence[bytes] = ()) -> None:
        """Open a lobby for what is planned; these friends come in without an invite."""
        self.show(await self.house.host(plan, name, friends))
        self.name = name

    async def visit(self, invite: Invite, name: str) -> None:
        """Go to the lobby of an invite."""
        self.show(await self.house.visit(invite, name))
        self.name = name

    async def open_lobby(self, room: Room) -> None:
        """Go on in a lobby."""
        self.show(await self.house.open_lobby(room))

    async def open_table(self, table: TableId) -> None:
        """Go on at a table."""
        self.show(await self.house.open_table(table))

    async def watch(self, table: TableId, seats: Sequence[SeatAt]) -> None:
        """Watch the table of others, which is looked for at these seats."""
        self.show(await self.house.watch(table, seats))

    async def carry_out(self, wish: GrantedWish, page: int) -> str:
        """Do what a page wishes; return what is said of it."""
        try:
            match wish:
                case JudgeFile(name, size):
                    self._judge.begin(page, name, size)
                case FilePiece(data):
                    await self._judge.piece(page, data)
                case _:
                    return await self._carried_out(wish)
        except PeerError as error:
            raise LobbyError(error.reason, error.detail) from error
        return ""

    def _left(self, page: int) -> None:
        self._judge.gone(page)

    async def _carried_out(self, wish: GrantedWish) -> str:
        match wish:
            case Practise():
                await self.practise(wish)
            case HostLobby():
                await self.host(wish)
            case JoinLobby(text, name):
                await self.visit(read_invite(text), name)
            case LookForFriends():
                await self.house.look_for_friends(self._tell_home)
            case OpenAgain(mark):
                await self._open(mark)
            case CloseSubject():
                await self._close()
            case ReplayTable(mark):
                await self._replay(mark)
            case _:
                return await self._granted_here(wish)
        return ""

    async def _granted_here(self, wish: GrantedWish) -> str:
        """Do what is wished of the very lobby or table that is shown."""
        if isinstance(self.shown, OpenLobby) and isinstance(wish, HomeWish | Say):
            return self.shown.grant(wish)
        if isinstance(wish, HomeWish):
            raise refused("no lobby is shown")
        if not isinstance(self.shown, HouseTable):
            raise refused("no table is shown")
        if why := await granted(self.shown.driver, wish):
            raise refused(why)
        if wish == PUT_AWAY:
            await self._close()
        return ""

    async def _open(self, mark: str) -> None:
        profile = self.house.shelf.profile
        for lobby in self.house.lobbies.values():
            if lobby.mark.startswith(mark):
                self.show(lobby)
                return
        for one in self.house.for_you:
            if one.said.lobby.hex().startswith(mark):
                await self.visit(one.invite, self.name)
                return
        found = lobby_by(profile, mark)
        if found is not None:
            await self.open_lobby(self.house.shelf.reopen(found.name))
        else:
            await self.open_table(table_by(profile, mark))

    async def _close(self) -> None:
        """Go home; what needs nobody else rests."""
        before, self._problem, self._invite = self.shown, "", ""
        self.show_home()
        await self._let_rest(before)

    async def _replay(self, mark: str) -> None:
        profile = self.house.shelf.profile
        path = profile.journal(table_by(profile, mark))
        data = transcript(path)
        judge = partial(judge_bytes, data, is_told=True)
        recording = recording_of(await trio.to_thread.run_sync(judge), mark)
        if recording is None:
            raise refused("there is nothing in it that could be shown")
        before, self.shown = self.shown, recording
        self.served.show(with_recording, recording)
        await self._let_rest(before)

    async def _let_rest(self, before: OpenLobby | HouseTable | Recording | None) -> None:
        """Close what was shown before, if nobody else needs it."""
        if isinstance(before, HouseTable) and await self.house.rest(before):
            self._list.left(before)
            self._tell_home()


@asynccontextmanager
async def steward_of(
    places: Directories, shelf: Shelf, ways: HomeWays, *, name: str, is_named: bool = True
) -> AsyncIterator[Steward]:
    """Run the home of a player; a name that was not given now is that of before, if there is one.

    At the end of the block all that is open is left as it is.
    """
    shelf.clean()
    if not is_named:
        name = name_used(shelf.profile, shelf.identity.public) or name
    async with trio.open_nursery() as nursery:
        yield Steward(OpenHouse(places, shelf, ways, nursery), name, nursery)
        nursery.cancel_scope.cancel()
