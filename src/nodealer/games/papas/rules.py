"""Papas: gather golden potatoes by trios and tricks, and say no to the tricks of others.

The rules for players are in page.md, the precise ones with every decided point in
specs/games/papas.md. This module is the game as the table knows it; the parts stand beside it:

    agreed      the options of a table
    cards       the 103 cards, their values, and what is a trio
    state       what the rules remember, and the table of transitions
    course      a transition in the making
    turns       the flow of turns: drawing, the end of a turn and of the game
    resolving   what a card does that nobody has cancelled
    reactions   the window in which others say no
    deeds       what a seat does in its turn
    dealing     the first deal, and what becomes of the game when seats leave
    choices     the list of all that a seat may do
    sentences   what has happened, for people
    status      how it stands, for people
    looks       how its cards are drawn
    milestones  what many games come to
    bot         a sensible player

Theory of operation. A game moves between phases (`state.TRANSITIONS`), which bear the names and
numbers of the seed. In 2, 25, 26, 28 and 30 the seat whose turn it is acts. In 20 others are asked
(`effects.Ask`): nobody has the turn, and the rules see the answers when all are there. In 27 cards
change hands without being seen, each step of it proven by who holds them.

No rule asks for a hidden card. What must be shown is shown with what it is needed for: a card that
is played is opened, one that is said in the window is proven and stays closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.cards import Board
from nodealer.games.api import (
    Action,
    ActionKind,
    Bot,
    CardLook,
    Duty,
    Event,
    Milestone,
    Option,
    Options,
    Over,
    Plain,
    Standing,
    Step,
    Turn,
    View,
)
from nodealer.games.base import Game, ranked
from nodealer.games.effects import Outcome
from nodealer.games.papas import choices, dealing, reactions, resolving, sentences, status, turns
from nodealer.games.papas.agreed import OPTIONS, Settings
from nodealer.games.papas.bot import SENSIBLE_BOT
from nodealer.games.papas.course import Course
from nodealer.games.papas.deeds import DEEDS
from nodealer.games.papas.looks import LOOKS
from nodealer.games.papas.milestones import MILESTONES
from nodealer.games.papas.state import ACTIONS_BY_PHASE, Phase, State
from nodealer.kernel import Seat

ACTIONS: Final = (
    ActionKind("play-card", "play a card", fields=("card",), opens=("card",)),
    ActionKind("play-threesome", "play a trio", fields=("cards",), opens=("cards",)),
    ActionKind("end-turn", "end the turn"),
    ActionKind("discard-and-draw", "change the last card", fields=("card",), opens=("card",)),
    ActionKind("select-targets", "say at whom it is aimed", fields=("seats",)),
    ActionKind("select-card", "name the position of a card", fields=("card",)),
    ActionKind("select-card-name", "name a card", fields=("name",)),
    ActionKind("discard-card", "discard a card", fields=("card",), opens=("card",)),
    ActionKind("no-poh", "say no poh", fields=("card",), proves=("card",)),
    ActionKind("te-dije-que-no-poh", "say te dije que no poh", fields=("card",), proves=("card",)),
    ActionKind("skip-reaction", "say nothing"),
)

RESUMING: Final[Mapping[Phase, resolving.Resuming]] = MappingProxyType(
    {
        Phase.REACTION: reactions.closed,
        Phase.CARD_SELECTION: resolving.selecting,
        Phase.ACTION_RESOLUTION: resolving.go_on,
    }
)
"""How it goes on after what was asked of the cards in a phase, where nobody is drawing."""


@dataclass(frozen=True, slots=True)
class Papas(Game[State]):
    """The rules of Papas."""

    id: str = "papas"
    version: int = 1
    title: str = "Papas"
    seats: tuple[int, int] = (2, 6)
    options: tuple[Option, ...] = OPTIONS
    policies: tuple[str, ...] = dealing.POLICIES
    actions: tuple[ActionKind, ...] = ACTIONS

    def longest_window(self, options: Options) -> int:
        """Return the seconds that others have to say no to a play."""
        return Settings.of(options).window

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Begin a game."""
        threshold = dealing.THRESHOLDS[len(seats)]
        return dealing.begin(tuple(seats), Settings.of(options), threshold)

    def duty(self, state: State) -> Duty:
        """Return whose turn it is, or that the game is over."""
        if state.phase is Phase.GAME_END:
            return Over()
        return Turn(state.on_turn, ACTIONS_BY_PHASE[state.phase])

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Do what the seat on turn chose; what is said in the window the rules get as a result."""
        return DEEDS[chosen.kind](Course(state, board), chosen)

    def resume(self, state: State, board: Board, outcome: Outcome) -> Step[State]:
        """Go on after the effects of the last step."""
        course = Course(state, board)
        if state.phase is Phase.DEALING:
            return dealing.go_on(course, outcome)
        if state.drawing is not None:
            return turns.draw_further(course, outcome)
        resuming = RESUMING.get(state.phase)
        # Elsewhere cards have been moved, that was all.
        return Step(state) if resuming is None else resuming(course, outcome)

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Go on without these seats."""
        return dealing.leave(state, board, seats, policy)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what everybody should know beside the cards."""
        play = state.playing
        return {
            "direction": state.direction,
            "golden": state.golden,
            "is_fresh": state.is_fresh,
            "left": tuple(seat for gone in state.left for seat in gone),
            "max_turns": state.settings.max_turns,
            "one_card": state.settings.one_card,
            "phase": state.phase.value,
            "playing": () if play is None else play.faces,
            "said": () if play is None else play.said,
            "seen": state.seen,
            "skipped": state.skipped,
            "targets": () if play is None else play.targets,
            "threshold": state.threshold,
            "turn": state.turn,
            "turns": state.turns,
            "window": state.settings.window,
        }

    def legal(self, view: View) -> tuple[Action, ...]:
        """Return all that the viewer may do now."""
        return choices.legal(view)

    def result(self, state: State) -> Standing | None:
        """Return the standing: by golden potatoes, then those who have left, the last first."""
        if state.phase is not Phase.GAME_END:
            return None
        golden = dict(state.golden)
        return Standing(ranked(golden, state.left, lambda seat: -golden[seat]), golden)

    def status(self, view: View, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Say for people how it stands."""
        return status.status(view, names)

    def remark(self, view: View, word: str) -> str:
        """Say of a card what value it has, and whether it is an alarm card."""
        return status.remark(word)

    def sentence(self, happened: Event, names: Mapping[Seat, str]) -> str:
        """Say for people what has happened."""
        return sentences.sentence(happened, names)

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Return how its cards are drawn."""
        return LOOKS

    def bot(self) -> Bot | None:
        """Return a sensible player."""
        return SENSIBLE_BOT

    def milestones(self) -> tuple[Milestone, ...]:
        """Return what many games come to."""
        return MILESTONES


PAPAS: Final = Papas()
"""The fourth game."""
