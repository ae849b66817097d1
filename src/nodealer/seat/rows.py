"""Messages to clients as tables: at which moment who is told what, with which fields.

A protocol of 66 is a list of rows. What a client hears at a moment are the rows of that moment for
its part in it, in their order. A field is filled in from what the moment brings, else from what the
player sees after the entry; a field that neither has is a defect of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from nodealer.kernel import Seat
from nodealer.seat.saying import Json, Told
from nodealer.seat.sight import Sight


class To(Enum):
    """Whose clients are told: of the seat that it is about, of all others, or of everybody."""

    ACTIVE = "active"
    OTHERS = "others"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """A message, when it is sent and to whom; `asks` if the player has to act after it."""

    moment: str
    to: To
    name: str
    fields: tuple[str, ...] = ()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happens, to or by a seat, with what only this moment has."""

    name: str
    active: Seat | None
    fields: Mapping[str, Json]


Sources: TypeAlias = Mapping[str, Callable[[Sight], Json]]
"""How fields are filled in that are no moment's own."""


def told_of(
    moments: Sequence[Moment], rows: Sequence[Row], sources: Sources, sight: Sight
) -> Iterator[Told]:
    """Yield what a client is told of these moments."""
    for moment in moments:
        part = To.ACTIVE if moment.active == sight.me else To.OTHERS
        for row in rows:
            if row.moment == moment.name and row.to in (part, To.ALL):
                fields = {name: _filled(name, moment, sources, sight) for name in row.fields}
                yield Told(row.name, fields, row.asks)


def _filled(name: str, moment: Moment, sources: Sources, sight: Sight) -> Json:
    return moment.fields[name] if name in moment.fields else sources[name](sight)
