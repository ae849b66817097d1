"""66: a game of memory, in two variants, over one deck and one engine.

The rules for players are in page.md, the precise ones with every decided point in
specs/games/66.md. This module is the game as the table knows it; the parts stand beside it:

    cards       the 52 cards, and which of them have a power
    state       what the rules remember, the states of both variants and their transitions
    turns       what a seat does in its turn, and when it may
    going_on    what follows when cards are shown or everybody has taken notice
    rounds      the deal, the end of turns and rounds, and what becomes of them when seats leave
    scoring     points
    choices     the list of all that a seat may do
    sentences   what has happened, for people
    status      how it stands, for people
    looks       how its cards are drawn
    bot         a sensible player
    milestones  what many games come to
    seed_protocol_v1, _v2   what clients of its two seeds are told, over the tables beside them:
                incidents, message_rows, request_forms

Theory of operation. Nearly all cards are hidden, also from their owners, and nothing about them is
in the state: slots lie in hands, and who has seen which is whoever holds the cards to know. So a
seat may take, exchange and show cards that it does not know. The rules learn a face when it is
discarded or when the hands are opened; of a claim they learn the verdict alone.

The two variants differ in what a seat does in which order and in the names of the states; both are
tables (`state.TRANSITIONS`, `turns.DOINGS`) over the same doings. A version is something else: what
was played by version 1 is judged and played on by `FirstSixtySix`, new tables are of version 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodealer.cards import DISCARD, STOCK, Board
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
from nodealer.games.base import AnyGame, Game
from nodealer.games.seeds import SeedProtocol
from nodealer.games.sixty_six import choices, rounds, sentences, status
from nodealer.games.sixty_six.bot import SENSIBLE_BOT
from nodealer.games.sixty_six.going_on import go_on
from nodealer.games.sixty_six.looks import LOOKS
from nodealer.games.sixty_six.milestones import MILESTONES
from nodealer.games.sixty_six.scoring import LIMIT
from nodealer.games.sixty_six.seed_protocol_v1 import SIXTY_SIX_V1
from nodealer.games.sixty_six.seed_protocol_v2 import SIXTY_SIX_V2
from nodealer.games.sixty_six.state import V1, V2, Phase, State
from nodealer.games.sixty_six.turns import DOINGS
from nodealer.kernel import Seat

LIMIT_MAX: Final = 660

VARIANT_OPTION: Final = Option(
    "variant", "claim alike cards before taking one, or after", V2, choices=(V1, V2)
)

LIMIT_OPTION: Final = Option(
    "limit", "the points beyond which the game ends", LIMIT, minimum=1, maximum=LIMIT_MAX
)

CARD: Final = ("card",)

ACTIONS: Final = (
    ActionKind("start-game", "start the game"),
    ActionKind("start-next-round", "start the next round"),
    ActionKind("take-card-from-deck", "take a card from the deck"),
    ActionKind("take-discarded-card", "take the discarded card"),
    ActionKind("pick-own-card", "pick a card of the own hand", CARD),
    ActionKind("pick-anothers-card", "pick a card of somebody else's hand", CARD),
    ActionKind("replace-card-by-discarded", "replace a card by the discarded one", CARD),
    ActionKind("replace-card-from-deck", "replace a card by the taken one", CARD),
    ActionKind("replace-cards-from-deck", "replace the shown cards by one from the deck"),
    ActionKind("replace-cards-by-discarded", "replace the shown cards by the discarded one"),
    ActionKind("show-cards", "show cards as alike", ("cards",)),
    ActionKind("discard", "discard the taken card", CARD, opens=CARD),
    ActionKind("peek-own-card", "look at a card of the own hand", CARD),
    ActionKind("peek-anothers-card", "look at a card of somebody else's hand", CARD),
    ActionKind("exchange-cards", "exchange a card with somebody else's", ("card", "other")),
    ActionKind("stop-round", "stop the round"),
)


@dataclass(frozen=True, slots=True)
class FirstSixtySix(Game[State]):
    """Version 1 of the rules of 66, whose tables all play to the same limit."""

    id: str = "66"
    version: int = 1
    title: str = "66"
    seats: tuple[int, int] = (2, 5)
    options: tuple[Option, ...] = (VARIANT_OPTION,)
    actions: tuple[ActionKind, ...] = ACTIONS
    places_matter: bool = True

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Begin a game."""
        return rounds.begin(tuple(seats), str(options["variant"]), None)

    def duty(self, state: State) -> Duty:
        """Return whose turn it is, or that the game is over."""
        if state.phase is Phase.GAME_FINISHED:
            return Over()
        return Turn(_acting(state), tuple(DOINGS[state.variant][state.phase]))

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        """Do what the seat on turn chose."""
        return DOINGS[state.variant][state.phase][chosen.kind](state, board, seat, chosen)

    resume = staticmethod(go_on)

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        """Go on without these seats."""
        return rounds.leave(state, seats, policy)

    def facts(self, state: State, board: Board, viewer: Seat | None) -> Mapping[str, Plain]:
        """Return what everybody should know beside the cards."""
        top = board.at(DISCARD)[-1:]
        return {
            "active": state.active,
            "chosen": state.chosen,
            "deck_size": len(board.at(STOCK)),
            "discarded": board.faces.get(top[0]) if top else None,
            "limit": state.limit,
            "left": tuple(seat for seats in state.left for seat in seats),
            "phase": state.phase.value,
            "points": state.points,
            "round": state.round,
            "source": state.source,
            "starter": state.starter,
            "stop_counter": state.stop_counter,
            "stopper": state.stopper,
            "totals": state.totals,
            "turn": state.turn,
            "variant": state.variant,
        }

    legal = staticmethod(choices.legal)

    def result(self, state: State) -> Standing | None:
        """Return the standing: by the totals, then those who have left, the last of them first."""
        return rounds.standing(state) if state.phase is Phase.GAME_FINISHED else None

    remark = staticmethod(status.remark)
    status = staticmethod(status.status)
    sentence = staticmethod(sentences.sentence)

    def looks(self, options: Options) -> Mapping[str, CardLook]:
        """Return how its cards are drawn."""
        return LOOKS

    def bot(self) -> Bot | None:
        """Return a sensible player."""
        return SENSIBLE_BOT

    def milestones(self) -> tuple[Milestone, ...]:
        """Return what many games come to."""
        return MILESTONES

    def seed_protocols(self) -> tuple[SeedProtocol, ...]:
        """Return how the clients of its seeds are spoken to."""
        return (SIXTY_SIX_V1, SIXTY_SIX_V2)


@dataclass(frozen=True, slots=True)
class SixtySix(FirstSixtySix):
    """The rules of 66: since version 2 a table can have another limit, which is in the state."""

    version: int = 2
    options: tuple[Option, ...] = (VARIANT_OPTION, LIMIT_OPTION)
    earlier: tuple[AnyGame, ...] = (FirstSixtySix(),)

    def setup(self, seats: Sequence[Seat], options: Options) -> Step[State]:
        """Begin a game."""
        return rounds.begin(tuple(seats), str(options["variant"]), int(options["limit"]))


SIXTY_SIX: Final = SixtySix()


def _acting(state: State) -> Seat:
    """Return who acts: between rounds the lowest seat, in the first variant who will begin."""
    if state.phase is Phase.ROUND_FINISHED and state.variant == V1:
        assert state.starter is not None, "the coin between the winners has fallen"
        return state.starter
    if state.phase in (Phase.AWAITING_START, Phase.ROUND_FINISHED):
        return state.seats[0]
    return state.on_turn
