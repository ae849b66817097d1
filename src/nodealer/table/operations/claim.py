"""`Claim`: a seat proves that a card of its zone has a face, or that none of them has it.

Only the seat knows which of the two it will be, so its part is either: a *held* card, by its slot,
with the proof of its face; or the proof of absence over the whole zone. The layer of a card that is
proven stays closed. Where a card of the zone is proven already, nobody has to say anything. Of
several equal cards the seat takes one by its secrets, so that its place tells nothing of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer import deck as ops
from nodealer.cards import Zone
from nodealer.deck import Deck, Keyring
from nodealer.games import Claim, Result
from nodealer.kernel import Bug, PeerError, Reason, Seat, SlotId, changed
from nodealer.ledger import Owed
from nodealer.table.actions import HELD, HeldCard
from nodealer.table.operation import (
    Checked,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Stated,
    Trick,
    bent,
    deck_in_use,
    vetted,
    written,
)
from nodealer.table.position import Position
from nodealer.wire import peek_kind

KINDS: Final = (HELD.kind, "deck/absent")
"""A card that is held, or that there is none."""


def _asked(position: Position) -> tuple[Zone, str]:
    claim = position.program.under_way(Claim)
    return claim.zone, claim.face


def _make(where: Place, keyring: Keyring) -> bytes:
    deck, (zone, face) = where.ground, _asked(where.position)
    having = [slot for slot in deck.layout.at(zone) if ops.see(deck, keyring, slot) == face]
    if not having:
        return written(keyring, ops.make_absent(deck, keyring, where.at, zone, face))
    row = keyring.randomness("claim", where.at, deck.epoch, face, list(having))
    slot = having[row.permutation(len(having))[0]]
    proof = written(keyring, ops.make_face(deck, keyring, where.at, slot, face))
    return HELD.write(HeldCard(slot, proof))


def _check(where: Place, seat: Seat, data: bytes) -> Checked:
    deck, messages = where.ground, ops.deck_messages(where.ground.group)
    zone, face = _asked(where.position)
    if peek_kind(data, KINDS) != HELD.kind:
        absent = messages.read(data, ops.AbsentPart)
        ops.check_absent(deck, where.at, seat, zone, face, absent)
        return Stated(seat, where.at.step, value=False)
    held = HELD.read(data)
    if held.slot not in deck.layout.at(zone):
        raise PeerError(Reason.DECK_ZONE, f"slot {held.slot} does not lie in {zone.name}")
    part = messages.read(held.proof, ops.FacePart)
    return ops.check_face(deck, where.at, seat, held.slot, face, part)


CLAIM: Final = PartKind(
    kind="claim",
    make=_make,
    check=_check,
    leaves=None,
    is_binding=False,
    doing="say whether they hold a card",
    why="",
    told="{all} proves to all whether a hand has the card that was asked for",
)


def _begun(position: Position) -> Position:
    (zone, face), deck = _asked(position), position.cards
    slots = deck.layout.at(zone)
    if zone.seat not in position.roster or not slots:
        raise Bug(Reason.LOCAL_ARGUMENT, "not so: a seat of the game has cards there")
    for slot in slots:
        deck.slot(slot).sole_layer(zone.seat)
    deck.faces.point(face)
    return position


def _proven(position: Position) -> SlotId | None:
    """Return the first card of the zone that is known to all to have the face."""
    (zone, face), board = _asked(position), position.board
    return next((slot for slot in board.at(zone) if board.faces.get(slot) == face), None)


def _owed(position: Position) -> tuple[Owed, ...]:
    zone, _ = _asked(position)
    if _proven(position) is not None or zone.seat is None:
        return ()
    return (CLAIM.owed_by((zone.seat,)),)


def _take(position: Position, ground: Deck | None, parts: Parts) -> Position:
    assert ground is not None, "the cards are of a deck"
    return changed(position, deck=ops.take_face(ground, *vetted(parts[CLAIM.kind])))


def _claimed(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    if not parts:
        return [_proven(before)]
    found: list[SlotId] = [one.part.number for one in vetted(parts[CLAIM.kind])]
    return [found[0] if found else None]


def _is_held(position: Position, given: Sequence[bytes]) -> bool:  # noqa: ARG001 - every count
    return peek_kind(given[0], KINDS) == HELD.kind


def _is_denied(position: Position, given: Sequence[bytes]) -> bool:
    return not _is_held(position, given)


def _contrary(where: Place, keyring: Keyring, data: bytes) -> bytes:
    """Deny the card that is held, or claim one that is not, with the proof of the other."""
    deck, messages = where.ground, ops.deck_messages(keyring.group)
    slots = deck.layout.at(_asked(where.position)[0])
    if peek_kind(data, KINDS) != HELD.kind:
        proof = messages.read(data, ops.AbsentPart).proof
        return HELD.write(HeldCard(slots[0], written(keyring, ops.FacePart(proof))))
    shown = messages.read(HELD.read(data).proof, ops.FacePart)
    differences = tuple(deck.slot(slot).N for slot in slots)
    return written(keyring, ops.AbsentPart(differences, shown.proof))


OPERATION: Final = Operation(
    effect=Claim,
    steps=(JointStep(word="claim", parts=(CLAIM,), owed=_owed, ground=deck_in_use, take=_take),),
    begin=_begun,
    results=_claimed,
    counted={"claim": _is_held, "denial": _is_denied},
    lies=(
        Falsehood("wrong claim", CLAIM, Trick.INSTEAD, _contrary),
        Falsehood("bad claim", CLAIM, Trick.INSTEAD, bent),
        Falsehood("silent instead of claiming", CLAIM, Trick.SILENT),
    ),
)
