"""The tables of a player, found in its journals, and how each of them stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

from nodealer.games import Turn
from nodealer.kernel import LocalError, Reason, Seat, TableId
from nodealer.store import Glance, Profile, StoreError, glance, public_part, setting_of
from nodealer.table import Position, Table, come_back

MARK_DIGITS: Final = 6

AWAY_SUFFIX: Final = ".away"
"""Of the file beside the journal of a table that its player has put away."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A journal, and what can be seen of it; or why it cannot be read."""

    path: Path
    glance: Glance | None = None
    trouble: StoreError | None = None

    @property
    def table(self) -> TableId:
        """The table, by the name of the file."""
        return TableId(bytes.fromhex(self.path.stem))

    @property
    def written(self) -> int:
        """When the journal was written to, in nanoseconds."""
        return _written(self.path)

    @property
    def mark(self) -> str:
        """How people call it."""
        return table_mark(self.table)

    @property
    def is_put_away(self) -> bool:
        """Whether its player has put it away unfinished, and not opened it since."""
        return away_mark(self.path).exists()


def tables_of(profile: Profile) -> tuple[FoundTable, ...]:
    """Return all tables of a player, the one that was last written to first."""
    return tuple(map(_found, sorted(profile.journals(), key=_written, reverse=True)))


def table_by(profile: Profile, begin: str | None) -> TableId:
    """Return the table whose mark begins so; without one, the table that was played at last."""
    known = tables_of(profile)
    if not known:
        raise refused("there is no table yet; `nodealer play macaua` begins one")
    if begin is None:
        return known[0].table
    matching = [one for one in known if one.path.stem.startswith(begin.lower())]
    if len(matching) != 1:
        wanted = "there is no table" if not matching else "there are several tables"
        raise refused(f"{wanted} whose mark begins with {begin!r}; `nodealer tables` lists them")
    return matching[0].table


def away_mark(journal: Path) -> Path:
    """Return the file that says that a table is put away; it is empty."""
    return journal.with_suffix(AWAY_SUFFIX)


def noted_standing(one: FoundTable, seen: Glance, stands: str) -> str:
    """Return how a table stands, with what its player has noted of it."""
    if seen.retired is not None:
        return f"{stands}; {seen.retired}"
    if seen.seat is None:
        return f"{stands}; watched"
    if one.is_put_away:
        return f"{stands}; put away unfinished, so nothing is proven and nobody has won"
    return stands


def _written(path: Path) -> int:
    """Return when a journal was written to; what is new stands in the log beside it at first."""
    log = path.with_name(f"{path.name}-wal")
    return max(one.stat().st_mtime_ns for one in (path, log) if one.exists())


def _found(path: Path) -> FoundTable:
    try:
        return FoundTable(path, glance(path))
    except StoreError as error:
        return FoundTable(path, trouble=error)


def refused(detail: str) -> LocalError:
    """Return the error of a wish that cannot be granted."""
    return LocalError(Reason.LOCAL_ARGUMENT, detail)


def table_mark(table: TableId) -> str:
    """Return how people call a table."""
    return table.hex()[:MARK_DIGITS]


class TableStage(Enum):
    """The stages of a game, for the player of one of its seats."""

    OVER = auto()
    WITHOUT_YOU = auto()
    """It goes on among the others."""
    CHOOSING = auto()
    TURN = auto()
    DEALING = auto()


def stage_of(position: Position, seat: Seat | None) -> tuple[TableStage, tuple[Seat, ...]]:
    """Return how a game stands to the player of a seat, and who has won, chooses or has the turn.

    Whoever plays alone at the end has won, without places: then nobody is named.
    """
    is_out = seat is not None and seat not in position.roster
    if is_out and len(position.roster) > 1:
        return TableStage.WITHOUT_YOU, ()
    if position.is_closed or is_out:
        places = () if position.standing is None else position.standing.places
        return TableStage.OVER, places[0] if places else ()
    if (choice := position.choice()) is not None:
        return TableStage.CHOOSING, tuple(choice.asked)
    if not position.underway and isinstance(duty := position.duty, Turn):
        return TableStage.TURN, (duty.seat,)
    return TableStage.DEALING, ()


def table_in(path: Path) -> Table:
    """Return a table as its journal tells it, without anybody's secrets."""
    charter, records = public_part(path)
    return come_back(setting_of(charter, path), None, records)[0]
