"""Words with named plain values: what seats do, and what has happened.

These are the least that rules and effects have in common: an action is chosen in a turn, and may be
what an effect comes to; an event is for people. Values are plain, so that they can be hashed, sent
and shown alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nodealer.kernel import SlotId

Plain: TypeAlias = int | str | bool | tuple["Plain", ...] | None
"""The values of actions, events and facts: what can be hashed, sent and shown alike."""


@dataclass(frozen=True, slots=True)
class Named:
    """A word with named values, in ascending order of the names."""

    kind: str
    fields: tuple[tuple[str, Plain], ...] = ()

    def get(self, name: str) -> Plain:
        """Return a value, or None where there is none of this name."""
        return dict(self.fields).get(name)


@dataclass(frozen=True, slots=True)
class Action(Named):
    """The action of a seat in its turn."""

    def slots(self, name: str) -> tuple[SlotId, ...]:
        """Return the slots under a name, or none if there are no slots there."""
        value = self.get(name)
        if not isinstance(value, tuple):
            return ()
        return tuple(SlotId(item) for item in value if type(item) is int)


@dataclass(frozen=True, slots=True)
class Event(Named):
    """The event that has happened, for people."""


def action(kind: str, /, **fields: Plain) -> Action:
    """Return an action with these values."""
    return Action(kind, tuple(sorted(fields.items())))


def event(kind: str, /, **fields: Plain) -> Event:
    """Return an event with these values."""
    return Event(kind, tuple(sorted(fields.items())))
