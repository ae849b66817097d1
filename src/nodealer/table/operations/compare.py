"""`Compare`: the seat that the deck names proves whether slots have one face; all check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer import deck as ops
from nodealer.deck import Keyring
from nodealer.games import Compare, Result
from nodealer.kernel import PeerError, Reason, Seat
from nodealer.ledger import Owed
from nodealer.table.operation import (
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
    stated,
    unchanged,
    written,
)
from nodealer.table.position import Position


def _make(where: Place, keyring: Keyring) -> bytes:
    slots = where.position.program.under_way(Compare).slots
    faces = {ops.see(where.ground, keyring, slot) for slot in slots}
    make_part = ops.make_equal if len(faces) == 1 else ops.make_not_equal
    return written(keyring, make_part(where.ground, keyring, where.at, slots))


def _check(where: Place, seat: Seat, data: bytes) -> Stated:
    part = ops.deck_messages(where.ground.group).read_any(data)
    slots = where.position.program.under_way(Compare).slots
    match part:
        case ops.EqualPart():
            ops.check_equal(where.ground, where.at, seat, slots, part)
        case ops.NotEqualPart():
            ops.check_not_equal(where.ground, where.at, seat, slots, part)
        case _:
            raise PeerError(Reason.ENCODING_KIND, f"{type(part).__name__} is no verdict")
    return Stated(seat, where.at.step, isinstance(part, ops.EqualPart))


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
    return ops.verdict_prover(position.cards, position.program.under_way(Compare).slots)


def _begun(position: Position) -> Position:
    _prover(position)  # or the game asks for what nobody can prove
    return position


def _owed(position: Position) -> tuple[Owed, ...]:
    return (VERDICT.owed_by((_prover(position),)),)


def _verdict(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    (is_one_face,) = stated(parts[VERDICT.kind], bool).values()
    return [is_one_face]


def _is_alike(position: Position, given: Sequence[bytes]) -> bool:
    (data,) = given
    messages = ops.deck_messages(position.setting.group)
    return isinstance(messages.read_any(data), ops.EqualPart)


def _is_unlike(position: Position, given: Sequence[bytes]) -> bool:
    return not _is_alike(position, given)


def _contrary(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Give the contrary of the verdict, with a proof of what is so."""
    group = where.ground.group
    messages = ops.deck_messages(group)
    part = messages.read_any(data)
    if isinstance(part, ops.EqualPart):
        return messages.write(ops.NotEqualPart(group.generator, 0, part.proof))
    assert isinstance(part, ops.NotEqualPart), "a verdict is one or the other"
    return messages.write(ops.EqualPart(part.proof))


PROVER: Final = Seat(0)
"""Proves nearly all verdicts that are not about its own cards: the lowest seat that can does."""

OPERATION: Final = Operation(
    effect=Compare,
    steps=(
        JointStep(word="verdict", parts=(VERDICT,), owed=_owed, ground=deck_in_use, take=unchanged),
    ),
    begin=_begun,
    results=_verdict,
    counted={"alike": _is_alike, "unlike": _is_unlike},
    lies=(
        Falsehood("wrong verdict", VERDICT, Trick.INSTEAD, _contrary, PROVER),
        Falsehood("bad verdict proof", VERDICT, Trick.INSTEAD, bent, PROVER),
        Falsehood("silent instead of the verdict", VERDICT, Trick.SILENT, sits=PROVER),
    ),
)
