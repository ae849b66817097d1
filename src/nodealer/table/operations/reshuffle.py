"""`Reshuffle`: cards are taken back, shuffled by one seat after the other, and masked anew by all.

Cards that were restacked or handed over lie under the key of one seat alone; their holders bring
them back under the joint key first, by a proof. Of all others nobody has to bring anything.

The deck in the making (`Position.work`) goes through the shuffles, each over the pile that the one
before has left. It takes the place of the deck with the masks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck, Keyring
from nodealer.games import Reshuffle, Result
from nodealer.kernel import Seat, SlotId, changed
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
    by_all,
    checked_by,
    deck_in_use,
    every_time,
    made_by,
    vetted,
    written,
)
from nodealer.table.position import Position


def _left_by(shuffle: Checked) -> Deck:
    (checked,) = vetted([shuffle])
    return ops.take_shuffle(checked.over, checked)


SHUFFLE: Final = PartKind(
    kind="shuffle",
    make=made_by(ops.make_shuffle),
    check=checked_by(ops.ShufflePart, ops.check_shuffle),
    leaves=_left_by,
    is_binding=False,
    doing="shuffle the deck",
    why="Each player shuffles in turn, so that nobody can know the order.",
    told="{all} shuffle the deck, one after the other",
)

MASK: Final = PartKind(
    kind="mask",
    make=made_by(ops.make_mask),
    check=checked_by(ops.MaskPart, ops.check_mask),
    leaves=None,
    is_binding=False,
    doing="lock the cards",
    why="Each player puts a lock of their own on every card.",
    told="{all} each put a lock of their own on every card",
)


def _take_shuffle(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    return changed(position, work=ground)


SHUFFLING: Final = JointStep(
    word="shuffle",
    parts=(SHUFFLE,),
    owed=by_all(SHUFFLE),
    ground=deck_in_use,
    take=_take_shuffle,
)


def take_mask(position: Position, ground: Deck | None, parts: Parts) -> Position:
    """Return the position with the deck that was in the making."""
    assert ground is not None, "the cards of a deck are masked"
    return changed(position, deck=ops.take_masks(ground, vetted(parts[MASK.kind])))


def slots_made(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    """Return the slots that the masks have made."""
    assert before.work is not None, "cards were in the making"
    return [tuple(SlotId(slot) for slot in range(before.work.next_slot, after.cards.next_slot))]


def _due(position: Position) -> Mapping[Seat, tuple[SlotId, ...]]:
    """Return the cards that seats have to bring back, which stand alone under their keys."""
    return ops.returns_due(position.cards, position.program.under_way(Reshuffle).slots)


def _make_return(where: Place, keyring: Keyring) -> bytes:
    slots = where.position.program.under_way(Reshuffle).slots
    return written(keyring, ops.make_return(where.ground, keyring, where.at, slots))


def _check_return(where: Place, seat: Seat, data: bytes) -> Checked:
    part = ops.deck_messages(where.ground.group).read(data, ops.HandoverPart)
    slots = where.position.program.under_way(Reshuffle).slots
    return ops.check_return(where.ground, where.at, seat, slots, part)


RETURN: Final = PartKind(
    kind="return",
    make=_make_return,
    check=_check_return,
    leaves=None,
    is_binding=False,
    doing="bring cards back",
    why="Cards that one player alone holds are put under the lock of all before they are shuffled.",
    told="{all} bring cards back that they alone hold, without showing them",
)


def _begun(position: Position) -> Position:
    if _due(position):
        return position
    effect = position.program.under_way(Reshuffle)
    return changed(position, work=ops.gather(position.cards, effect.slots, effect.into))


def _owed_return(position: Position) -> tuple[Owed, ...]:
    if position.work is not None:
        return ()  # nobody had to bring anything back
    return (RETURN.owed_by(tuple(_due(position))),)


def _take_return(position: Position, ground: Deck | None, parts: Parts) -> Position:
    assert ground is not None, "the cards are of a deck"
    effect = position.program.under_way(Reshuffle)
    pile = ops.gather(ground, effect.slots, effect.into, vetted(parts[RETURN.kind]))
    return changed(position, work=pile)


def _exchanged(where: Place, keyring: Keyring, data: bytes) -> bytes:
    """Bring the first card back with the proof of another, or with a bent one."""
    part = ops.deck_messages(keyring.group).read(data, ops.HandoverPart)
    if len(part.cards) < len("ab"):
        return bent(where, keyring, data)
    first, *rest = part.cards
    return written(keyring, ops.HandoverPart((*rest, first)))


OPERATION: Final = Operation(
    effect=Reshuffle,
    steps=(
        JointStep(
            word="return",
            parts=(RETURN,),
            owed=_owed_return,
            ground=deck_in_use,
            take=_take_return,
        ),
        SHUFFLING,
        JointStep(
            word="mask", parts=(MASK,), owed=by_all(MASK), ground=deck_in_use, take=take_mask
        ),
    ),
    begin=_begun,
    results=slots_made,
    counted={"reshuffle": every_time},
    lies=(
        Falsehood("exchanged return", RETURN, Trick.INSTEAD, _exchanged),
        Falsehood("silent instead of bringing back", RETURN, Trick.SILENT),
    ),
)
