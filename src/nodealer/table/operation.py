"""The type of an operation: everything that an effect is to a table, as one value.

Rules ask for effects (`games.effects`); an `Operation` is what a table does about one kind of them.
It takes *steps*: each is due to all seats at once and has `parts` that seats owe. So an operation
is, in the order in which it happens:

    begin                   what can be done at once; a game that asks for what cannot be is a bug
    steps: owed             which parts seats owe, and which seats
           ground           the deck over which the parts are made
           parts: make      what a seat sends, from its keys and the place
                  check     what everybody else does with that, which may be anything
           take             the position once all parts are there
    result                  what the rules get

No member has a default, so nothing can be forgotten: neither the type checker nor Python makes an
operation with something left out. `operations` has one file for each effect, `carrying` the loop
over them; what the same effects come to on open cards they say themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.deck import Deck
from nodealer.games.effects import Effect, Result
from nodealer.kernel import EntryId
from nodealer.ledger import Owed
from nodealer.table.falsehood import Falsehood
from nodealer.table.parts import PartKind, Parts
from nodealer.table.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class JointStep:
    """A step that is due to all seats at once; its word is part of the state that they hash.

    `parts` are all kinds that it can have, `owed` says which of them seats owe at a position. Where
    it is none at all, not even one that nobody has to give, the step is not due.
    """

    word: str
    parts: tuple[PartKind, ...]
    owed: Callable[[Position], tuple[Owed, ...]]
    ground: Callable[[Position, EntryId], Deck | None]
    take: Callable[[Position, Deck | None, Parts], Position]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """All that an effect is to a table.

    An operation is done when its last step is, or at once if its first step is not due; then
    `result` gets the positions before and after that and the parts of the step. Where neighbours
    are joined, effects that stand next to one another are under way together, with one result each.

    A simulation goes by the last two: `counted` says by name what it can come to, from the position
    and what seats have given in the last step, and `lies` what a seat could do wrong.
    """

    effect: type[Effect]
    steps: tuple[JointStep, ...]
    joins_neighbours: bool
    begin: Callable[[Position], Position]
    result: Callable[[Position, Position, Parts], Result]
    counted: Mapping[str, Callable[[Position, Sequence[bytes]], bool]]
    lies: tuple[Falsehood, ...]


def deck_in_use(position: Position, parent: EntryId | None = None) -> Deck | None:  # noqa: ARG001 - every ground
    """Return the deck in the making, or the one that lies there."""
    return position.deck if position.work is None else position.work


def as_it_is(position: Position) -> Position:
    """Begin nothing: there is nothing to prepare."""
    return position


def unchanged(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    """Take in parts that change no card."""
    return position


def no_result(before: Position, after: Position, parts: Parts) -> Result:  # noqa: ARG001 - every result
    """Return nothing: the board says it all."""
    return None


def every_time(position: Position, given: Sequence[bytes]) -> bool:  # noqa: ARG001 - every count
    """Count an operation whatever came of it."""
    return True


NO_PARTS: Final[Parts] = MappingProxyType({})

NOT_COUNTED: Final[Mapping[str, Callable[[Position, Sequence[bytes]], bool]]] = MappingProxyType({})
