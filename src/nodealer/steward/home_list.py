"""The list of what a player has at home, and how its tables stand.

A table that nobody has open is told of when its history was checked, in a thread, the newest first,
and only while the list is looked at. What was told once is known from then on (`StandingNotes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import trio

from nodealer.dialogue import HomeShown, PersonListed, TableListed
from nodealer.games import registry
from nodealer.home import (
    FoundLobby,
    FoundTable,
    LobbyForMe,
    StandingNotes,
    StandingTold,
    standing_now,
    told_standing,
)
from nodealer.kernel import NodealerError, TableId
from nodealer.steward.home_told import (
    clocks_told,
    found_lobbies,
    found_tables,
    friends_lobby,
    lobby_listed,
    people_told,
    policies_told,
    table_told,
    terms_of,
)
from nodealer.steward.open_table import HouseTable
from nodealer.steward.refusals import why_refused
from nodealer.store import Profile


class HomeList:
    """The tables, lobbies and people of a player."""

    def __init__(self, profile: Profile) -> None:
        """Find nothing yet."""
        self._profile = profile
        self._notes = StandingNotes(profile.standings)
        self._tables: tuple[FoundTable, ...] = ()
        self._lobbies: tuple[FoundLobby, ...] = ()
        self._people: tuple[PersonListed, ...] = ()

    def look(self) -> None:
        """Look at what is there now."""
        self._tables = found_tables(self._profile)
        self._lobbies = found_lobbies(self._profile)
        self._people = people_told(self._profile)

    def shown(
        self,
        opened: Mapping[TableId, HouseTable],
        name: str,
        *,
        problem: str = "",
        invite: str = "",
        for_you: Iterable[LobbyForMe] = (),
    ) -> HomeShown:
        """Return the home as it was looked at; of the tables that are open, as they are now.

        Lobbies to which friends have named this player stand `for_you` before all others.
        """
        return HomeShown(
            name,
            tuple(registry.all_games().values()),
            (*map(friends_lobby, for_you), *self._listed(opened)),
            self._people,
            problem,
            clocks_told(),
            policies_told(),
            invite,
        )

    async def find_standings(
        self,
        opened: Mapping[TableId, HouseTable],
        is_wanted: Callable[[], bool],
        found: Callable[[], None],
    ) -> None:
        """Find out how tables stand that nobody has open, while that is wanted; tell of each."""
        for one in self._tables:
            if self._notes.known(one) or one.glance is None or one.table in opened:
                continue
            if not is_wanted():
                break
            self._notes.note(one, await trio.to_thread.run_sync(_standing, one))
            found()
        self._notes.keep()

    def left(self, table: HouseTable) -> None:
        """Note how a table stands that rests since just now."""
        keeper = table.keeper
        one = FoundTable(self._profile.journal(keeper.id))
        names = keeper.table.position.setting.agreed.terms.names
        self._notes.note(one, standing_now(keeper.table, names, keeper.seat))
        self._notes.keep()

    def _listed(self, opened: Mapping[TableId, HouseTable]) -> Iterator[TableListed]:
        for lobby in self._lobbies:
            yield lobby_listed(lobby)
        for one in self._tables:
            table, terms = opened.get(one.table), terms_of(one)
            if table is None or terms is None:
                yield table_told(one, self._notes.known(one))
            else:
                keeper = table.keeper
                yield table_told(one, standing_now(keeper.table, terms.names, keeper.seat))


def _standing(one: FoundTable) -> StandingTold:
    try:
        return told_standing(one)
    except NodealerError as error:
        return StandingTold(why_refused(error), is_over=False)
