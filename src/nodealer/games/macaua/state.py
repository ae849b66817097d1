"""The state of a game of Macaua, and the table of its transitions.

The state holds no cards: where they lie and which of them are open is on the board. What it holds
is what cards alone do not tell. `turn` already names the seat that will have the turn next while
cards are still being drawn for the one before.

Invariants of a state:

1. `challenge` and `skip` are never both above zero; only then is there a `challenger`, who is not
   the seat on turn.
2. `suit` is set only while the top card is an ace that somebody has played.
3. `misses` names seats with at least one turn to miss, in ascending order, never the seat on turn.
4. `drawing` is set in the phases `reshuffle` and `draw`; also while a redeal is under way that came
   in the middle of a draw.
5. `hands` is set in the phases `shuffle-mask` and `deal`: how many cards each seat is to have.
6. `cards_left` is set when the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from nodealer.games.macaua.legality import Burden, Settings
from nodealer.games.transitions import Transition, require_known, rows
from nodealer.kernel import Bug, Reason, Seat, changed


class Phase(Enum):
    """The phase of a game; `specs/games/macaua.md` draws it."""

    SHUFFLE_MASK = "shuffle-mask"
    DEAL = "deal"
    TURN = "turn"
    CHALLENGE = "challenge"
    SKIP = "skip"
    RESHUFFLE = "reshuffle"
    DRAW = "draw"
    OVER = "over"


PHASES_OF_TURN: Final = {
    Burden.NOTHING: Phase.TURN,
    Burden.CHALLENGE: Phase.CHALLENGE,
    Burden.SKIP: Phase.SKIP,
}
"""In which phase a seat has its turn, by what lies on it."""

ACTIONS_BY_PHASE: Final = {
    Phase.TURN: ("play", "draw", "pass"),
    Phase.CHALLENGE: ("play", "take"),
    Phase.SKIP: ("play", "miss"),
}
"""What a seat on turn may choose from."""

_TURNS = (Phase.TURN, Phase.CHALLENGE, Phase.SKIP)
_DRAWING = (Phase.RESHUFFLE, Phase.DRAW)


TRANSITIONS: Final = (
    Transition(None, "setup", Phase.SHUFFLE_MASK.value),
    *rows([Phase.SHUFFLE_MASK], "shuffled", [Phase.DEAL]),
    *rows([Phase.DEAL], "dealt", [*_TURNS, *_DRAWING]),
    *rows([Phase.TURN], "play", [*_TURNS, *_DRAWING, Phase.OVER]),
    *rows([Phase.TURN], "draw", _DRAWING),
    *rows([Phase.TURN], "pass", [Phase.TURN, Phase.OVER]),
    *rows([Phase.CHALLENGE], "play", [Phase.TURN, Phase.CHALLENGE, *_DRAWING, Phase.OVER]),
    *rows([Phase.CHALLENGE], "take", [Phase.TURN, *_DRAWING, Phase.OVER]),
    *rows([Phase.SKIP], "play", [Phase.TURN, Phase.SKIP, *_DRAWING, Phase.OVER]),
    *rows([Phase.SKIP], "miss", [Phase.TURN]),
    *rows([Phase.RESHUFFLE], "shuffled", [Phase.DRAW]),
    *rows([Phase.DRAW], "shown", _TURNS),
    *rows(
        [Phase.SHUFFLE_MASK, Phase.DEAL, *_TURNS, *_DRAWING],
        "leave",
        [Phase.SHUFFLE_MASK, Phase.OVER],
    ),
)
"""Everything that can happen to the phase of a game."""

_KNOWN = frozenset(TRANSITIONS)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draw under way: the seat, and how many cards it will hold in the end."""

    seat: Seat
    size: int


@dataclass(frozen=True)
class State:
    """All that the rules of Macaua remember."""

    phase: Phase
    seats: tuple[Seat, ...]
    settings: Settings
    turn: Seat | None = None
    suit: str | None = None
    challenge: int = 0
    skip: int = 0
    challenger: Seat | None = None
    misses: tuple[tuple[Seat, int], ...] = ()
    passed: tuple[Seat, ...] = ()
    hands: tuple[tuple[Seat, int], ...] = ()
    drawing: Drawing | None = None
    cards_left: tuple[tuple[Seat, int], ...] = ()
    left: tuple[tuple[Seat, ...], ...] = ()

    @property
    def burden(self) -> Burden:
        """What lies on the turn."""
        if self.challenge:
            return Burden.CHALLENGE
        return Burden.SKIP if self.skip else Burden.NOTHING

    @property
    def on_turn(self) -> Seat:
        """The seat on turn, where there is one."""
        assert self.turn is not None, "the coin has fallen"
        return self.turn

    def moved(self, trigger: str, phase: Phase) -> State:
        """Return the state in its next phase; the table of transitions has to know the way."""
        require_known(_KNOWN, self.phase, trigger, phase)
        return changed(self, phase=phase)

    def relieved(self) -> State:
        """Return the state without a challenge or skip."""
        return changed(self, challenge=0, skip=0, challenger=None)


def turn_after(
    seat: Seat, order: tuple[Seat, ...], seats: tuple[Seat, ...], misses: Mapping[Seat, int]
) -> tuple[Seat, tuple[tuple[Seat, int], ...], list[Seat]]:
    """Return who has the turn after a seat of an order, among the seats that are in the game.

    A seat that has turns to miss is passed over, which uses up one of them: behind who has the turn
    stand the misses that are left, and the seats that were passed over.
    """
    left = dict(misses)
    over: list[Seat] = []
    at = order.index(seat)
    # Each time round uses up a miss of every seat that is passed over, so this comes to an end.
    for distance in range(1, 1 + len(order) * (2 + sum(left.values()))):
        candidate = order[(at + distance) % len(order)]
        if candidate not in seats:
            continue
        if candidate not in left:
            return candidate, tuple(sorted(left.items())), over
        over.append(candidate)
        left[candidate] -= 1
        if not left[candidate]:
            del left[candidate]
    raise Bug(Reason.LOCAL_ARGUMENT, "nobody has the turn")
