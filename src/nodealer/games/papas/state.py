"""The state of a game of Papas, and the table of its transitions.

The state holds no cards: where they lie and which of them are open is on the board. A play that is
not done yet is in it by its faces, because its cards lie in the discards already.

Invariants of a state:

1. `playing` is set from the moment a card or a trio is played until it is paid, carried out,
   cancelled or dropped: in the phases 25, 20, 26, 28 and 27.
2. `drawing` is set while somebody draws; also while a redeal is under way that came in the middle
   of a draw that has to go on.
3. `has_drawn` is set from the moment the draw that ends the turn begins, or another one that does;
   with it the turn is over but for the discards.
4. `hands` is set in the phase 10 until the new deck is shuffled: how many cards each seat is to
   have.
5. `skipped` is a seat of the game, not the one whose turn it is.
6. `golden` has the seats of the game, ascending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from nodealer.games.papas.agreed import Settings
from nodealer.games.transitions import Transition, require_known, rows
from nodealer.kernel import Seat, SlotId, changed


class Phase(Enum):
    """The state that a game is in, by its name and number; `specs/games/papas.md` draws them."""

    DEALING = "Dealing-10"
    PLAYER_TURN = "PlayerTurn-2"
    REACTION = "ReactionPhase-20"
    TARGET_SELECTION = "TargetSelection-25"
    CARD_SELECTION = "CardSelection-26"
    ACTION_RESOLUTION = "ActionResolution-27"
    CARD_NAME_SELECTION = "CardNameSelection-28"
    DISCARD = "DiscardPhase-30"
    NEXT_PLAYER = "NextPlayer-90"
    END_SCORE = "EndScore-98"
    GAME_END = "GameEnd-99"


ACTIONS_BY_PHASE: Final = {
    Phase.PLAYER_TURN: ("play-card", "play-threesome", "end-turn", "discard-and-draw"),
    Phase.TARGET_SELECTION: ("select-targets",),
    Phase.CARD_SELECTION: ("select-card",),
    Phase.CARD_NAME_SELECTION: ("select-card-name",),
    Phase.DISCARD: ("discard-card",),
}
"""What the seat whose turn it is may choose from."""

_UNCONTESTED = (Phase.CARD_SELECTION, Phase.CARD_NAME_SELECTION, Phase.ACTION_RESOLUTION)
_RESOLVING = (Phase.ACTION_RESOLUTION,)
_AFTER = (Phase.PLAYER_TURN, Phase.NEXT_PLAYER)
_DRAWING = (Phase.PLAYER_TURN, Phase.ACTION_RESOLUTION, Phase.NEXT_PLAYER)

IN_RESOLUTION: Final = ("runaway", "restacked", "coin", "destiny", "exchange", "claimed")
"""What happens in 27 without leaving it, for which cards are asked for something."""

TRANSITIONS: Final = (
    Transition(None, "setup", Phase.DEALING.value),
    *rows([Phase.DEALING], "shuffled", [Phase.DEALING]),
    *rows([Phase.DEALING], "dealt", [Phase.PLAYER_TURN, Phase.NEXT_PLAYER]),
    *rows([Phase.PLAYER_TURN], "play", [Phase.TARGET_SELECTION, Phase.REACTION]),
    *rows([Phase.TARGET_SELECTION], "targets", [Phase.REACTION]),
    *rows([Phase.REACTION], "interrupted", [Phase.REACTION]),
    *rows([Phase.REACTION], "cancelled", [Phase.PLAYER_TURN]),
    *rows([Phase.REACTION], "uncontested", _UNCONTESTED),
    *rows([Phase.REACTION], "paid", _AFTER),
    *rows([Phase.CARD_SELECTION], "restacked", [Phase.CARD_SELECTION]),
    *rows([Phase.CARD_SELECTION], "card", [Phase.ACTION_RESOLUTION]),
    *rows([Phase.CARD_NAME_SELECTION], "name", [Phase.ACTION_RESOLUTION]),
    *(row for word in IN_RESOLUTION for row in rows(_RESOLVING, word, _RESOLVING)),
    *rows(_RESOLVING, "resolved", _AFTER),
    *(Transition(one.value, word, one.value) for one in _DRAWING for word in ("draw", "reshuffle")),
    *rows([Phase.PLAYER_TURN], "drawn", [Phase.NEXT_PLAYER]),
    *rows([Phase.PLAYER_TURN], "end-turn", [Phase.NEXT_PLAYER]),
    *rows([Phase.NEXT_PLAYER], "surplus", [Phase.DISCARD]),
    *rows([Phase.DISCARD], "discard", [Phase.DISCARD]),
    *rows([Phase.DISCARD], "discarded", [Phase.NEXT_PLAYER]),
    *rows([Phase.NEXT_PLAYER], "next", [Phase.PLAYER_TURN]),
    *rows([Phase.NEXT_PLAYER], "won", [Phase.END_SCORE]),
    *rows([Phase.END_SCORE], "scored", [Phase.GAME_END]),
    *rows(
        [
            Phase.DEALING,
            Phase.PLAYER_TURN,
            Phase.TARGET_SELECTION,
            Phase.REACTION,
            *_UNCONTESTED,
            Phase.DISCARD,
            Phase.NEXT_PLAYER,
        ],
        "leave",
        [Phase.DEALING, Phase.GAME_END],
    ),
)
"""Everything that can happen to the phase of a game."""

_KNOWN = frozenset(TRANSITIONS)


@dataclass(frozen=True)
class Play:
    """The card or trio that was played and is not done yet.

    `said` are the interrupts that count, each against the one before it. `stage` is how many of
    its effects are done in the phases 26 and 27; `name` is the card that was named, `slots` are the
    cards of a hand that is discarded.
    """

    faces: tuple[str, ...]
    targets: tuple[Seat, ...] = ()
    said: tuple[tuple[Seat, str], ...] = ()
    stage: int = 0
    name: str | None = None
    slots: tuple[SlotId, ...] = ()

    @property
    def face(self) -> str:
        """The card that was played alone."""
        (face,) = self.faces
        return face

    @property
    def is_trio(self) -> bool:
        """Whether three cards were played."""
        return len(self.faces) > 1

    @property
    def target(self) -> Seat:
        """The one seat that it is aimed at."""
        (target,) = self.targets
        return target

    @property
    def against(self) -> tuple[str, ...]:
        """The cards that an interrupt would answer now: those played, or the last interrupt."""
        return (self.said[-1][1],) if self.said else self.faces


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw under way: the seat, and how many cards it is still to take."""

    seat: Seat
    count: int


@dataclass(frozen=True)
class State:
    """All that the rules of Papas remember."""

    phase: Phase
    seats: tuple[Seat, ...]
    settings: Settings
    threshold: int
    golden: tuple[tuple[Seat, int], ...]
    turn: Seat | None = None
    turns: int = 1
    direction: int = 1
    skipped: Seat | None = None
    is_fresh: bool = True
    has_drawn: bool = False
    playing: Play | None = None
    drawing: Draw | None = None
    seen: tuple[Seat, ...] = ()
    hands: tuple[tuple[Seat, int], ...] = ()
    left: tuple[tuple[Seat, ...], ...] = ()

    @property
    def on_turn(self) -> Seat:
        """The seat whose turn it is."""
        assert self.turn is not None, "the coin has fallen"
        return self.turn

    @property
    def play(self) -> Play:
        """The play that is under way, where one is."""
        assert self.playing is not None, "something was played"
        return self.playing

    def moved(self, trigger: str, phase: Phase) -> State:
        """Return the state in its next phase; the table of transitions has to know the way."""
        require_known(_KNOWN, self.phase, trigger, phase)
        return changed(self, phase=phase)

    def has(self, seat: Seat) -> int:
        """Return how many golden potatoes a seat has."""
        return dict(self.golden)[seat]

    def gained(self, seat: Seat, count: int) -> State:
        """Return the state in which a seat has so many more golden potatoes."""
        golden = tuple((one, had + count * (one == seat)) for one, had in self.golden)
        return changed(self, golden=golden)

    def looked_into(self, hands: Sequence[Seat], *, known: bool) -> State:
        """Return the state in which somebody else knows cards of these hands, or nobody does."""
        seen = {*self.seen, *hands} if known else {*self.seen} - {*hands}
        return changed(self, seen=tuple(sorted(seen)))

    def next_seat(self, staying: Sequence[Seat]) -> Seat:
        """Return which of these seats has the turn next; one that is to be skipped has it not."""
        coming = (*seats_after(self.on_turn, self.seats, self.direction), self.on_turn)
        return next(seat for seat in coming if seat in staying and seat != self.skipped)


def seats_after(seat: Seat, order: tuple[Seat, ...], direction: int) -> tuple[Seat, ...]:
    """Return the other seats of an order, the nearest after a seat in a direction first."""
    at = order.index(seat)
    return tuple(order[(at + direction * step) % len(order)] for step in range(1, len(order)))
