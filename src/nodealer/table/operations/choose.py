"""`Choose`: the seats that are asked name a slot of their own zone each, as their players decide.

What is checked of a choice stands in `games.choosing`, and is the same on open cards.
"""

from __future__ import annotations

from typing import Final

from nodealer.deck import PUBLIC, Keyring
from nodealer.games import (
    NOTHING_CHOSEN,
    Action,
    Choose,
    Result,
    require_choosable,
    require_offered,
    slot_chosen,
)
from nodealer.kernel import Seat, SlotId
from nodealer.ledger import Owed
from nodealer.table.actions import CHOSEN, ChosenSlot
from nodealer.table.operation import (
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Stated,
    Trick,
    always,
    deck_in_use,
    every_time,
    stated,
    unchanged,
)
from nodealer.table.position import Position


def write_choice(position: Position, seat: Seat, chosen: Action) -> bytes:
    """Return what a seat that is asked has chosen, as bytes."""
    asking, board = position.program.under_way(Choose), position.board
    return CHOSEN.write(
        ChosenSlot(slot_chosen(position.game, asking, board, seat, chosen, NOTHING_CHOSEN))
    )


def _check(where: Place, seat: Seat, data: bytes) -> Stated:
    slot = CHOSEN.read(data).slot
    asking = where.position.program.under_way(Choose)
    require_offered(asking, where.position.board, seat, slot)
    return Stated(seat, where.at.step, slot)


CHOICE: Final = PartKind(
    kind="choose",
    make=None,
    check=_check,
    leaves=None,
    is_binding=True,
    doing="choose a card",
    why="",
    told="{all} each choose a card, and cannot change their minds",
)


def _begun(position: Position) -> Position:
    deck, seats = position.cards, {*position.roster, PUBLIC}

    def viewers(slot: SlotId) -> set[Seat]:
        return set(deck.slot(slot).audience) & seats

    asking = position.program.under_way(Choose)
    require_choosable(asking, position.board, viewers, position.roster)
    return position


def _owed(position: Position) -> tuple[Owed, ...]:
    asking = position.program.under_way(Choose)
    return (CHOICE.owed_by(sorted(seat for seat, _ in asking.asked), asking.purpose),)


def _chosen(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    slots = stated(parts[CHOICE.kind], int)
    asking = before.program.under_way(Choose)
    return [tuple(SlotId(slots[seat]) for seat, _ in asking.asked)]


def _other_in_zone(where: Place, keyring: Keyring, data: bytes) -> bytes | None:
    """Choose another card that could be chosen as well."""
    zone = dict(where.position.program.under_way(Choose).asked)[keyring.seat]
    chosen = CHOSEN.read(data).slot
    other = next((slot for slot in where.position.board.at(zone) if slot != chosen), None)
    return None if other is None else CHOSEN.write(ChosenSlot(other))


def _of_another(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Choose a card that does not lie with this seat."""
    zones = where.position.board.layout.zones.items()
    foreign = [slot for zone, slots in zones if zone.seat != keyring.seat for slot in slots]
    return CHOSEN.write(ChosenSlot(foreign[0]))


_NOTHING: Final = CHOSEN.write(ChosenSlot(SlotId(1 << 40)))
"""The choice of a card that is not there at all."""

OPERATION: Final = Operation(
    effect=Choose,
    steps=(
        JointStep(word="choose", parts=(CHOICE,), owed=_owed, ground=deck_in_use, take=unchanged),
    ),
    begin=_begun,
    results=_chosen,
    counted={"choice": every_time},
    lies=(
        Falsehood("foreign choice", CHOICE, Trick.INSTEAD, _of_another),
        Falsehood("choice of nothing", CHOICE, Trick.INSTEAD, always(_NOTHING)),
        Falsehood("two choices", CHOICE, Trick.TWICE, _other_in_zone),
        Falsehood("other choice", CHOICE, Trick.ANEW, _other_in_zone),
        Falsehood("silent instead of choosing", CHOICE, Trick.SILENT),
    ),
)
