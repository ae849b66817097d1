"""Joint choices: what whoever holds the cards does about a `Choose`, and about an `Ask`.

The seats that are asked choose a slot each, at their own time and in any order. Until the last of
them has chosen, what the others have chosen is nobody's business: not the rules', not a view's.
Three things are the same for all who hold cards, and stand here:

1. Whether there is anything to choose: each zone belongs to another seat of the game, has cards,
   and its seat alone has been shown them. So the number of a slot says nothing to anybody else.
2. Whether an action chooses: it is from a seat that still owes a choice, of the kind asked for,
   and names one slot of that seat's zone. The rules are not asked.
3. What of a choice outlasts an eviction: who has chosen is bound by it if the rules ask the same
   question again at once. Nobody chooses anew after somebody else was left out.

Of seats that are asked for words (`Ask`) the same is so, but for this: what may be said is what the
rules list for one who has seen, of all hidden cards, those alone that the answer proves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from nodealer.cards import Board
from nodealer.games.api import Action, ActionKind, Choice, Notebook, illegal
from nodealer.games.base import AnyGame
from nodealer.games.effects import Ask, Choose, Effect
from nodealer.games.encoding import encode_named
from nodealer.games.turn_checks import require_form
from nodealer.games.views import Scene, view_of
from nodealer.kernel import Bug, Reason, Seat, SlotId, encode

Chosen: TypeAlias = Mapping[Seat, SlotId | Action]
"""What has been chosen or answered so far, by seat."""

NOTHING_CHOSEN: Final[Chosen] = MappingProxyType({})


def choice_of(asking: Choose | Ask, given: Collection[Seat]) -> Choice:
    """Return the choice that is due, as everybody sees it, once these seats have given theirs."""
    asked = asking.seats if isinstance(asking, Ask) else tuple(seat for seat, _ in asking.asked)
    owing = tuple(seat for seat in asked if seat not in given)
    if isinstance(asking, Ask):
        return Choice(asking.purpose, asking.default, asked, owing, asking.kinds, asking.window)
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


def require_askable(asking: Ask, game: AnyGame, seats: tuple[Seat, ...]) -> None:
    """Raise `Bug` unless seats of the game are asked for kinds of actions that it has."""
    kinds = {kind.kind: kind for kind in game.actions}
    asked = asking.seats
    if not asked or asked != tuple(sorted(set(asked))) or not set(asked) <= set(seats):
        raise _bug("seats of the game are asked, each once and in ascending order")
    if not set(asking.kinds) <= kinds.keys() or asking.default not in asking.kinds:
        raise _bug("what is asked for is among the kinds of actions, the default above all")
    if kinds[asking.default].fields or any(kinds[kind].opens for kind in asking.kinds):
        raise _bug("the default has no fields, and no answer opens a card")
    if asking.window < 0:
        raise _bug("a window lasts some seconds, or is 0")


def kind_answered(
    game: AnyGame, asking: Ask, seat: Seat, chosen: Action, before: Chosen
) -> ActionKind:
    """Return the kind of an answer, if its seat owes one and it has the form of that kind."""
    if seat not in asking.seats or seat in before:
        raise illegal(f"seat {seat} has nothing to answer")
    if chosen.kind not in asking.kinds:
        raise illegal(f"{chosen.kind!r} is not among {', '.join(asking.kinds)}")
    return require_form(game, chosen)


def require_said(
    scene: Scene[Any], asking: Ask, seat: Seat, said: Action, proven: Notebook
) -> None:
    """Raise `illegal` unless a seat may say this, from what is public and the cards it proves.

    The form was looked at before. Nobody needs the seat's own view for it: what is listed for one
    who has seen these cards alone may be said.
    """
    question = choice_of(asking, NOTHING_CHOSEN)
    view = view_of(replace(scene, underway=True, choice=question), seat, proven)
    legal = {encode(encode_named(one)) for one in scene.game.legal(view)}  # True == 1 to Python
    if encode(encode_named(said)) not in legal:
        raise illegal(f"{said.kind} cannot be said now")


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
    match before, after:
        case Choose(purpose=purpose), Choose(purpose=again) if purpose == again:
            kept = {seat: chosen[seat] for seat, _ in after.asked if seat in chosen}
            if not all(kept[seat] in board.at(zone) for seat, zone in after.asked if seat in kept):
                raise _bug("what was chosen can be chosen again")
        case Ask(purpose=purpose), Ask(purpose=again) if purpose == again:
            kept = {seat: chosen[seat] for seat in after.seats if seat in chosen}
        case _:
            return NOTHING_CHOSEN
    return MappingProxyType(kept)


def require_repeatable(
    before: Effect | None, after: Effect | None, was: Board, board: Board
) -> None:
    """Raise `Bug` if seats that are bound by a choice could not make it again.

    Where what was chosen is not public, anybody may have chosen anything.
    """
    match before, after:
        case Choose(purpose=purpose), Choose(purpose=again) if purpose == again:
            offered = {seat: was.at(zone) for seat, zone in before.asked}
            for seat, zone in after.asked:
                if not set(offered.get(seat, ())) <= set(board.at(zone)):
                    raise _bug("what was chosen can be chosen again")
        case Ask(purpose=purpose), Ask(purpose=again) if purpose == again:
            if (before.kinds, before.default) != (after.kinds, after.default):
                raise _bug("what was asked for is asked for again")
            for zone, slots in was.layout.zones.items():
                if zone.seat in after.seats and not set(slots) <= set(board.at(zone)):
                    raise _bug("what was said can be said again")
        case _:
            pass


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")
