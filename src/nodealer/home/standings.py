"""The standing of a table in words, and the words that were told last of each.

Of a journal that nobody has open the whole history is checked before a word is told of it, which
takes a second for a long game. So what was told is noted beside the marks of the journals, with the
time at which the journal was written, and is believed for as long as that stays. It is a note for
one's own eyes, and nothing depends on it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodealer.home.my_tables import FoundTable, TableStage, stage_of, table_in
from nodealer.kernel import Seat
from nodealer.store import StoreError, read_private, write_over
from nodealer.table import Position, Table, read_terms
from nodealer.verify import joined

FILE_BYTES_MAX: Final = 1 << 20

NOTES_MAX: Final = 200
"""Far more than are listed anywhere."""


def standing_of(table: Table, names: tuple[str, ...], seat: Seat | None) -> str:
    """Say how a table stands to the player of a seat: this game, then who won those before it."""
    before = [
        f"game {number} was won by {joined([names[one] for one in ended.places[0]])}"
        for number, ended in enumerate(table.position.ended, 1)
        if ended is not None
    ]
    return "; ".join([game_standing(table.position, names, seat), *before])


def game_standing(position: Position, names: tuple[str, ...], seat: Seat | None) -> str:
    """Say how a game stands, to the player of a seat."""
    stage, seats = stage_of(position, seat)
    who = joined([names[one] for one in seats])
    match stage:
        case TableStage.WITHOUT_YOU:
            return "goes on without you"
        case TableStage.OVER:
            return f"over; {who} won" if who else "over"
        case TableStage.CHOOSING:
            return f"each of {who} chooses a card"
        case TableStage.TURN:
            return f"{who} has the turn"
        case TableStage.DEALING:
            return "cards are being dealt"


@dataclass(frozen=True, slots=True)
class StandingTold:
    """The standing of a table in words, and whether nothing more is asked of its player."""

    words: str
    is_over: bool


class StandingNotes:
    """The words that were told of the tables of a player, remembered from run to run."""

    def __init__(self, path: Path) -> None:
        """Read what was noted; what cannot be read is told anew."""
        self._path = path
        self._known: dict[str, tuple[int, StandingTold]] = {}
        self._is_stored = True
        with suppress(StoreError, ValueError, TypeError, AttributeError):
            noted = json.loads(read_private(path, FILE_BYTES_MAX))
            for table, (written, words, is_over) in noted.items():
                told = StandingTold(str(words), bool(is_over))
                self._known[table] = int(written), told

    def known(self, one: FoundTable) -> StandingTold | None:
        """Return what was told of a table since which its journal was not written."""
        written, told = self._known.get(one.table.hex(), (0, None))
        return told if written == one.written else None

    def note(self, one: FoundTable, told: StandingTold) -> None:
        """Note what is told of a table now."""
        self._known.pop(one.table.hex(), None)
        self._known[one.table.hex()] = one.written, told
        self._is_stored = False

    def keep(self) -> None:
        """Store what was noted of late, if there is anything new in it."""
        if self._is_stored:
            return
        for table in [*self._known][:-NOTES_MAX]:
            del self._known[table]
        fields = {
            table: (written, told.words, told.is_over)
            for table, (written, told) in self._known.items()
        }
        write_over(self._path, json.dumps(fields).encode())
        self._is_stored = True


def told_standing(one: FoundTable) -> StandingTold:
    """Check the history of a table, and return how it stands; raise where it cannot be read."""
    assert one.glance is not None, "who cannot be glanced at is not told of"
    seat, terms = one.glance.seat, read_terms(one.glance.charter)[0]
    return standing_now(table_in(one.path), terms.names, seat)


def standing_now(table: Table, names: tuple[str, ...], seat: Seat | None) -> StandingTold:
    """Return how a table stands that is open."""
    stage, _ = stage_of(table.position, seat)
    is_over = stage in (TableStage.OVER, TableStage.WITHOUT_YOU)
    return StandingTold(standing_of(table, names, seat), is_over)
