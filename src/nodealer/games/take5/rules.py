"""6 nimmt!: whoever lays the sixth card takes the five that lie there.

The rules for players are in page.md, the precise ones with every decided point in
specs/games/take5.md. This module is the game as the table knows it; the parts stand beside it:

    settings    the options of a table, the deck and its bull heads
    stacks      where a card goes: questions about faces alone
    state       what the rules remember, and the table of transitions
    dealing     rounds: the deal, their end, and what becomes of the game when seats leave
    placing     the cards of a turn, one after the other
    choices     the list of all that a seat may do
    sentences   what has happened, for people
    status      how it stands, for people
    looks       how its cards are drawn
    bot         a sensible player
    milestones  what many games come to
    seed_protocol   what clients of its seed are told

Theory of operation. A round is a deal and so many turns. In a turn everybody chooses a card,
hidden from all others (`effects.Choose`); when all have chosen the cards are opened at once and
placed from the lowest to the highest. The only action that a seat authors alone is to take a stack,
where its card is lower than all of them. No key is ever released for an action: after the deal
everybody sees its own cards, and a card that was chosen is opened by its owner alone. So play can
go on with the cards as they lie when a seat leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from nodealer.cards import Board
from nodealer.games.api import (
    Action,
    ActionKind,
    Bot,
    CardLook,
    Duty,
    Milestone,
    Option,
    Options,
    Over,
    Plain,
    Standing,
    Step,
    Turn,
)
from nodealer.games.base import Game, ranked
from nodealer.games.effects import Outcome
from nodealer.games.seeds import SeedProtocol
from nodealer.games.take5 import choices, dealing, placing, sentences, status
from nodealer.games.take5.bot import SENSIBLE_BOT
from nodealer.games.take5.looks import looks_of
from nodealer.games.take5.milestones import MILESTONES
from nodealer.games.take5.seed_protocol import TAKE5_PROTOCOL
from nodealer.games.take5.settings import OPTIONS, Settings, require_settings
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import Seat

ACTIONS: Final = (
    ActionKind("play", "play a card, hidden until all have chosen", fields=("card",)),
    ActionKind("take", "take a stack", fields=("stack",)),
)


@dataclass(frozen=True, slots=True)
class Take5(Game[State]):
    """The rules of 6 nimmt!."""

    id: str = "take5"
    version: int = 1
    title: str = "6 nimmt!"
    seats: tuple[int, int] = (2, 10)
    options: tuple[Option, ...] = OPTIONS
    policies: tuple[str, ...] = dealing.POLICIES
    actions: tuple[ActionKind, ...] = ACTIONS

    def check_options(self, seats: int, options: Options) -> None:
        """Refuse a deck that is too small, and bull heads that contradict one another."""
        require_settings(seats, Settings.of(options))

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Begin a game."""
        return dealing.begin(tuple(seats), Settings.of(options))

    def duty(self, state: State) -> Duty:
        """Return who has to take a stack, or that the game is over; nothing else is a turn."""
        if state.phase is Phase.GAME_OVER:
            return Over()
        return Turn(state.chooser, ("take",))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Take a stack; cards are played by choosing them, which the rules do not see."""
        return placing.take(state, board, chosen)

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Go on after the effects of the last step."""
        match state.phase:
            case Phase.SHUFFLING:
                return dealing.hand_out(state, outcome)
            case Phase.DEALING:
                return dealing.dealt(state, board)
            case Phase.CHOOSING:
                return dealing.reveal(state, outcome)
            case Phase.REVEALING:
                return placing.revealed(state, board)
            case Phase.PLACING:
                return dealing.go_on(state, board)
            case Phase.AWAITING_ROW_CHOICE | Phase.ROUND_END | Phase.GAME_OVER:
                return Step(state)  # cards have been moved, that was all
        assert_never(state.phase)

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Go on without these seats."""
        return dealing.leave(state, board, seats, policy)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what everybody should know beside the cards."""
        return {
            "bulls": state.settings.heads,
            "left": tuple(seat for gone in state.left for seat in gone),
            "options": state.settings.pairs,
            "phase": state.phase.value,
            "round": state.round,
            "scores": dealing.totals(state, board),
            "turn": dealing.turn_of(state, board),
            "waiting": tuple(
                (seat, board.face(slot)) for seat, slot in state.played if slot in board.faces
            ),
        }

    legal = staticmethod(choices.legal)

    def result(self, state: State) -> Standing | None:
        """Return the standing: by bull heads, then those who have left, the last of them first."""
        if state.phase is not Phase.GAME_OVER:
            return None
        scores = dict(state.scores)
        return Standing(ranked(state.seats, state.left, scores.__getitem__), scores)

    remark = staticmethod(status.remark)
    status = staticmethod(status.status)
    sentence = staticmethod(sentences.sentence)

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Return how its cards are drawn."""
        return looks_of(Settings.of(options))

    def bot(self) -> Bot | None:
        """Return a sensible player."""
        return SENSIBLE_BOT

    def milestones(self) -> tuple[Milestone, ...]:
        """Return what many games come to."""
        return MILESTONES

    def seed_protocols(self) -> tuple[SeedProtocol, ...]:
        """Return how the clients of its seeds are spoken to."""
        return (TAKE5_PROTOCOL,)


TAKE5: Final = Take5()
