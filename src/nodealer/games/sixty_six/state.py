"""The state of a game of 66, and the tables of its transitions.

There are two variants of the game, and their states have the names that the earliest descriptions
of each gave them. A few had to be added where those left a gap:

    AWAITING_START         before anything is dealt
    AWAITING_REPLACEMENT   v1: a claim was right, and its author says where the new card comes from
    AWAITING_POWER         v1: a card with a power was discarded
    ROUND_SCORING          the hands are opened, and a tie of winners is broken
    GAME_FINISHED          v2: the end

A state in which the earliest descriptions wait for acknowledgements is one in which effects are
under way here: cards are shown, or everybody takes notice. `resume` goes on from it.

Invariants of a state:

1. `active` is set from the first turn of a round until its hands are opened, never else.
2. `starter` is who begins the round, and in `ROUND_FINISHED` who begins the next one. It is None
   until the coin for it has fallen.
3. `stopper` and `stop_counter` are set together: how many turns are still to come.
4. `source` is set while a card is taken, and in v1 while cards are replaced.
5. `chosen` are places in the hand of the seat on turn, ascending: those of a claim, of cards being
   replaced, or of the card to be exchanged.
6. `points` are those of the last round, from its scoring until the next one begins.
7. `totals` has every seat of the set-up, also those that have left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final

from nodealer.games.sixty_six.cards import Power
from nodealer.games.sixty_six.scoring import LIMIT
from nodealer.games.transitions import Transition, require_known, rows
from nodealer.kernel import Seat, changed


class Phase(Enum):
    """The phase of a game."""

    AWAITING_START = "AWAITING_START"
    ROUND_STARTING = "ROUND_STARTING"
    READY_FOR_TURN = "READY_FOR_TURN"
    DECK_CARD_TAKEN = "DECK_CARD_TAKEN"
    SHOWING_CARDS = "SHOWING_CARDS"
    ROUND_STOPPING = "ROUND_STOPPING"
    ROUND_SCORING = "ROUND_SCORING"
    ROUND_FINISHED = "ROUND_FINISHED"
    GAME_FINISHED = "GAME_FINISHED"
    # of the first variant
    REPLACING_CARD_BY_DISCARDED = "REPLACING_CARD_BY_DISCARDED"
    REPLACING_CARD_FROM_DECK = "REPLACING_CARD_FROM_DECK"
    AWAITING_REPLACEMENT = "AWAITING_REPLACEMENT"
    REPLACING_MULTIPLE_CARDS_FROM_DECK = "REPLACING_MULTIPLE_CARDS_FROM_DECK"
    REPLACING_MULTIPLE_CARDS_BY_DISCARDED = "REPLACING_MULTIPLE_CARDS_BY_DISCARDED"
    DISCARDING = "DISCARDING"
    AWAITING_POWER = "AWAITING_POWER"
    PEEKING_OWN_CARD = "PEEKING_OWN_CARD"
    PEEKING_ANOTHERS_CARD = "PEEKING_ANOTHERS_CARD"
    EXCHANGING_CARDS = "EXCHANGING_CARDS"
    # of the second
    DISCARDED_CARD_TAKEN = "DISCARDED_CARD_TAKEN"
    REPLACING_CARDS = "REPLACING_CARDS"
    DISCARDING_PLAIN = "DISCARDING_PLAIN"
    DISCARDING_7_8 = "DISCARDING_7_8"
    DISCARDING_9_10 = "DISCARDING_9_10"
    DISCARDING_11_12 = "DISCARDING_11_12"
    SEEING_OWN_CARD = "SEEING_OWN_CARD"
    SEEING_ANOTHERS_CARD = "SEEING_ANOTHERS_CARD"
    PICKING_ANOTHERS_CARD_FOR_EXCHANGE = "PICKING_ANOTHERS_CARD_FOR_EXCHANGE"
    EXCHANGING_CARD = "EXCHANGING_CARD"


FROM_DECK: Final = "deck"
BY_DISCARDED: Final = "discard"


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a variant has for the states of both variants.

    `replacing` is by the source of the new card and whether it takes the place of several;
    `discarding` by the power of the discarded card.
    """

    replacing: Mapping[tuple[str, bool], Phase]
    discarding: Mapping[Power | None, Phase]
    peeking_own: Phase
    peeking_anothers: Phase
    exchanging: Phase


V1: Final = "v1"
V2: Final = "v2"

NAMES: Final[Mapping[str, Names]] = {
    V1: Names(
        replacing={
            (FROM_DECK, False): Phase.REPLACING_CARD_FROM_DECK,
            (FROM_DECK, True): Phase.REPLACING_MULTIPLE_CARDS_FROM_DECK,
            (BY_DISCARDED, False): Phase.REPLACING_CARD_BY_DISCARDED,
            (BY_DISCARDED, True): Phase.REPLACING_MULTIPLE_CARDS_BY_DISCARDED,
        },
        discarding=dict.fromkeys((None, *Power), Phase.DISCARDING),
        peeking_own=Phase.PEEKING_OWN_CARD,
        peeking_anothers=Phase.PEEKING_ANOTHERS_CARD,
        exchanging=Phase.EXCHANGING_CARDS,
    ),
    V2: Names(
        replacing=dict.fromkeys(
            product((FROM_DECK, BY_DISCARDED), (False, True)),
            Phase.REPLACING_CARDS,
        ),
        discarding={
            None: Phase.DISCARDING_PLAIN,
            Power.PEEK_OWN: Phase.DISCARDING_7_8,
            Power.PEEK_ANOTHERS: Phase.DISCARDING_9_10,
            Power.EXCHANGE: Phase.DISCARDING_11_12,
        },
        peeking_own=Phase.SEEING_OWN_CARD,
        peeking_anothers=Phase.SEEING_ANOTHERS_CARD,
        exchanging=Phase.EXCHANGING_CARD,
    ),
}


_NEXT: Final = (Phase.READY_FOR_TURN, Phase.ROUND_SCORING)
"""Where a turn leads: to the next one, or to the end of the round."""

_BEGINNING: Final = (
    Transition(None, "setup", Phase.AWAITING_START.value),
    *rows([Phase.AWAITING_START], "start-game", [Phase.ROUND_STARTING]),
    *rows([Phase.ROUND_STARTING], "shuffled", [Phase.ROUND_STARTING]),
    *rows([Phase.ROUND_STARTING], "acks", [Phase.READY_FOR_TURN]),
)

_FIRST: Final = (
    *rows([Phase.READY_FOR_TURN], "take-card-from-deck", [Phase.DECK_CARD_TAKEN]),
    *rows([Phase.READY_FOR_TURN], "replace-card-by-discarded", [Phase.REPLACING_CARD_BY_DISCARDED]),
    *rows([Phase.READY_FOR_TURN], "show-cards", [Phase.SHOWING_CARDS]),
    *rows([Phase.READY_FOR_TURN], "stop-round", [Phase.ROUND_STOPPING]),
    *rows([Phase.SHOWING_CARDS], "equal", [Phase.AWAITING_REPLACEMENT]),
    *rows([Phase.SHOWING_CARDS], "different", _NEXT),
    *rows(
        [Phase.AWAITING_REPLACEMENT],
        "replace-cards-from-deck",
        [Phase.REPLACING_MULTIPLE_CARDS_FROM_DECK],
    ),
    *rows(
        [Phase.AWAITING_REPLACEMENT],
        "replace-cards-by-discarded",
        [Phase.REPLACING_MULTIPLE_CARDS_BY_DISCARDED],
    ),
    *rows([Phase.DECK_CARD_TAKEN], "replace-card-from-deck", [Phase.REPLACING_CARD_FROM_DECK]),
    *rows([Phase.DECK_CARD_TAKEN], "discard", [Phase.DISCARDING]),
    *rows([Phase.DISCARDING], "acks", [Phase.AWAITING_POWER, *_NEXT]),
    *rows([Phase.AWAITING_POWER], "peek-own-card", [Phase.PEEKING_OWN_CARD]),
    *rows([Phase.AWAITING_POWER], "peek-anothers-card", [Phase.PEEKING_ANOTHERS_CARD]),
    *rows([Phase.AWAITING_POWER], "exchange-cards", [Phase.EXCHANGING_CARDS]),
    *rows(
        [
            Phase.REPLACING_CARD_FROM_DECK,
            Phase.REPLACING_CARD_BY_DISCARDED,
            Phase.REPLACING_MULTIPLE_CARDS_FROM_DECK,
            Phase.REPLACING_MULTIPLE_CARDS_BY_DISCARDED,
            Phase.PEEKING_OWN_CARD,
            Phase.PEEKING_ANOTHERS_CARD,
            Phase.EXCHANGING_CARDS,
        ],
        "acks",
        _NEXT,
    ),
    *rows([Phase.ROUND_STOPPING], "acks", [Phase.READY_FOR_TURN]),
    *rows([Phase.ROUND_SCORING], "opened", [Phase.GAME_FINISHED]),
)

_SECOND: Final = (
    *rows([Phase.READY_FOR_TURN], "take-card-from-deck", [Phase.DECK_CARD_TAKEN]),
    *rows([Phase.READY_FOR_TURN], "take-discarded-card", [Phase.DISCARDED_CARD_TAKEN]),
    *rows([Phase.READY_FOR_TURN], "stop-round", [Phase.ROUND_STOPPING]),
    *rows(
        [Phase.DECK_CARD_TAKEN, Phase.DISCARDED_CARD_TAKEN],
        "pick-own-card",
        [Phase.REPLACING_CARDS],
    ),
    *rows([Phase.DECK_CARD_TAKEN, Phase.DISCARDED_CARD_TAKEN], "show-cards", [Phase.SHOWING_CARDS]),
    *rows([Phase.SHOWING_CARDS], "equal", [Phase.REPLACING_CARDS]),
    *rows([Phase.SHOWING_CARDS], "different", [Phase.DISCARDING_PLAIN, *_NEXT]),
    *rows(
        [Phase.DECK_CARD_TAKEN],
        "discard",
        [
            Phase.DISCARDING_PLAIN,
            Phase.DISCARDING_7_8,
            Phase.DISCARDING_9_10,
            Phase.DISCARDING_11_12,
        ],
    ),
    *rows([Phase.DISCARDING_7_8], "pick-own-card", [Phase.SEEING_OWN_CARD]),
    *rows([Phase.DISCARDING_9_10], "pick-anothers-card", [Phase.SEEING_ANOTHERS_CARD]),
    *rows([Phase.DISCARDING_11_12], "pick-own-card", [Phase.PICKING_ANOTHERS_CARD_FOR_EXCHANGE]),
    *rows(
        [Phase.PICKING_ANOTHERS_CARD_FOR_EXCHANGE], "pick-anothers-card", [Phase.EXCHANGING_CARD]
    ),
    *rows(
        [
            Phase.REPLACING_CARDS,
            Phase.DISCARDING_PLAIN,
            Phase.SEEING_OWN_CARD,
            Phase.SEEING_ANOTHERS_CARD,
            Phase.EXCHANGING_CARD,
        ],
        "acks",
        _NEXT,
    ),
    *rows([Phase.ROUND_STOPPING], "acks", [Phase.READY_FOR_TURN]),
    *rows([Phase.ROUND_FINISHED], "acks", [Phase.GAME_FINISHED]),
)

_ENDING: Final = (
    *rows([Phase.ROUND_SCORING], "opened", [Phase.ROUND_SCORING, Phase.ROUND_FINISHED]),
    *rows([Phase.ROUND_SCORING], "tossed", [Phase.ROUND_FINISHED]),
    *rows([Phase.ROUND_FINISHED], "start-next-round", [Phase.ROUND_STARTING]),
)


def _with_leaving(table: tuple[Transition, ...]) -> tuple[Transition, ...]:
    """Return a table with what happens where seats leave: anywhere but at the end."""
    sources = {Phase(row.target) for row in table} - {Phase.GAME_FINISHED}
    special = {
        Phase.AWAITING_START: (Phase.AWAITING_START,),
        Phase.ROUND_SCORING: (Phase.ROUND_STARTING, Phase.ROUND_SCORING, Phase.ROUND_FINISHED),
        Phase.ROUND_FINISHED: (Phase.ROUND_SCORING, Phase.ROUND_FINISHED),
    }
    leaving = [
        row
        for phase in Phase
        if phase in sources
        for row in rows(
            [phase], "leave", [*special.get(phase, (Phase.ROUND_STARTING,)), Phase.GAME_FINISHED]
        )
    ]
    return (*table, *leaving)


TRANSITIONS: Final[Mapping[str, tuple[Transition, ...]]] = {
    V1: _with_leaving((*_BEGINNING, *_FIRST, *_ENDING)),
    V2: _with_leaving((*_BEGINNING, *_SECOND, *_ENDING)),
}
"""Everything that can happen to the phase of a game, by variant."""

_KNOWN: Final = {variant: frozenset(table) for variant, table in TRANSITIONS.items()}


@dataclass(frozen=True)
class State:
    """All that the rules of 66 remember."""

    phase: Phase
    variant: str
    seats: tuple[Seat, ...]
    totals: tuple[tuple[Seat, int], ...]
    round: int = 0
    turn: int = 0
    active: Seat | None = None
    starter: Seat | None = None
    stopper: Seat | None = None
    stop_counter: int | None = None
    source: str | None = None
    chosen: tuple[int, ...] = ()
    points: tuple[tuple[Seat, int], ...] = ()
    left: tuple[tuple[Seat, ...], ...] = ()

    @property
    def names(self) -> Names:
        """What the variant calls its states."""
        return NAMES[self.variant]

    @property
    def on_turn(self) -> Seat:
        """The seat whose turn it is, where there is one."""
        assert self.active is not None, "a round is under way"
        return self.active

    def moved(self, trigger: str, phase: Phase) -> State:
        """Return the state in its next phase; the table of transitions has to know the way."""
        require_known(_KNOWN[self.variant], self.phase, trigger, phase)
        return changed(self, phase=phase)

    @property
    def limit(self) -> int:
        """The points beyond which the game ends: in version 1 always the same."""
        return LIMIT


@dataclass(frozen=True)
class LimitedState(State):
    """All that the rules remember since version 2, in which a table says what its limit is."""

    limit: int = LIMIT


def next_seat(seat: Seat, order: tuple[Seat, ...], seats: tuple[Seat, ...]) -> Seat:
    """Return who comes after a seat in an order, among those that are in the game."""
    at = order.index(seat)
    return next(one for one in (*order[at + 1 :], *order[: at + 1]) if one in seats)
