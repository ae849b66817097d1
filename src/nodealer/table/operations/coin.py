"""`Coin`: all seats commit to a value each, then open it; the number is drawn from all of them.

A coin may ride along with another effect (`NewDeck`): then its parts are owed in steps of that. It
has fallen once it is opened, and stands among the coins of the program by its purpose.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nodealer.deck import (
    CommitPart,
    Deck,
    Keyring,
    OpenPart,
    check_coin,
    coin,
    coin_value,
    deck_messages,
    draw,
    make_commit,
    make_open,
)
from nodealer.games.effects import Coin, Result
from nodealer.kernel import Seat, changed
from nodealer.ledger import Owed
from nodealer.table.falsehood import Falsehood, Trick, by_another_seed
from nodealer.table.operation import NOT_COUNTED, JointStep, Operation, as_it_is, deck_in_use
from nodealer.table.parts import PartKind, Parts, Place, Stated, stated
from nodealer.table.position import Position
from nodealer.table.program import Committed


def _make_commit(where: Place, keyring: Keyring) -> CommitPart:
    table, label = where.at.table, where.at.step
    return make_commit(keyring, table, label, coin_value(keyring, table, label))


def _check_commit(where: Place, seat: Seat, data: bytes) -> Stated:
    part = deck_messages(where.position.setting.group).read(data, CommitPart)
    return Stated(seat, where.at.step, part.commitment)


def _make_open(where: Place, keyring: Keyring) -> OpenPart:
    table, label = where.at.table, _committed(where.position).label
    return make_open(keyring, table, label, coin_value(keyring, table, label))


def _check_open(where: Place, seat: Seat, data: bytes) -> Stated:
    part = deck_messages(where.position.setting.group).read(data, OpenPart)
    made = _committed(where.position)
    commitment = CommitPart(dict(made.commitments)[seat])
    value = check_coin(where.at.table, made.label, seat, commitment, part)
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


def committed(position: Position, parts: Parts) -> Position:
    """Return the position once all have committed to the coin under way."""
    given = [part for part in parts[COMMIT.kind] if isinstance(part, Stated)]
    made = Committed(given[0].label, tuple(stated(given, bytes).items()))
    return changed(position, program=changed(position.program, committed=made))


def fallen(position: Position, thrown: Coin, parts: Parts) -> Position:
    """Return the position once the coin under way has fallen."""
    values = stated(parts[OPEN.kind], bytes)
    table = position.setting.agreed.charter.table
    number = draw(coin(table, _committed(position).label, values, values), thrown.sides)
    return changed(position, program=position.program.fallen(thrown.purpose, number))


def _owed_commit(position: Position) -> tuple[Owed, ...]:
    return (COMMIT.owed_by(position.roster, position.program.under_way(Coin).purpose),)


def _owed_open(position: Position) -> tuple[Owed, ...]:
    return (OPEN.owed_by(position.roster, position.program.under_way(Coin).purpose),)


def _take_commit(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    return committed(position, parts)


def _take_open(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    return fallen(position, position.program.under_way(Coin), parts)


def _fell(before: Position, after: Position, parts: Parts) -> Result:  # noqa: ARG001 - every result
    (_, number) = after.program.coins[-1]
    return number


def _wrong_coin(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Open another value than that which was committed to."""
    messages = deck_messages(where.position.setting.group)
    opened = messages.read(data, OpenPart)
    return messages.write(replace(opened, value=bytes(byte ^ 1 for byte in opened.value)))


OPERATION: Final = Operation(
    effect=Coin,
    steps=(
        JointStep(
            word="commit",
            parts=(COMMIT,),
            owed=_owed_commit,
            ground=deck_in_use,
            take=_take_commit,
        ),
        JointStep(word="open", parts=(OPEN,), owed=_owed_open, ground=deck_in_use, take=_take_open),
    ),
    joins_neighbours=False,
    begin=as_it_is,
    result=_fell,
    counted=NOT_COUNTED,
    lies=(
        Falsehood("wrong coin", OPEN, Trick.INSTEAD, _wrong_coin),
        Falsehood("other commitment", COMMIT, Trick.ANEW, by_another_seed(COMMIT)),
    ),
)
