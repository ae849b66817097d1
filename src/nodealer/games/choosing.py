"""Joint choices: what whoever holds the cards does about a `Choose`, at the table and elsewhere.

The seats that are asked choose a slot each, at their own time and in any order. Until the last of
them has chosen, what the others have chosen is nobody's business: not the rules', not a view's.
Three things are the same for all who hold cards, and stand here:

1. Whether there is anything to choose: each zone belongs to another seat of the game, has cards,
   and its seat alone has been shown them. So the number of a slot says nothing to anybody else.
2. Whether an action chooses: it is from a seat that still owes a choice, of the kind asked for,
   and names one slot of that seat's zone. The rules are not asked.
3. What of a choice outlasts an eviction: who has chosen is bound by it if the rules ask the same
   question again at once. Nobody chooses anew after somebody else was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer.cards import Board
from nodealer.games.api import Action, Choice, illegal
from nodealer.games.base import AnyGame
from nodealer.games.effects import Choose, Effect
from nodealer.games.turn_checks import require_form
from nodealer.kernel import Bug, Reason, Seat, SlotId

Chosen: TypeAlias = Mapping[Seat, SlotId]
"""What has been chosen so far, by seat."""

NOTHING_CHOSEN: Final[Chosen] = MappingProxyType({})


def choice_of(asking: Choose, chosen: Chosen) -> Choice:
    """Return the choice that is due, as everybody sees it."""
    asked = tuple(seat for seat, _ in asking.asked)
    owing = tuple(seat for seat in asked if seat not in chosen)
    return Choice(asking.purpose, asking.kind, asked, owing)


def require_choosable(
    asking: Choose, board: Board, viewers: Callable[[SlotId], set[Seat]], seats: tuple[Seat, ...]
) -> None:
    """Raise `Bug` unless each zone has cards that one seat of the game, another each time, knows.

    `viewers` tells who of the seats in the game has been shown a slot.
    """
    asked = asking.asked
    owners = {seat for seat, _ in asked}
    if not asked or len(owners) != len(asking.zones) or not owners <= set(seats):
        raise _bug("seats of the game are asked to choose, each once and from a zone of its own")
    for seat, zone in asked:
        slots = board.at(zone)
        if not slots:
            raise _bug("there is something to choose from")
        if not all(slot not in board.faces and viewers(slot) == {seat} for slot in slots):
            raise _bug("who chooses a card knows it, and nobody else does")


def slot_chosen(
    game: AnyGame, asking: Choose, board: Board, seat: Seat, chosen: Action, before: Chosen
) -> SlotId:
    """Return the slot that an action chooses, if its seat owes a choice and this is one."""
    zones = dict(asking.asked)
    if seat not in zones or seat in before:
        raise illegal(f"seat {seat} has nothing to choose")
    if chosen.kind != asking.kind:
        raise illegal(f"{chosen.kind!r} is not {asking.kind}")
    kind = require_form(game, chosen)
    slots = chosen.slots(kind.fields[0])
    if len(slots) != 1 or chosen.get(kind.fields[0]) != slots:
        raise illegal("one card of the own zone is chosen")
    require_offered(asking, board, seat, slots[0])
    return slots[0]


def require_offered(asking: Choose, board: Board, seat: Seat, slot: SlotId) -> None:
    """Raise `illegal` unless a slot is among those of which a seat is to choose one."""
    if slot not in board.at(dict(asking.asked)[seat]):
        raise illegal("one card of the own zone is chosen")


def still_bound(
    before: Effect | None, after: Effect | None, chosen: Chosen, board: Board
) -> Chosen:
    """Return what of the choices stays when seats have left in the middle of them."""
    if not isinstance(before, Choose) or not isinstance(after, Choose):
        return NOTHING_CHOSEN
    if before.purpose != after.purpose:
        return NOTHING_CHOSEN
    kept = {seat: chosen[seat] for seat, _ in after.asked if seat in chosen}
    if not all(kept[seat] in board.at(zone) for seat, zone in after.asked if seat in kept):
        raise _bug("what was chosen can be chosen again")
    return MappingProxyType(kept)


def require_repeatable(
    before: Effect | None, after: Effect | None, was: Board, board: Board
) -> None:
    """Raise `Bug` if seats that are bound by a choice could not make it again.

    Where what was chosen is not public, anybody may have chosen anything.
    """
    if not isinstance(before, Choose) or not isinstance(after, Choose):
        return
    if before.purpose == after.purpose:
        offered = {seat: was.at(zone) for seat, zone in before.asked}
        for seat, zone in after.asked:
            if not set(offered.get(seat, ())) <= set(board.at(zone)):
                raise _bug("what was chosen can be chosen again")


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")
