"""The checks of an action by whoever holds the cards, before the rules see it.

The rules decide whether an action is allowed. Before that, three things are the same for all
games, and their checks stand here so that the table and the plain dealer refuse alike:

1. It is the seat's turn, with an action of this kind.
2. The action has exactly the fields of its kind, with plain values.
3. The cards that it opens are the seat's own: each lies in one of its zones, none is named twice.

That the seat knows the cards which it opens is shown by opening them.
"""

from __future__ import annotations

from collections.abc import Sequence

from nodealer.cards import Board
from nodealer.games.api import Action, ActionKind, Turn, illegal
from nodealer.games.base import AnyGame
from nodealer.games.encoding import is_plain
from nodealer.kernel import Seat, SlotId


def require_turn(game: AnyGame, state: object, seat: Seat, chosen: Action) -> ActionKind:
    """Return the kind of an action, if it is the seat's turn and the action has the right form."""
    duty = game.duty(state)
    if not isinstance(duty, Turn) or duty.seat != seat:
        raise illegal(f"it is not the turn of seat {seat}")
    if chosen.kind not in duty.kinds:
        raise illegal(f"{chosen.kind!r} is not among {', '.join(duty.kinds)}")
    return require_form(game, chosen)


def require_form(game: AnyGame, chosen: Action) -> ActionKind:
    """Return the kind of an action, if it has the fields of that kind, with plain values."""
    kind = next(kind for kind in game.actions if kind.kind == chosen.kind)
    names = tuple(name for name, _ in chosen.fields)
    if names != tuple(sorted(kind.fields)):
        raise illegal(f"{chosen.kind} has the fields {', '.join(sorted(kind.fields)) or 'none'}")
    if not all(is_plain(value) for _, value in chosen.fields):
        raise illegal(f"{chosen.kind} with a value that is not plain")
    return kind


def opened_by(kind: ActionKind, board: Board, seat: Seat, chosen: Action) -> tuple[SlotId, ...]:
    """Return the slots that an action opens, in its order; all of them are its author's."""
    return _hidden(kind.opens, board, seat, chosen)


def proven_by(kind: ActionKind, board: Board, seat: Seat, chosen: Action) -> tuple[SlotId, ...]:
    """Return the slots that an answer proves, in its order; all of them are its author's."""
    return _hidden(kind.proves, board, seat, chosen)


def _hidden(names: Sequence[str], board: Board, seat: Seat, chosen: Action) -> tuple[SlotId, ...]:
    named = [slot for name in names for slot in _slots(chosen, name)]
    if len(set(named)) != len(named):
        raise illegal("a card is named twice")
    own = {
        slot for zone, slots in board.layout.zones.items() if zone.seat == seat for slot in slots
    }
    if not own.issuperset(named):
        raise illegal("a card is not the seat's own")
    return tuple(slot for slot in named if slot not in board.faces)


def _slots(chosen: Action, name: str) -> tuple[SlotId, ...]:
    value = chosen.get(name)
    slots = chosen.slots(name)
    if value is not None and value != slots:
        raise illegal(f"{name} names no cards")
    return slots
