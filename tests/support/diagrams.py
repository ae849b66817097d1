"""State diagrams of the specs, drawn from the tables of the code."""

from __future__ import annotations

from collections.abc import Iterable

from nodealer.games.transitions import Transition


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
