"""Placing the cards of a turn, from the lowest to the highest, each over what the last has left.

One card is one step: it moves, and what it takes moves; then the rules are asked to go on. So every
placement finds on the board what all those before have left of the stacks. It halts only where
somebody has to choose a stack.

A card whose seat has left while it waited is placed like any other, and may take a full stack. Only
where it would have to choose there is nobody to do so, and it is taken out of the game.
"""

from __future__ import annotations

from nodealer.cards import Board, Zone
from nodealer.games.api import Action, Event, Step, event, illegal
from nodealer.games.effects import Effect, Move
from nodealer.games.take5.settings import STACK_NAMES
from nodealer.games.take5.stacks import Stacks, stack, stack_for
from nodealer.games.take5.state import Phase, State
from nodealer.kernel import Seat, SlotId, changed

OUT = Zone("out")
"""Where cards lie that nobody plays with any more: those of seats that have left."""


def taken(seat: Seat) -> Zone:
    """Return where what a seat has taken in this round lies."""
    return Zone("taken", seat)


def stacks_on(board: Board) -> Stacks:
    """Return the faces of the stacks."""
    return {name: board.faces_at(stack(name)) for name in STACK_NAMES}


def revealed(state: State, board: Board) -> Step[State]:
    """Begin to place what everybody has played, now that it is open."""
    played = tuple(sorted(state.played, key=lambda entry: int(board.face(entry[1]))))
    told = event(
        "played",
        seats=tuple(seat for seat, _ in played),
        cards=tuple(board.face(slot) for _, slot in played),
    )
    return place(changed(state, played=played), board, "revealed", told)


def place(state: State, board: Board, trigger: str, *told: Event) -> Step[State]:
    """Place the lowest of the cards that wait, or let its player choose a stack."""
    (seat, slot), *_ = state.played
    face = board.face(slot)
    name = stack_for(face, stacks_on(board))
    if name is not None:
        return _laid(state.moved(trigger, Phase.PLACING), board, name, told)
    if seat not in state.seats:
        dropped = event("dropped", seat=seat, card=face)
        after = changed(state.moved(trigger, Phase.PLACING), played=state.played[1:])
        return Step(after, (Move((slot,), OUT),), (*told, dropped))
    below = event("below", seat=seat, card=face)
    return Step(state.moved(trigger, Phase.AWAITING_ROW_CHOICE), events=(*told, below))


def take(state: State, board: Board, chosen: Action) -> Step[State]:
    """Take the stack that the player has chosen."""
    name = chosen.get("stack")
    if not isinstance(name, str) or name not in STACK_NAMES:
        raise illegal(f"the stacks are {', '.join(STACK_NAMES)}")
    return _taking(state.moved("take", Phase.PLACING), board, name, ())


def _laid(state: State, board: Board, name: str, told: tuple[Event, ...]) -> Step[State]:
    lying = board.at(stack(name))
    if len(lying) >= state.settings.stack_size:
        return _taking(state, board, name, told)
    (seat, slot), *rest = state.played
    placed = event("placed", seat=seat, card=board.face(slot), stack=name)
    return Step(changed(state, played=tuple(rest)), _onto(name, slot), (*told, placed))


def _taking(state: State, board: Board, name: str, told: tuple[Event, ...]) -> Step[State]:
    (seat, slot), *rest = state.played
    lying = board.at(stack(name))
    faces = board.faces_at(stack(name))
    took = event(
        "taken",
        seat=seat,
        card=board.face(slot),
        stack=name,
        cards=faces,
        bulls=state.settings.worth(faces),
    )
    moves = (Move(lying, taken(seat)), *_onto(name, slot))
    return Step(changed(state, played=tuple(rest)), moves, (*told, took))


def _onto(name: str, slot: SlotId) -> tuple[Effect, ...]:
    return (Move((slot,), stack(name)),)
