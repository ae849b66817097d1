"""The next step when the cards of one are shown, or everybody has taken notice.

Most of the states in which the table is busy end the turn. A claim is decided here, and here a
discarded card turns out to have a power.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from nodealer.cards import DISCARD, Board
from nodealer.games.api import Step, event
from nodealer.games.effects import Move, Outcome, Show
from nodealer.games.sixty_six.cards import POWERS
from nodealer.games.sixty_six.rounds import (
    go_on_finished,
    go_on_scoring,
    go_on_starting,
    turn_done,
)
from nodealer.games.sixty_six.state import FROM_DECK, V1, Phase, State
from nodealer.games.sixty_six.turns import replaced, taken

GoingOn: TypeAlias = Callable[[State, Board, Outcome], Step[State]]


def go_on(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Go on after the effects of a step."""
    return _GOING_ON[state.phase](state, board, outcome)


def _wait(state: State, board: Board, outcome: Outcome) -> Step[State]:  # noqa: ARG001 - every one
    """Let the seat on turn act."""
    return Step(state)


def _done(state: State, board: Board, outcome: Outcome) -> Step[State]:  # noqa: ARG001 - every one
    return turn_done(state, board, "acks")


def _replaced(state: State, board: Board, outcome: Outcome) -> Step[State]:  # noqa: ARG001 - every one
    told = event(
        "replaced",
        seat=state.on_turn,
        places=state.chosen,
        source=state.source,
        face=_discarded(board),
    )
    return turn_done(state, board, "acks", (told,))


def _shown(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Decide a claim. A card taken from the deck for a false one is discarded as a plain card."""
    is_right, seat = outcome.verdict(1), state.on_turn
    told = event("compared", seat=seat, places=state.chosen, equal=is_right)
    if is_right and state.variant == V1:
        return Step(state.moved("equal", Phase.AWAITING_REPLACEMENT), (), (told,))
    if is_right:
        step = replaced(state, board, "equal")
        return replace(step, events=(told,))
    if state.source != FROM_DECK:
        return turn_done(state, board, "different", (told,))
    card = board.at(taken(seat))
    after = state.moved("different", Phase.DISCARDING_PLAIN)
    return Step(after, (Move(card, DISCARD), Show(card)), (told,))


def _discarding(state: State, board: Board, outcome: Outcome) -> Step[State]:
    if _discarded(board) in POWERS:
        return Step(state.moved("acks", Phase.AWAITING_POWER))
    return _done(state, board, outcome)


def _discarding_plain(state: State, board: Board, outcome: Outcome) -> Step[State]:
    if not state.chosen:
        return _done(state, board, outcome)
    # After a false claim the card was hidden until now.
    told = event("discarded", seat=state.on_turn, face=_discarded(board))
    return turn_done(state, board, "acks", (told,))


def _discarded(board: Board) -> str:
    return board.face(board.at(DISCARD)[-1])


_GOING_ON: Final[Mapping[Phase, GoingOn]] = {
    Phase.ROUND_STARTING: go_on_starting,
    Phase.DECK_CARD_TAKEN: _wait,
    Phase.SHOWING_CARDS: _shown,
    Phase.ROUND_STOPPING: _done,
    Phase.ROUND_SCORING: go_on_scoring,
    Phase.ROUND_FINISHED: go_on_finished,
    Phase.REPLACING_CARD_FROM_DECK: _replaced,
    Phase.REPLACING_CARD_BY_DISCARDED: _replaced,
    Phase.REPLACING_MULTIPLE_CARDS_FROM_DECK: _replaced,
    Phase.REPLACING_MULTIPLE_CARDS_BY_DISCARDED: _replaced,
    Phase.REPLACING_CARDS: _replaced,
    Phase.DISCARDING: _discarding,
    Phase.DISCARDING_PLAIN: _discarding_plain,
    Phase.DISCARDING_7_8: _wait,
    Phase.DISCARDING_9_10: _wait,
    Phase.DISCARDING_11_12: _wait,
    Phase.PEEKING_OWN_CARD: _done,
    Phase.PEEKING_ANOTHERS_CARD: _done,
    Phase.EXCHANGING_CARDS: _done,
    Phase.SEEING_OWN_CARD: _done,
    Phase.SEEING_ANOTHERS_CARD: _done,
    Phase.EXCHANGING_CARD: _done,
}
"""What follows, by the state in which the table was busy."""
