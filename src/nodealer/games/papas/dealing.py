"""Dealing: the first cards, and what becomes of the game when seats leave; state 10.

The first deal and a redeal are the same thing. The state says how many cards each seat is to have;
a new deck is shuffled; its first cards go to the hands in the order of the seats, the rest is the
stock.

    first deal   all 103 cards, five for each seat, and the coin for the first turn
    redeal       the cards that do not lie open on the discards, each hand as large as it was;
                 golden potatoes, direction, mark and turn as they were
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer.cards import DISCARD, STOCK, Board, hand
from nodealer.games.api import Event, Step, event
from nodealer.games.base import REDEAL, VOID, parted
from nodealer.games.effects import Coin, Effect, NewDeck, Outcome, Show
from nodealer.games.papas import turns
from nodealer.games.papas.agreed import Settings
from nodealer.games.papas.cards import DECK
from nodealer.games.papas.course import Course
from nodealer.games.papas.state import Phase, State
from nodealer.kernel import Seat, changed

HAND_CARDS: Final = 5

FIRST: Final = "first"
"""The purpose of the coin for the first turn."""

POLICIES: Final = (REDEAL, VOID)

THRESHOLDS: Final = {2: 8, 3: 8, 4: 6, 5: 6, 6: 5}
"""The golden potatoes that end the game, by the number of seats."""


def begin(
    seats: tuple[Seat, ...],
    settings: Settings,
    threshold: int,
    left: tuple[tuple[Seat, ...], ...] = (),
    events: Sequence[Event] = (),
) -> Step[State]:
    """Deal a new game; of seats that have left it before, the order is kept."""
    state = State(
        phase=Phase.DEALING,
        seats=seats,
        settings=settings,
        threshold=threshold,
        golden=tuple((seat, 0) for seat in seats),
        hands=tuple((seat, HAND_CARDS) for seat in seats),
        left=left,
    )
    deck = NewDeck(DECK, STOCK, coin=Coin(FIRST, len(seats)))
    return Step(state, (deck,), tuple(events))


def go_on(course: Course, outcome: Outcome) -> Step[State]:
    """Give out the shuffled cards; when all see theirs, begin."""
    return _hand_out(course, outcome) if course.state.hands else _dealt(course)


def leave(state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
    """Go on without these seats."""
    if state.phase is Phase.GAME_END:
        return Step(state)
    gone, staying = parted(state.seats, seats, policy, POLICIES)
    told, left = event("left", seats=gone), (*state.left, gone)
    golden = tuple((seat, count) for seat, count in state.golden if seat in staying)
    if len(staying) == 1:
        alone = changed(
            state.moved("leave", Phase.GAME_END), seats=staying, golden=golden, left=left
        )
        won = event("won", seats=staying, golden=alone.has(staying[0]), why="alone")
        return Step(alone, (), (told, won))
    if policy == VOID or state.turn is None:
        return begin(staying, state.settings, state.threshold, left, (told, event("voided")))
    after = changed(_without(state, staying), golden=golden, left=left)
    return _redealt(changed(after, hands=_sizes(state, board, staying)), board, told)


def _hand_out(course: Course, outcome: Outcome) -> Step[State]:
    state, slots = course.state, list(outcome.slots(0))
    turn = state.seats[outcome.coin(FIRST)] if state.turn is None else state.turn
    after = course.becoming(changed(state, turn=turn, hands=())).on("shuffled")
    shows: list[Effect] = []
    for seat, count in state.hands:
        given, slots = tuple(slots[:count]), slots[count:]
        after = after.moved(given, hand(seat))
        shows.append(Show(given, (seat,)))
    return after.step(*shows)


def _dealt(course: Course) -> Step[State]:
    """Go on with the turn, or with its end if the redeal came into that."""
    hands = tuple((seat, course.hand_of(seat)) for seat in course.state.seats)
    told = course.told("dealt", seat=course.state.on_turn, hands=hands)
    if not course.state.has_drawn:
        return turns.enter(told.to("dealt", Phase.PLAYER_TURN))
    ending = told.to("dealt", Phase.NEXT_PLAYER)
    return turns.next_player(ending) if course.state.drawing is None else turns.draw_on(ending)


def _redealt(state: State, board: Board, told: Event) -> Step[State]:
    """Shuffle all but the discards; if no card lies elsewhere, also these."""
    open_discards = tuple(slot for slot in board.at(DISCARD) if slot in board.faces)
    keep = open_discards if len(open_discards) < len(DECK.faces) else ()
    deck = NewDeck(DECK.without(board.face(slot) for slot in keep), STOCK, keep=keep)
    return Step(state.moved("leave", Phase.DEALING), (deck,), (told, event("redealt")))


def _without(state: State, staying: tuple[Seat, ...]) -> State:
    """Return the state in which a play is dropped, and a leaver's turn is that of the next seat.

    A draw that is no card's goes on.
    """
    drawing = None if state.phase is Phase.ACTION_RESOLUTION else state.drawing
    after = changed(
        state,
        seats=staying,
        turn=state.next_seat(staying),
        skipped=state.skipped if state.skipped in staying else None,
        playing=None,
        seen=(),
    )
    if state.turn not in staying:
        return changed(after, is_fresh=True, has_drawn=False, drawing=None)
    is_fresh = state.is_fresh and state.playing is None
    return changed(after, turn=state.turn, is_fresh=is_fresh, drawing=drawing)


def _sizes(state: State, board: Board, staying: tuple[Seat, ...]) -> tuple[tuple[Seat, int], ...]:
    """Return how many cards each seat is to have: as many as it had.

    A hand that was being discarded, and is not open yet, is no discard: it goes back.
    """
    if state.hands:
        return tuple((seat, count) for seat, count in state.hands if seat in staying)
    hidden = sum(slot not in board.faces for slot in board.at(DISCARD))
    owner = state.play.target if hidden else None
    return tuple((seat, len(board.at(hand(seat))) + hidden * (seat == owner)) for seat in staying)
