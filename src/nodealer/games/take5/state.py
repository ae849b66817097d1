"""The state of a game of 6 nimmt!, and the table of its transitions.

The state holds no cards but the slots that were chosen: where the others lie and which of them are
open is on the board. Scores are those of the rounds that are over. What was taken in the present
round lies in the `taken` zones, open; it is counted when the round ends.

Invariants of a state:

1. `scores` has every seat of the set-up, ascending, also those that have left.
2. `played` is empty but in the phases `revealing`, `placing` and `awaiting-row-choice`: while it is
   revealed in the order of the seats, afterwards from the lowest card to the highest; it has the
   cards that are not yet placed.
3. In `awaiting-row-choice` the first of `played` is lower than all stacks, and its seat is in the
   game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from nodealer.games.take5.settings import Settings
from nodealer.games.transitions import Transition, require_known, rows
from nodealer.kernel import Seat, SlotId, changed


class Phase(Enum):
    """The phase of a game; `specs/games/take5.md` draws it."""

    SHUFFLING = "shuffling"
    DEALING = "dealing"
    CHOOSING = "choosing"
    REVEALING = "revealing"
    PLACING = "placing"
    AWAITING_ROW_CHOICE = "awaiting-row-choice"
    ROUND_END = "round-end"
    GAME_OVER = "game-over"


_AFTER_A_CARD = (Phase.PLACING, Phase.AWAITING_ROW_CHOICE)

TRANSITIONS: Final = (
    Transition(None, "setup", Phase.SHUFFLING.value),
    *rows([Phase.SHUFFLING], "shuffled", [Phase.DEALING]),
    *rows([Phase.DEALING], "dealt", [Phase.CHOOSING]),
    *rows([Phase.CHOOSING], "chosen", [Phase.REVEALING]),
    *rows([Phase.REVEALING], "revealed", _AFTER_A_CARD),
    *rows([Phase.PLACING], "placed", [*_AFTER_A_CARD, Phase.CHOOSING, Phase.ROUND_END]),
    *rows([Phase.AWAITING_ROW_CHOICE], "take", [Phase.PLACING]),
    *rows([Phase.ROUND_END], "again", [Phase.SHUFFLING]),
    *rows([Phase.ROUND_END], "won", [Phase.GAME_OVER]),
    *rows([Phase.SHUFFLING, Phase.DEALING], "leave", [Phase.SHUFFLING, Phase.GAME_OVER]),
    *rows([Phase.CHOOSING], "leave", [Phase.CHOOSING, Phase.SHUFFLING, Phase.GAME_OVER]),
    *rows([Phase.REVEALING], "leave", [Phase.REVEALING, Phase.SHUFFLING, Phase.GAME_OVER]),
    *rows([Phase.AWAITING_ROW_CHOICE], "leave", [*_AFTER_A_CARD, Phase.SHUFFLING, Phase.GAME_OVER]),
)
"""Everything that can happen to the phase of a game."""

_KNOWN = frozenset(TRANSITIONS)


@dataclass(frozen=True)
class State:
    """All that the rules of 6 nimmt! remember."""

    phase: Phase
    seats: tuple[Seat, ...]
    settings: Settings
    scores: tuple[tuple[Seat, int], ...]
    round: int = 1
    played: tuple[tuple[Seat, SlotId], ...] = ()
    left: tuple[tuple[Seat, ...], ...] = ()

    def moved(self, trigger: str, phase: Phase) -> State:
        """Return the state in its next phase; the table of transitions has to know the way."""
        require_known(_KNOWN, self.phase, trigger, phase)
        return changed(self, phase=phase)

    @property
    def chooser(self) -> Seat:
        """The seat that has to take a stack, where one has to."""
        seat, _ = self.played[0]
        return seat
