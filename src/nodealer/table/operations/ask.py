"""`Ask`: seats are asked in secret; each commits to an action, then all open what they said.

What is said is decided by the seat's player, as with a choice. The commitment binds, also where
seats are left out before all have given theirs. An answer is opened once all commitments are in one
entry: with the salt, and for each card that its kind proves the face with its proof, the layer of
which stays closed. Whether something may be said is judged by what is public and by these cards
alone, so everybody comes to the same.

The seat remembers nothing for that: what it has committed to it finds again among what it could
have said, by its keys.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck, Keyring, holds_seals, see
from nodealer.games import (
    NOTHING_CHOSEN,
    Action,
    Ask,
    Notebook,
    Result,
    choice_of,
    encode_named,
    illegal,
    kind_answered,
    proven_by,
    require_askable,
    require_said,
    view_of,
)
from nodealer.kernel import (
    OPENED_VALUE_BYTES_MAX,
    Bug,
    PeerError,
    Reason,
    Seat,
    SlotId,
    changed,
    encode,
)
from nodealer.ledger import Owed
from nodealer.table.actions import ANSWERED, OpenedAnswer, ProvenFace
from nodealer.table.operation import (
    CheckedAnswer,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Stated,
    Trick,
    deck_in_use,
    every_time,
    stated,
    written,
)
from nodealer.table.position import Position
from nodealer.table.program import Committed


def write_said(position: Position, keyring: Keyring, label: bytes, said: Action) -> bytes:
    """Return the commitment of a seat to what it says, or raise `PeerError`."""
    asking = position.program.under_way(Ask)
    kind = kind_answered(position.game, asking, keyring.seat, said, NOTHING_CHOSEN)
    slots = proven_by(kind, position.board, keyring.seat, said)
    known = _known(position, keyring)
    if not known.keys() >= set(slots):
        raise illegal("a seat proves only cards that it knows")
    proven = {slot: known[slot] for slot in slots}
    require_said(position.scene(), asking, keyring.seat, said, proven)
    for slot in slots:
        position.cards.slot(slot).sole_layer(keyring.seat)
    return written(keyring, _commitment(position, keyring, label, said))


def _commitment(position: Position, keyring: Keyring, label: bytes, said: Action) -> ops.CommitPart:
    table = position.setting.agreed.charter.table
    return ops.make_commit(keyring, table, label, _value(said))


def _value(said: Action) -> bytes:
    """Return what is committed to: the action as its plain value is encoded."""
    value = encode(encode_named(said))
    if len(value) > OPENED_VALUE_BYTES_MAX:
        raise illegal(f"{said.kind} says too much")
    return value


def _known(position: Position, keyring: Keyring) -> Notebook:
    """Return the faces that a seat sees and not everybody does."""
    deck, seat = position.deck, keyring.seat
    if deck is None:
        return {}
    return {
        number: see(deck, keyring, number)
        for number, slot in deck.slots.items()
        if slot.face is None and seat in slot.audience and holds_seals(slot, seat)
    }


def _check_ask(where: Place, seat: Seat, data: bytes) -> Stated:
    part = ops.deck_messages(where.position.setting.group).read(data, ops.CommitPart)
    return Stated(seat, where.at.step, part.commitment)


ASK: Final = PartKind(
    kind="ask",
    make=None,
    check=_check_ask,
    leaves=None,
    is_binding=True,
    doing="decide what to say",
    why="",
    told="{all} each decide what to say, and nobody can see it yet",
)


def _committed(position: Position) -> Committed:
    made = position.program.committed
    assert made is not None, "an answer is opened after it was committed to"
    return made


def _make_answer(where: Place, keyring: Keyring) -> bytes:
    position, made = where.position, _committed(where.position)
    said = _said(position, keyring)
    value = _value(said)
    opened = ops.make_open(keyring, where.at.table, made.label, value)
    proofs = tuple(_proof(where, keyring, slot) for slot in _proving(position, keyring.seat, said))
    return ANSWERED.write(OpenedAnswer(said.kind, said.fields, opened.salt, proofs))


def _said(position: Position, keyring: Keyring) -> Action:
    """Return what a seat has committed to: what it could have said is not much."""
    made, asking = _committed(position), position.program.under_way(Ask)
    question = choice_of(asking, NOTHING_CHOSEN)
    scene = replace(position.scene(), choice=question)
    view = view_of(scene, keyring.seat, _known(position, keyring))
    own = dict(made.commitments)[keyring.seat]
    for said in position.game.legal(view):
        if _commitment(position, keyring, made.label, said).commitment == own:
            return said
    raise Bug(Reason.LOCAL_ARGUMENT, "not so: what was said is among what could be said")


def _proving(position: Position, seat: Seat, said: Action) -> tuple[SlotId, ...]:
    asking = position.program.under_way(Ask)
    kind = kind_answered(position.game, asking, seat, said, NOTHING_CHOSEN)
    return proven_by(kind, position.board, seat, said)


def _proof(where: Place, keyring: Keyring, slot: SlotId) -> ProvenFace:
    face = see(where.ground, keyring, slot)
    part = ops.make_face(where.ground, keyring, where.at, slot, face)
    return ProvenFace(face, written(keyring, part))


def _check_answer(where: Place, seat: Seat, data: bytes) -> CheckedAnswer:
    position, made = where.position, _committed(where.position)
    answered = ANSWERED.read(data)
    said = answered.action
    commitment = ops.CommitPart(dict(made.commitments)[seat])
    opened = ops.OpenPart(_value(said), answered.salt)
    ops.check_open(where.at.table, made.label, seat, commitment, opened)
    slots = _proving(position, seat, said)
    if len(answered.proofs) != len(slots):
        raise PeerError(Reason.PROOF_FACE, f"{len(answered.proofs)} proofs, {len(slots)} cards")
    proven = []
    for slot, shown in zip(slots, answered.proofs, strict=True):
        part = ops.deck_messages(where.ground.group).read(shown.proof, ops.FacePart)
        proven.append(ops.check_face(where.ground, where.at, seat, slot, shown.face, part))
    faces = {slot: shown.face for slot, shown in zip(slots, answered.proofs, strict=True)}
    require_said(position.scene(), position.program.under_way(Ask), seat, said, faces)
    return CheckedAnswer(seat, said, tuple(proven))


ANSWER: Final = PartKind(
    kind="answer",
    make=_make_answer,
    check=_check_answer,
    leaves=None,
    is_binding=False,
    doing="say what they decided",
    why="",
    told="{all} say what they have decided",
)


def _begun(position: Position) -> Position:
    require_askable(position.program.under_way(Ask), position.game, position.roster)
    return position


def _owed_ask(position: Position) -> tuple[Owed, ...]:
    asking = position.program.under_way(Ask)
    return (ASK.owed_by(asking.seats, asking.purpose),)


def _owed_answer(position: Position) -> tuple[Owed, ...]:
    asking = position.program.under_way(Ask)
    return (ANSWER.owed_by(asking.seats, asking.purpose),)


def _take_ask(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    given = [part for part in parts[ASK.kind] if isinstance(part, Stated)]
    made = Committed(given[0].label, tuple(stated(given, bytes).items()))
    return changed(position, program=changed(position.program, committed=made))


def _answers(parts: Parts) -> list[CheckedAnswer]:
    return [part for part in parts[ANSWER.kind] if isinstance(part, CheckedAnswer)]


def _take_answer(position: Position, ground: Deck | None, parts: Parts) -> Position:
    proven = [vetted for answer in _answers(parts) for vetted in answer.proven]
    if not proven:
        return position
    assert ground is not None, "the cards that are proven are of a deck"
    return changed(position, deck=ops.take_face(ground, *proven))


def _heard(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    return [tuple(answer.said for answer in _answers(parts))]


def _other_answer(where: Place, keyring: Keyring, data: bytes) -> bytes | None:  # noqa: ARG001 - every lie
    """Say something else than was committed to."""
    said = ANSWERED.read(data)
    default = where.position.program.under_way(Ask).default
    if said.kind == default:
        return None
    return ANSWERED.write(OpenedAnswer(default, (), said.salt, ()))


def _unproven(where: Place, keyring: Keyring, data: bytes) -> bytes | None:  # noqa: ARG001 - every lie
    """Say what was committed to, and leave the proofs out."""
    said = ANSWERED.read(data)
    return ANSWERED.write(replace(said, proofs=())) if said.proofs else None


def _other_salt(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    said = ANSWERED.read(data)
    return ANSWERED.write(replace(said, salt=bytes(len(said.salt))))


def _other_commitment(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Commit to the same with another salt, or to anything else: nobody can tell."""
    return written(keyring, ops.CommitPart(bytes(reversed(data[-32:]))))


OPERATION: Final = Operation(
    effect=Ask,
    steps=(
        JointStep(word="ask", parts=(ASK,), owed=_owed_ask, ground=deck_in_use, take=_take_ask),
        JointStep(
            word="answer",
            parts=(ANSWER,),
            owed=_owed_answer,
            ground=deck_in_use,
            take=_take_answer,
        ),
    ),
    begin=_begun,
    results=_heard,
    counted={"answer": every_time},
    lies=(
        Falsehood("another answer", ANSWER, Trick.INSTEAD, _other_answer),
        Falsehood("unproven answer", ANSWER, Trick.INSTEAD, _unproven),
        Falsehood("answer under another salt", ANSWER, Trick.INSTEAD, _other_salt),
        Falsehood("two answers", ASK, Trick.TWICE, _other_commitment),
        Falsehood("silent instead of deciding", ASK, Trick.SILENT),
        Falsehood("silent instead of answering", ANSWER, Trick.SILENT),
    ),
)
