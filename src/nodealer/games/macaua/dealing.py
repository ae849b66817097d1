"""Dealing: the first cards, and what becomes of the game when seats leave.

The first deal and a redeal are the same thing. The state says how many cards each seat is to have;
a new deck is shuffled; its first cards go to the hands in the order of the seats, the next one
becomes the start card unless there is a top card already, the rest is the stock.

    first deal   all 54 cards, five for each seat, a start card, and mostly the coin for the first
                 turn
    redeal       the cards that do not lie open on the discards; each hand as large as it was, the
                 top card, suit, challenge and turn as they were
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer.cards import DISCARD, STOCK, Board, hand
from nodealer.games.api import Event, Step, event
from nodealer.games.base import REDEAL, VOID, parted
from nodealer.games.effects import Coin, Effect, Move, NewDeck, Outcome, Show
from nodealer.games.macaua.cards import DECK
from nodealer.games.macaua.drawing import go_on
from nodealer.games.macaua.legality import Burden, Settings
from nodealer.games.macaua.state import Phase, State, turn_after
from nodealer.games.macaua.turns import over
from nodealer.kernel import Seat, changed

HAND_CARDS: Final = 5

FIRST: Final = "first"
"""The purpose of the coin for the first turn."""

POLICIES: Final = (REDEAL, VOID)


def begin(
    seats: tuple[Seat, ...],
    settings: Settings,
    left: tuple[tuple[Seat, ...], ...] = (),
    events: Sequence[Event] = (),
) -> Step[State]:
    """Deal a new game; of seats that have left it before, the order is kept."""
    falls = settings.first == "coin"
    state = State(
        phase=Phase.SHUFFLE_MASK,
        seats=seats,
        settings=settings,
        turn=None if falls else seats[0],
        hands=tuple((seat, HAND_CARDS) for seat in seats),
        left=left,
    )
    coin = Coin(FIRST, len(seats)) if falls else None
    return Step(state, (NewDeck(DECK, STOCK, coin=coin),), tuple(events))


def hand_out(state: State, board: Board, outcome: Outcome) -> Step[State]:
    """Give the shuffled cards to the hands, and a start card if there is none."""
    slots = list(outcome.slots(0))
    moves: list[Effect] = []
    shows: list[Effect] = []
    for seat, count in state.hands:
        given, slots = tuple(slots[:count]), slots[count:]
        moves.append(Move(given, hand(seat)))
        shows.append(Show(given, (seat,)))
    if not board.at(DISCARD):
        start = (slots[0],)
        moves.append(Move(start, DISCARD))
        shows.append(Show(start))
    turn = state.seats[outcome.coin(FIRST)] if state.turn is None else state.turn
    after = changed(state, turn=turn)
    return Step(after.moved("shuffled", Phase.DEAL), (*moves, *shows))


def dealt(state: State, board: Board) -> Step[State]:
    """Begin with the turns, or finish the draw that the redeal came into."""
    top = board.face(board.at(DISCARD)[-1])
    told = event("dealt", seat=state.on_turn, top=top)
    return go_on(changed(state, hands=()), board, "dealt", (), (told,))


def leave(state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
    """Go on without these seats."""
    if state.phase is Phase.OVER:
        return Step(state)
    gone, staying = parted(state.seats, seats, policy, POLICIES)
    told = event("left", seats=gone)
    left = (*state.left, gone)
    if len(staying) == 1:
        alone = changed(state.relieved(), seats=staying, suit=None, left=left)
        return over(alone, board, "leave", (), (told,))
    # Until the start card lies open there is nothing that a redeal could keep.
    if policy == VOID or not _has_top(board):
        return begin(staying, state.settings, left, (told, event("voided")))
    return _redeal(changed(state, left=left), board, staying, told)


def _redeal(state: State, board: Board, staying: tuple[Seat, ...], told: Event) -> Step[State]:
    sizes = dict(state.hands) or {seat: len(board.at(hand(seat))) for seat in staying}
    drawing = state.drawing if state.drawing and state.drawing.seat in staying else None
    passed_on, events = _passed_on(state, staying)
    after = changed(
        passed_on,
        seats=staying,
        passed=(),
        hands=tuple((seat, sizes[seat]) for seat in staying),
        drawing=drawing,
    )
    deck = NewDeck(DECK.without(board.faces.values()), STOCK, keep=board.at(DISCARD))
    return Step(
        after.moved("leave", Phase.SHUFFLE_MASK), (deck,), (told, event("redealt"), *events)
    )


def _passed_on(state: State, staying: tuple[Seat, ...]) -> tuple[State, list[Event]]:
    """Give the turn of a seat that is gone, and all that lies on it, to the next."""
    misses = {seat: count for seat, count in state.misses if seat in staying}
    if state.turn in staying:
        return changed(state, misses=tuple(sorted(misses.items()))), []
    turn, left, missing = turn_after(state.on_turn, state.seats, staying, misses)
    after = changed(state, turn=turn, misses=left)
    events = [event("missed", seat=seat) for seat in missing]
    if after.burden is not Burden.NOTHING and turn == after.challenger:
        return after.relieved(), [*events, event("lapsed", seat=turn)]
    return after, events


def _has_top(board: Board) -> bool:
    return any(slot in board.faces for slot in board.at(DISCARD)[-1:])
