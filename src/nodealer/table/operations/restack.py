"""`Restack`: seats shuffle a zone of their own each, with a proof, so that nobody follows a card.

All restacks of an effect are one step, made over one deck: the new slots of a seat are numbered
behind those of the lower ones. What is to be named or drawn in a restacked zone is asked for in a
later step, when the order is in the history already.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer import deck as ops
from nodealer.cards import Zone
from nodealer.deck import Deck, Keyring
from nodealer.games import Restack, Result
from nodealer.kernel import Bug, Reason, Seat, changed
from nodealer.ledger import Owed
from nodealer.table.operation import (
    Checked,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Trick,
    bent,
    deck_in_use,
    every_time,
    vetted,
    written,
)
from nodealer.table.position import Position


def _zone(where: Place, seat: Seat) -> Zone:
    return next(
        zone for zone in where.position.program.under_way(Restack).zones if zone.seat == seat
    )


def _behind(where: Place, seat: Seat) -> int:
    """Return how many slots lower seats make in the same step."""
    zones = where.position.program.under_way(Restack).zones
    lower = [zone for zone in zones if zone.seat is not None and zone.seat < seat]
    return sum(len(where.ground.layout.at(zone)) for zone in lower)


def _make(where: Place, keyring: Keyring) -> bytes:
    seat = keyring.seat
    zone, behind = _zone(where, seat), _behind(where, seat)
    part = ops.make_restack(where.ground, keyring, where.at, zone, behind=behind)
    return written(keyring, part)


def _check(where: Place, seat: Seat, data: bytes) -> Checked:
    part = ops.deck_messages(where.ground.group).read(data, ops.RestackPart)
    zone, behind = _zone(where, seat), _behind(where, seat)
    return ops.check_restack(where.ground, where.at, seat, zone, part, behind=behind)


RESTACK: Final = PartKind(
    kind="restack",
    make=_make,
    check=_check,
    leaves=None,
    is_binding=False,
    doing="shuffle their own cards",
    why="Nobody can tell any more which of the cards is which.",
    told="{all} shuffle their own cards, so that nobody can follow one",
)


def _begun(position: Position) -> Position:
    zones, deck = position.program.under_way(Restack).zones, position.cards
    seats = {zone.seat for zone in zones}
    if not zones or len(seats) != len(zones) or not seats <= set(position.roster):
        raise _bug("seats of the game restack a zone of their own each")
    for zone in zones:
        slots = deck.layout.at(zone)
        if not slots:
            raise _bug("a zone that is restacked has cards")
        for slot in slots:
            assert zone.seat is not None, "it is a seat of the roster"
            deck.slot(slot).sole_layer(zone.seat)
    return position


def _owed(position: Position) -> tuple[Owed, ...]:
    zones = position.program.under_way(Restack).zones
    return (RESTACK.owed_by(sorted(zone.seat for zone in zones if zone.seat is not None)),)


def _take(position: Position, ground: Deck | None, parts: Parts) -> Position:
    assert ground is not None, "the cards are of a deck"
    return changed(position, deck=ops.take_restacks(ground, vetted(parts[RESTACK.kind])))


def _made(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    zones = before.program.under_way(Restack).zones
    return [tuple(slot for zone in zones for slot in after.board.at(zone))]


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")


def _exchanged(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Put a card in the place of the first that was never in the hand."""
    part = ops.deck_messages(keyring.group).read(data, ops.RestackPart)
    first, *rest = part.cards
    other = first._replace(M=first.M + keyring.group.generator)
    return written(keyring, replace(part, cards=(other, *rest)))


OPERATION: Final = Operation(
    effect=Restack,
    steps=(
        JointStep(word="restack", parts=(RESTACK,), owed=_owed, ground=deck_in_use, take=_take),
    ),
    begin=_begun,
    results=_made,
    counted={"restack": every_time},
    lies=(
        Falsehood("exchanged card", RESTACK, Trick.INSTEAD, _exchanged),
        Falsehood("bad restack", RESTACK, Trick.INSTEAD, bent),
        Falsehood("silent instead of restacking", RESTACK, Trick.SILENT),
    ),
)
