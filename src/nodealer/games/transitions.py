"""The transitions of games as data; the diagrams of the specs are drawn from the same tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum

from nodealer.kernel import Bug, Reason


@dataclass(frozen=True, slots=True)
class Transition:
    """From one state to another by something that happens; from None at the beginning."""

    source: str | None
    trigger: str
    target: str


def rows(sources: Iterable[Enum], trigger: str, targets: Iterable[Enum]) -> list[Transition]:
    """Return the ways from each of some states to each of others."""
    ends = tuple(targets)
    return [Transition(source.value, trigger, end.value) for source in sources for end in ends]


def require_known(table: Collection[Transition], source: Enum, trigger: str, target: Enum) -> None:
    """Raise `Bug` unless a table of transitions has this one."""
    if Transition(source.value, trigger, target.value) not in table:
        way = f"{source.value} by {trigger} to {target.value}"
        raise Bug(Reason.LOCAL_ARGUMENT, f"no transition from {way}")
