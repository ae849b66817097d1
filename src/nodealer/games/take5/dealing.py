"""Rounds: the deal, the end of a round and of the game, and what becomes of it when seats leave.

Every round has a new deck. Its cards go to the seats one at a time, in their order, until everybody
has as many as there are turns; the next four begin the stacks; the rest is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from nodealer.cards import STOCK, Board, Zone, hand
from nodealer.games.api import Event, Step, event
from nodealer.games.base import CONTINUE, VOID, parted
from nodealer.games.effects import Choose, Effect, Move, NewDeck, Outcome, Show
from nodealer.games.take5.placing import OUT, place, taken
from nodealer.games.take5.settings import STACK_NAMES, Settings
from nodealer.games.take5.stacks import stack
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import Seat, SlotId, changed

POLICIES: Final = (CONTINUE, VOID)

PLAYED: Final = Zone("played")
"""Where the cards of a turn lie until they are placed."""

CARD: Final = "card"
"""The purpose of the choice of every turn."""


def begin(seats: tuple[Seat, ...], settings: Settings) -> Step[State]:
    """Begin the first round."""
    scores = tuple((seat, 0) for seat in seats)
    return _shuffled(State(Phase.SHUFFLING, seats, settings, scores))


def hand_out(state: State, outcome: Outcome) -> Step[State]:
    """Give the shuffled cards to the seats and to the stacks."""
    slots = outcome.slots(0)
    held = len(state.seats) * state.settings.turn_count
    moves: list[Effect] = []
    shows: list[Effect] = []
    for index, seat in enumerate(state.seats):
        given = slots[index : held : len(state.seats)]
        moves.append(Move(given, hand(seat)))
        shows.append(Show(given, (seat,)))
    starts = slots[held : held + len(STACK_NAMES)]
    moves += [Move((slot,), stack(name)) for name, slot in zip(STACK_NAMES, starts, strict=True)]
    return Step(state.moved("shuffled", Phase.DEALING), (*moves, *shows, Show(starts)))


def dealt(state: State, board: Board) -> Step[State]:
    """Begin with the first turn."""
    starts = tuple(board.face(board.at(stack(name))[0]) for name in STACK_NAMES)
    told = event("dealt", round=state.round, cards=starts)
    return choose(state.moved("dealt", Phase.CHOOSING), told)


def choose(state: State, *told: Event, effects: Sequence[Effect] = ()) -> Step[State]:
    """Let everybody choose a card."""
    asking = Choose(CARD, "play", tuple(hand(seat) for seat in state.seats))
    return Step(state, (*effects, asking), told)


def reveal(state: State, outcome: Outcome) -> Step[State]:
    """Open what everybody has chosen."""
    slots = outcome.slots(-1)
    played = tuple(zip(state.seats, slots, strict=True))
    after = changed(state, played=played).moved("chosen", Phase.REVEALING)
    return Step(after, (Move(slots, PLAYED), Show(slots)))


def go_on(state: State, board: Board) -> Step[State]:
    """Place the next card of the turn; after the last one begin a turn, or end the round."""
    if state.played:
        return place(state, board, "placed")
    if any(board.at(hand(seat)) for seat in state.seats):
        return choose(state.moved("placed", Phase.CHOOSING))
    return _ended(state.moved("placed", Phase.ROUND_END), board)


def totals(state: State, board: Board) -> tuple[tuple[Seat, int], ...]:
    """Return the scores with what was taken in the present round."""
    # Between two rounds, what was taken in the last one still lies there, and is counted or void.
    if state.phase in (Phase.SHUFFLING, Phase.GAME_OVER):
        return state.scores
    worth = state.settings.worth
    return tuple((seat, score + worth(board.faces_at(taken(seat)))) for seat, score in state.scores)


def turn_of(state: State, board: Board) -> int:
    """Return which turn of the round it is, or 0 while cards are dealt."""
    if state.phase in (Phase.SHUFFLING, Phase.DEALING):
        return 0
    held = len(board.at(hand(state.seats[0])))
    return state.settings.turn_count - held + (state.phase is Phase.CHOOSING)


def leave(state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
    """Go on without these seats."""
    if state.phase is Phase.GAME_OVER:
        return Step(state)
    gone, staying = parted(state.seats, seats, policy, POLICIES)
    told = event("left", seats=gone)
    after = changed(state, seats=staying, left=(*state.left, gone))
    # Until the last card of the deal is shown there is nothing to continue.
    is_void = policy == VOID or state.phase in (Phase.SHUFFLING, Phase.DEALING)
    if len(staying) == 1:
        scores = state.scores if is_void else totals(state, board)
        return _over(changed(after, scores=scores, played=()), "leave", told)
    if is_void:
        again = changed(after, played=()).moved("leave", Phase.SHUFFLING)
        return _shuffled(again, told, event("voided"))
    return _continued(after, board, gone, told)


def _continued(state: State, board: Board, gone: Sequence[Seat], told: Event) -> Step[State]:
    """Go on with the cards as they lie; what those who have left still hold is out."""
    held = tuple(slot for seat in gone for slot in board.at(hand(seat)))
    if state.phase is Phase.CHOOSING:
        return choose(state.moved("leave", Phase.CHOOSING), told, effects=_out(held))
    if state.phase is Phase.REVEALING:
        closed = tuple(slot for seat, slot in state.played if seat in gone)
        played = tuple((seat, slot) for seat, slot in state.played if seat not in gone)
        shown = Show(tuple(slot for _, slot in played))
        after = changed(state, played=played).moved("leave", Phase.REVEALING)
        return Step(after, (*_out((*held, *closed)), shown), (told,))
    if state.chooser not in gone:
        return Step(state.moved("leave", Phase.AWAITING_ROW_CHOICE), _out(held), (told,))
    step = place(state, board, "leave", told)
    return replace(step, effects=(*_out(held), *step.effects))


def _out(slots: tuple[SlotId, ...]) -> tuple[Effect, ...]:
    return (Move(slots, OUT),) if slots else ()


def _shuffled(state: State, *told: Event) -> Step[State]:
    return Step(state, (NewDeck(state.settings.deck, STOCK),), told)


def _ended(state: State, board: Board) -> Step[State]:
    """Count what was taken, and begin another round unless the game is over."""
    counted = changed(state, scores=totals(state, board))
    seats = tuple(seat for seat, _ in counted.scores)
    told = event(
        "standings",
        round=state.round,
        seats=seats,
        scores=tuple(score for _, score in counted.scores),
        left=tuple(seat for seat in seats if seat not in state.seats),
    )
    in_game = [score for seat, score in counted.scores if seat in state.seats]
    is_reached = max(in_game) >= state.settings.win_score
    is_tied = in_game.count(min(in_game)) > 1
    if state.round == state.settings.max_rounds or (is_reached and not is_tied):
        return _over(counted, "won", told)
    tied = (event("tied", seats=_lowest(counted)),) if is_reached else ()
    again = changed(counted.moved("again", Phase.SHUFFLING), round=state.round + 1)
    return _shuffled(again, told, *tied)


def _over(state: State, trigger: str, *told: Event) -> Step[State]:
    winners = _lowest(state)
    score = dict(state.scores)[winners[0]]
    won = event("won", seats=winners, score=score)
    return Step(state.moved(trigger, Phase.GAME_OVER), events=(*told, won))


def _lowest(state: State) -> tuple[Seat, ...]:
    """Return the seats in the game that have the fewest bull heads."""
    scores = dict(state.scores)
    least = min(scores[seat] for seat in state.seats)
    return tuple(seat for seat in state.seats if scores[seat] == least)
