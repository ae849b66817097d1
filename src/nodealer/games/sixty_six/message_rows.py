"""Messages to clients as tables: at which incident who is told what, with which fields.

A protocol of 66 is a list of rows. What a client hears at an incident are the rows of that
incident for its part in it, in their order. A field is filled in from what the incident brings,
else from what the player sees after the entry; a field that neither has is a defect of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from nodealer.games.seeds import ClientMessage, JsonValue, SeenEntry
from nodealer.kernel import Seat


class ToldTo(Enum):
    """The clients that are told: of the seat that it is about, of all others, or all."""

    ACTIVE = "active"
    OTHERS = "others"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message, when it is sent and to whom; `asks` if the player has to act after it."""

    incident: str
    to: ToldTo
    name: str
    fields: tuple[str, ...] = ()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that happens, to or by a seat, with what only this incident has."""

    name: str
    active: Seat | None
    fields: Mapping[str, JsonValue]


Sources: TypeAlias = Mapping[str, Callable[[SeenEntry], JsonValue]]
"""How fields are filled in that are no incident's own."""


def told_of(
    incidents: Sequence[Incident], rows: Sequence[MessageRow], sources: Sources, seen: SeenEntry
) -> Iterator[ClientMessage]:
    """Yield what a client is told of these incidents."""
    for incident in incidents:
        part = ToldTo.ACTIVE if incident.active == seen.me else ToldTo.OTHERS
        for row in rows:
            if row.incident == incident.name and row.to in (part, ToldTo.ALL):
                fields = {name: _filled(name, incident, sources, seen) for name in row.fields}
                yield ClientMessage(row.name, fields, row.asks)


def _filled(name: str, incident: Incident, sources: Sources, seen: SeenEntry) -> JsonValue:
    return incident.fields[name] if name in incident.fields else sources[name](seen)
