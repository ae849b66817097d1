"""A player of any game that leaves everything to chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.games import Action, View
from nodealer.kernel import Chance


@dataclass(frozen=True, slots=True)
class ChanceBot:
    """Chooses each legal action equally often."""

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:  # noqa: ARG002 - every bot
        """Return any of the legal actions."""
        return chance.pick(legal)
