"""Transition tables of games as data, and the state diagrams that are drawn from them."""

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


def mermaid(transitions: Iterable[Transition], ends: Iterable[str]) -> str:
    """Return the state diagram of a table, one arrow for each pair of states."""
    table = tuple(transitions)
    states = dict.fromkeys(name for row in table for name in (row.source, row.target) if name)
    # An id has no hyphens there; the name of the state is what people see.
    names = [f'    state "{state}" as {_node(state)}' for state in states if _node(state) != state]
    labels: dict[tuple[str, str], list[str]] = {}
    for row in table:
        labels.setdefault((_node(row.source), _node(row.target)), []).append(row.trigger)
    arrows = [f"    {a} --> {b}: {', '.join(found)}" for (a, b), found in labels.items()]
    closing = [f"    {_node(end)} --> [*]" for end in ends]
    return "\n".join(["stateDiagram-v2", *names, *arrows, *closing, ""])


def _node(state: str | None) -> str:
    return "[*]" if state is None else state.replace("-", "_")
