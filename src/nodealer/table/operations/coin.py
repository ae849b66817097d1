"""`Coin`: all seats commit to a value each, then open it; the number is drawn from all of them.

A coin may ride along with another effect (`NewDeck`): then its parts are owed in steps of that. It
has fallen once it is opened, and stands among the coins of the program by its purpose.
"""

from __future__ import annotations

from typing import Final

from nodealer import deck as ops
from nodealer.deck import Deck, Keyring
from nodealer.games import Coin, NewDeck, Result
from nodealer.kernel import Seat, changed
from nodealer.ledger import Owed
from nodealer.table.operation import (
    NOT_COUNTED,
    Falsehood,
    JointStep,
    Operation,
    PartKind,
    Parts,
    Place,
    Stated,
    Trick,
    as_it_is,
    bent,
    by_another_seed,
    deck_in_use,
    stated,
    written,
)
from nodealer.table.position import Position
from nodealer.table.program import Committed


def _make_commit(where: Place, keyring: Keyring) -> bytes:
    table, label = where.at.table, where.at.step
    value = ops.coin_value(keyring, table, label)
    return written(keyring, ops.make_commit(keyring, table, label, value))


def _check_commit(where: Place, seat: Seat, data: bytes) -> Stated:
    part = ops.deck_messages(where.position.setting.group).read(data, ops.CommitPart)
    return Stated(seat, where.at.step, part.commitment)


def _make_open(where: Place, keyring: Keyring) -> bytes:
    table, label = where.at.table, _committed(where.position).label
    value = ops.coin_value(keyring, table, label)
    return written(keyring, ops.make_open(keyring, table, label, value))


def _check_open(where: Place, seat: Seat, data: bytes) -> Stated:
    part = ops.deck_messages(where.position.setting.group).read(data, ops.OpenPart)
    made = _committed(where.position)
    commitment = ops.CommitPart(dict(made.commitments)[seat])
    value = ops.check_coin(where.at.table, made.label, seat, commitment, part)
    return Stated(seat, where.at.step, value)


def _committed(position: Position) -> Committed:
    made = position.program.committed
    assert made is not None, "a coin is opened after it was committed"
    return made


COMMIT: Final = PartKind(
    kind="commit",
    make=_make_commit,
    check=_check_commit,
    leaves=None,
    is_binding=True,
    doing="commit to a coin",
    why="",
    told="each commit to a coin that nobody can see yet",
)

OPEN: Final = PartKind(
    kind="open",
    make=_make_open,
    check=_check_open,
    leaves=None,
    is_binding=False,
    doing="open the coin",
    why="",
    told="open their coins",
)


def _thrown(position: Position) -> Coin | None:
    """Return the coin that the effect under way throws, or that rides along with it."""
    head = position.program.head
    return head.coin if isinstance(head, NewDeck) else position.program.under_way(Coin)


def owed_commit(position: Position) -> tuple[Owed, ...]:
    """Return the commitments, which all seats owe if there is a coin."""
    thrown = _thrown(position)
    return () if thrown is None else (COMMIT.owed_by(position.roster, thrown.purpose),)


def owed_open(position: Position) -> tuple[Owed, ...]:
    """Return the openings, which all seats owe if there is a coin."""
    thrown = _thrown(position)
    return () if thrown is None else (OPEN.owed_by(position.roster, thrown.purpose),)


def take_commit(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    """Return the position once all have committed to the coin, if there is one."""
    given = [part for part in parts.get(COMMIT.kind, ()) if isinstance(part, Stated)]
    if not given:
        return position
    made = Committed(given[0].label, tuple(stated(given, bytes).items()))
    return changed(position, program=changed(position.program, committed=made))


def take_open(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    """Return the position once the coin has fallen, if there is one."""
    thrown = _thrown(position)
    if thrown is None:
        return position
    values = stated(parts[OPEN.kind], bytes)
    table = position.setting.agreed.charter.table
    number = ops.draw(ops.coin(table, _committed(position).label, values, values), thrown.sides)
    return changed(position, program=position.program.fallen(thrown.purpose, number))


def _fell(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    (_, number) = after.program.coins[-1]
    return [number]


OPERATION: Final = Operation(
    effect=Coin,
    steps=(
        JointStep(
            word="commit", parts=(COMMIT,), owed=owed_commit, ground=deck_in_use, take=take_commit
        ),
        JointStep(word="open", parts=(OPEN,), owed=owed_open, ground=deck_in_use, take=take_open),
    ),
    begin=as_it_is,
    results=_fell,
    counted=NOT_COUNTED,
    lies=(
        Falsehood("wrong coin", OPEN, Trick.INSTEAD, bent),
        Falsehood("other commitment", COMMIT, Trick.ANEW, by_another_seed(COMMIT)),
    ),
)
