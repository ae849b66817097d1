"""Drawing cards, with the reshuffle of the discards whenever the stock is too short for it.

The discards but for the top card go behind what is left of the stock before the first card is
taken, so the seat gets the same cards as if it drew until the stock was empty and then went on.
"""

from __future__ import annotations

from collections.abc import Iterable

from nodealer.cards import DISCARD, STOCK, Board, hand
from nodealer.games.api import Event, Step, event
from nodealer.games.effects import Effect, Move, Reshuffle, Show
from nodealer.games.macaua.state import PHASES_OF_TURN, Drawing, Phase, State
from nodealer.kernel import Seat, changed

CALL_PENALTY = 5
"""Cards for whoever forgets to say "macaua"."""


def available(board: Board) -> int:
    """Return how many cards can be drawn: the stock, and the discards but for the top card."""
    return len(board.at(STOCK)) + max(len(board.at(DISCARD)) - 1, 0)


def drawn(state: State, board: Board, seat: Seat, count: int, why: str) -> tuple[State, Event]:
    """Return the state in which a seat is about to draw that many cards, or as many as there are.

    There is at least one. After a play that is always so: the card that was covered.
    """
    possible = min(count, available(board))
    assert possible > 0, "there is a card to draw"
    drawing = Drawing(seat, len(board.at(hand(seat))) + possible)
    told = event("drew", seat=seat, count=possible, why=why)
    return changed(state, drawing=drawing), told


def missing(state: State, board: Board) -> int:
    """Return how many cards are still to be drawn."""
    drawing = state.drawing
    return drawing.size - len(board.at(hand(drawing.seat))) if drawing else 0


def go_on(
    state: State,
    board: Board,
    trigger: str,
    effects: Iterable[Effect] = (),
    events: Iterable[Event] = (),
) -> Step[State]:
    """Go on with the draw under way, or with the next turn if there is nothing to draw."""
    count = missing(state, board)
    if state.drawing is None or not count:
        ready = changed(state, drawing=None).moved(trigger, PHASES_OF_TURN[state.burden])
        return Step(ready, tuple(effects), tuple(events))
    stock, seat = board.at(STOCK), state.drawing.seat
    if count > len(stock):
        back = Reshuffle(board.at(DISCARD)[:-1], STOCK)
        return Step(state.moved(trigger, Phase.RESHUFFLE), (*effects, back), tuple(events))
    taken = stock[:count]
    return Step(
        state.moved(trigger, Phase.DRAW),
        (*effects, Move(taken, hand(seat)), Show(taken, (seat,))),
        tuple(events),
    )
