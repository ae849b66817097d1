"""`NewDeck`: a new epoch. All give keys, then the cards are shuffled and masked as in a reshuffle.

A coin that rides along is committed with the keys and opened with the masks.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck
from nodealer.games import NewDeck
from nodealer.kernel import Bug, EntryId, EpochId, Reason, SlotId, changed
from nodealer.ledger import Owed
from nodealer.table.operation import (
    NOT_COUNTED,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Trick,
    always,
    bent,
    by_another_seed,
    checked_by,
    deck_in_use,
    made_by,
    vetted,
)
from nodealer.table.operations.coin import (
    COMMIT,
    OPEN,
    owed_commit,
    owed_open,
    take_commit,
    take_open,
)
from nodealer.table.operations.reshuffle import (
    MASK,
    SHUFFLE,
    SHUFFLING,
    slots_made,
    take_mask,
)
from nodealer.table.position import Position

KEYS: Final = PartKind(
    kind="keys",
    make=made_by(ops.make_deck_key),
    check=checked_by(ops.KeyPart, ops.check_deck_key),
    leaves=None,
    is_binding=False,
    doing="make keys for a new deck",
    why="",
    told="{all} each show a key for a new deck",
)


def _begun(position: Position) -> Position:
    effect = position.program.under_way(NewDeck)
    if not effect.keep:
        return position
    faces = position.board.faces
    if not faces.keys() >= set(effect.keep):
        raise _bug("only open cards outlive a new deck")
    kept = Counter(faces[slot] for slot in effect.keep)
    if kept + Counter(effect.composition.faces) != Counter(position.cards.composition.faces):
        raise _bug("kept cards and new deck are the cards that were there")
    return position


def _new_epoch(position: Position, parent: EntryId) -> Deck:
    effect, agreed = position.program.under_way(NewDeck), position.setting.agreed
    epoch = EpochId(parent)
    if effect.keep:
        deck, roster = position.cards, position.roster
        return ops.renewed(deck, epoch, effect.composition, roster, keep=effect.keep)
    return ops.new_deck(
        position.setting.group,
        agreed.charter.table,
        agreed.terms.hash,
        epoch,
        agreed.sealing_keys,
        effect.composition,
        roster=position.roster,
        first_slot=SlotId(0) if position.deck is None else position.deck.next_slot,
    )


def _owed_keys(position: Position) -> tuple[Owed, ...]:
    return (KEYS.owed_by(position.roster), *owed_commit(position))


def _take_keys(position: Position, ground: Deck | None, parts: Parts) -> Position:
    assert ground is not None, "the keys are of a new deck"
    into = position.program.under_way(NewDeck).into
    work = ops.take_deck_keys(ground, vetted(parts[KEYS.kind]), into)
    return take_commit(changed(position, work=work), ground, parts)


def _owed_mask(position: Position) -> tuple[Owed, ...]:
    return (MASK.owed_by(position.roster), *owed_open(position))


def _take_mask(position: Position, ground: Deck | None, parts: Parts) -> Position:
    return take_open(take_mask(position, ground, parts), ground, parts)


def _bug(rule: str) -> Bug:
    return Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")


OPERATION: Final = Operation(
    effect=NewDeck,
    steps=(
        JointStep(
            word="keys", parts=(KEYS, COMMIT), owed=_owed_keys, ground=_new_epoch, take=_take_keys
        ),
        SHUFFLING,
        JointStep(
            word="mask", parts=(MASK, OPEN), owed=_owed_mask, ground=deck_in_use, take=_take_mask
        ),
    ),
    begin=_begun,
    results=slots_made,
    counted=NOT_COUNTED,
    lies=(
        Falsehood("bad key proof", KEYS, Trick.INSTEAD, bent),
        Falsehood("no part", KEYS, Trick.INSTEAD, always(b"\x83\x01\x00\x00")),
        Falsehood("two keys", KEYS, Trick.TWICE, by_another_seed(KEYS)),
        Falsehood("copied key", KEYS, Trick.COPIED),
        Falsehood("silent instead of keys", KEYS, Trick.SILENT),
        Falsehood("bad shuffle", SHUFFLE, Trick.INSTEAD, bent),
        Falsehood("silent instead of shuffling", SHUFFLE, Trick.SILENT),
        Falsehood("bad mask", MASK, Trick.INSTEAD, bent),
        Falsehood("silent instead of masking", MASK, Trick.SILENT),
    ),
)
