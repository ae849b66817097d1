"""`Compare`: the seat that the deck names proves whether slots have one face; all check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer.deck import (
    EqualPart,
    Keyring,
    NotEqualPart,
    check_equal,
    check_not_equal,
    deck_messages,
    make_equal,
    make_not_equal,
    see,
    verdict_prover,
)
from nodealer.games.effects import Compare, Result
from nodealer.kernel import PeerError, Reason, Seat
from nodealer.ledger import Owed
from nodealer.table.falsehood import Falsehood, Trick, bent
from nodealer.table.operation import JointStep, Operation, deck_in_use, unchanged
from nodealer.table.parts import PartKind, Parts, Place, Stated, stated
from nodealer.table.position import Position


def _make(where: Place, keyring: Keyring) -> object:
    slots = where.position.program.under_way(Compare).slots
    faces = {see(where.ground, keyring, slot) for slot in slots}
    make_part = make_equal if len(faces) == 1 else make_not_equal
    return make_part(where.ground, keyring, where.at, slots)


def _check(where: Place, seat: Seat, data: bytes) -> Stated:
    part = deck_messages(where.ground.group).read_any(data)
    slots = where.position.program.under_way(Compare).slots
    match part:
        case EqualPart():
            check_equal(where.ground, where.at, seat, slots, part)
        case NotEqualPart():
            check_not_equal(where.ground, where.at, seat, slots, part)
        case _:
            raise PeerError(Reason.ENCODING_KIND, f"{type(part).__name__} is no verdict")
    return Stated(seat, where.at.step, isinstance(part, EqualPart))


VERDICT: Final = PartKind(
    kind="verdict",
    make=_make,
    check=_check,
    leaves=None,
    is_binding=False,
    doing="compare cards",
    why="",
    told="{all} proves to all whether cards that not everybody has seen are alike",
)


def _prover(position: Position) -> Seat:
    return verdict_prover(position.cards, position.program.under_way(Compare).slots)


def _begun(position: Position) -> Position:
    _prover(position)  # or the game asks for what nobody can prove
    return position


def _owed(position: Position) -> tuple[Owed, ...]:
    return (VERDICT.owed_by((_prover(position),)),)


def _verdict(before: Position, after: Position, parts: Parts) -> Result:  # noqa: ARG001 - every result
    (is_one_face,) = stated(parts[VERDICT.kind], bool).values()
    return is_one_face


def _is_alike(position: Position, given: Sequence[bytes]) -> bool:
    (data,) = given
    messages = deck_messages(position.setting.group)
    return isinstance(messages.read_any(data), EqualPart)


def _is_unlike(position: Position, given: Sequence[bytes]) -> bool:
    return not _is_alike(position, given)


def _contrary(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Give the contrary of the verdict, with a proof of what is so."""
    group = where.ground.group
    messages = deck_messages(group)
    part = messages.read_any(data)
    if isinstance(part, EqualPart):
        return messages.write(NotEqualPart(group.generator, 0, part.proof))
    assert isinstance(part, NotEqualPart), "a verdict is one or the other"
    return messages.write(EqualPart(part.proof))


PROVER: Final = Seat(0)
"""Proves nearly all verdicts that are not about its own cards: the lowest seat that can does."""

OPERATION: Final = Operation(
    effect=Compare,
    steps=(
        JointStep(word="verdict", parts=(VERDICT,), owed=_owed, ground=deck_in_use, take=unchanged),
    ),
    joins_neighbours=False,
    begin=_begun,
    result=_verdict,
    counted={"alike": _is_alike, "unlike": _is_unlike},
    lies=(
        Falsehood("wrong verdict", VERDICT, Trick.INSTEAD, _contrary, PROVER),
        Falsehood("bad verdict proof", VERDICT, Trick.INSTEAD, bent, PROVER),
        Falsehood("silent instead of the verdict", VERDICT, Trick.SILENT, sits=PROVER),
    ),
)
