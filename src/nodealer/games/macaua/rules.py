"""Macaua: shed your cards by suit or rank, and challenge the next to draw.

The rules for players are in page.md, the precise ones with every decided point in
specs/games/macaua.md. This module is the game as the table knows it; the parts stand beside it:

    cards       the 54 cards and their names
    legality    which cards may be played: questions about faces alone
    state       what the rules remember, and the table of transitions
    turns       what a seat does in its turn
    drawing     drawing cards, and the reshuffle in the middle of it
    dealing     the first deal, and what becomes of the game when seats leave
    choices     the list of all that a seat may do
    sentences   what has happened, for people
    status      how it stands, for people
    looks       how its cards are drawn
    bot         a sensible player

Theory of operation. A game moves between phases (`state.TRANSITIONS`). In the phases `turn`,
`challenge` and `skip` a seat acts; the phase only says what lies on its turn. In the others the
table is busy with cards, and `resume` goes on when it has finished. Every action is judged by the
faces that it opens: nobody ever has to show that he cannot play, because drawing is always allowed.
So no rule asks for a hidden card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, assert_never

from nodealer.cards import Board
from nodealer.games.api import (
    Action,
    ActionKind,
    Bot,
    CardLook,
    Duty,
    Option,
    Options,
    Over,
    Plain,
    Standing,
    Step,
    Turn,
    event,
)
from nodealer.games.base import Game, ranked
from nodealer.games.effects import Outcome
from nodealer.games.macaua import choices, dealing, sentences, status
from nodealer.games.macaua.bot import SENSIBLE_BOT
from nodealer.games.macaua.drawing import available, go_on
from nodealer.games.macaua.legality import Settings
from nodealer.games.macaua.looks import LOOKS
from nodealer.games.macaua.state import ACTIONS_BY_PHASE, Phase, State
from nodealer.games.macaua.turns import DOINGS
from nodealer.kernel import Seat

OPTIONS: Final = (
    Option("first", "who has the first turn", "coin", choices=("coin", "host")),
    Option("free_counter", "a counter need not match suit or rank", default=False),
    Option("four_skips", "a 4 makes the next player miss a turn", default=False),
    Option("red_joker_ten", "the red joker challenges to draw 10 cards", default=False),
    Option("seven_stops", "a 7 that matches stops a challenge", default=False),
    Option("call", 'forgetting to say "macaua" costs 5 cards', default=False),
)

ACTIONS: Final = (
    ActionKind("play", "play cards", fields=("cards", "macaua", "suit"), opens=("cards",)),
    ActionKind("draw", "draw a card"),
    ActionKind("take", "take the cards of the challenge"),
    ActionKind("pass", "pass"),
    ActionKind("miss", "miss the turn"),
)


@dataclass(frozen=True, slots=True)
class Macaua(Game[State]):
    """The rules of Macaua."""

    id: str = "macaua"
    version: int = 1
    title: str = "Macaua"
    seats: tuple[int, int] = (2, 10)
    options: tuple[Option, ...] = OPTIONS
    policies: tuple[str, ...] = dealing.POLICIES
    actions: tuple[ActionKind, ...] = ACTIONS

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Begin a game."""
        return dealing.begin(tuple(seats), Settings.of(options))

    def duty(self, state: State) -> Duty:
        """Return whose turn it is, or that the game is over."""
        if state.phase is Phase.OVER:
            return Over()
        return Turn(state.on_turn, ACTIONS_BY_PHASE[state.phase])

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Do what the seat on turn chose."""
        return DOINGS[chosen.kind](state, board, seat, chosen)

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Go on after the effects of the last step."""
        match state.phase:
            case Phase.SHUFFLE_MASK:
                return dealing.hand_out(state, board, outcome)
            case Phase.DEAL:
                return dealing.dealt(state, board)
            case Phase.RESHUFFLE:
                # The last of the effects; the cards of a play may have been moved before it.
                told = event("reshuffled", count=len(outcome.slots(-1)))
                return go_on(state, board, "shuffled", (), (told,))
            case Phase.DRAW:
                return go_on(state, board, "shown")
            case Phase.TURN | Phase.CHALLENGE | Phase.SKIP | Phase.OVER:
                return Step(state)  # cards have been moved, that was all
        assert_never(state.phase)

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Go on without these seats."""
        return dealing.leave(state, board, seats, policy)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what everybody should know beside the cards."""
        return {
            "available": available(board),
            "burden": state.burden.value,
            "challenge": state.challenge,
            "challenger": state.challenger,
            "misses": state.misses,
            "options": tuple(sorted(asdict(state.settings).items())),
            "passed": state.passed,
            "penalty": min(state.challenge, available(board)),
            "phase": state.phase.value,
            "skip": state.skip,
            "suit": state.suit,
        }

    legal = staticmethod(choices.legal)

    def result(self, state: State) -> Standing | None:
        """Return the standing: by cards left, then those who have left, the last of them first."""
        if state.phase is not Phase.OVER:
            return None
        cards_left = dict(state.cards_left)
        return Standing(ranked(cards_left, state.left, cards_left.__getitem__))

    status = staticmethod(status.status)
    sentence = staticmethod(sentences.sentence)

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Return how its cards are drawn."""
        return LOOKS

    def bot(self) -> Bot | None:
        """Return a sensible player."""
        return SENSIBLE_BOT


MACAUA: Final = Macaua()
