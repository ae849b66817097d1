"""`Compare`: the seat that the deck names proves whether slots have one face; all check it."""

from __future__ import annotations

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
from nodealer.table.operation import (
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Stated,
    deck_in_use,
    stated,
    unchanged,
)
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


OPERATION: Final = Operation(
    effect=Compare,
    steps=(
        JointStep(word="verdict", parts=(VERDICT,), owed=_owed, ground=deck_in_use, take=unchanged),
    ),
    joins_neighbours=False,
    begin=_begun,
    result=_verdict,
)
