"""The ways that games go through the table of their states, noted while they are played."""

from __future__ import annotations

from enum import Enum
from types import ModuleType
from typing import Any, Protocol, TypeAlias

import pytest

from nodealer.games.api import Step

Row: TypeAlias = tuple[str | None, str, str]
"""From which state, by what, into which."""


class Phased(Protocol):
    """A state of a game that goes from phase to phase."""

    @property
    def phase(self) -> Enum:
        """The phase."""
        ...


def ways_seen(monkeypatch: pytest.MonkeyPatch, states: type[Any], dealing: ModuleType) -> set[Row]:
    """Return the ways that are gone from now on: by `states.moved`, and where somebody leaves."""
    seen: set[Row] = set()
    original_moved, original_leave = states.moved, dealing.leave

    def moved(state: Phased, trigger: str, phase: Enum) -> Phased:
        after: Phased = original_moved(state, trigger, phase)
        seen.add((state.phase.value, trigger, after.phase.value))
        return after

    def leave(state: Phased, *how: object) -> Step[Phased]:
        step: Step[Phased] = original_leave(state, *how)
        seen.add((state.phase.value, "leave", step.state.phase.value))
        return step

    monkeypatch.setattr(states, "moved", moved)
    monkeypatch.setattr(dealing, "leave", leave)
    return seen
