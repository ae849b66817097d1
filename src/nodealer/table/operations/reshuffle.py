"""`Reshuffle`: cards are taken back, shuffled by one seat after the other, and masked anew by all.

The deck in the making (`Position.work`) goes through the shuffles, each over the pile that the one
before has left. It takes the place of the deck with the masks.
"""

from __future__ import annotations

from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck
from nodealer.games import Reshuffle, Result
from nodealer.kernel import SlotId, changed
from nodealer.table.operation import (
    Checked,
    JointStep,
    Operation,
    PartKind,
    Parts,
    by_all,
    checked_by,
    deck_in_use,
    every_time,
    made_by,
    vetted,
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


def slots_made(before: Position, after: Position, parts: Parts) -> Result:  # noqa: ARG001 - every result
    """Return the slots that the masks have made."""
    assert before.work is not None, "cards were in the making"
    return tuple(SlotId(slot) for slot in range(before.work.next_slot, after.cards.next_slot))


def _begun(position: Position) -> Position:
    effect = position.program.under_way(Reshuffle)
    return changed(position, work=ops.gather(position.cards, effect.slots, effect.into))


OPERATION: Final = Operation(
    effect=Reshuffle,
    steps=(
        SHUFFLING,
        JointStep(
            word="mask", parts=(MASK,), owed=by_all(MASK), ground=deck_in_use, take=take_mask
        ),
    ),
    joins_neighbours=False,
    begin=_begun,
    result=slots_made,
    counted={"reshuffle": every_time},
    lies=(),
)
