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
    results                 what the rules get

A part is made and checked at a *place*: the position, the deck under the part, and the moment,
whose step is the label of the part. A check raises `PeerError`, or returns what the part says, to
be taken in once the whole step is there. What could be lied about in a part is there as data, for
a simulation; nothing at a real table reads that.

No member has a default, so nothing can be forgotten: neither the type checker nor Python makes an
operation with something left out. `operations` has one file for each effect, `carrying` the loop
over them; what the same effects come to on open cards they say themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from nodealer.deck import Deck, Keyring, ProofMoment, Vetted, deck_messages
from nodealer.games import Action, Effect, Result
from nodealer.kernel import EntryId, Seat
from nodealer.ledger import Owed
from nodealer.table.position import Position

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """The place where a part is made: the position, the deck under it, and its moment."""

    position: Position
    deck: Deck | None
    at: ProofMoment

    @property
    def ground(self) -> Deck:
        """The deck under the part."""
        assert self.deck is not None, "the part is of a deck"
        return self.deck


@dataclass(frozen=True, slots=True)
class Stated:
    """The statement of a seat in a part that is not of the deck, under the label of that part."""

    seat: Seat
    label: bytes
    value: bytes | int | bool


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """The answer of a seat that was asked in secret, with the cards that it proves."""

    seat: Seat
    said: Action
    proven: tuple[Vetted[Any], ...]


Checked: TypeAlias = Vetted[Any] | Stated | CheckedAnswer
"""What the check of a part returns."""

Parts: TypeAlias = Mapping[str, Sequence[Checked]]
"""What the checks of a step have returned, by the kinds of parts, in the order of the seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartKind:
    """A kind of part that seats owe.

    `make` is None where nothing can be made of keys alone: its seats' players decide it, or nobody
    owes it. `leaves` is there for parts that build on each other, in the order of the seats: the
    deck that such a part leaves, over which the next one is made. A part that binds is the same
    under the same label, whatever happens in between.

    `doing` is what seats are waited for to do, `why` says why it takes a moment where that is worth
    saying, and `told` how the story of a game tells of it, with `{all}` for the seats.
    """

    kind: str
    make: Callable[[Place, Keyring], bytes] | None
    check: Callable[[Place, Seat, bytes], Checked] | None
    leaves: Callable[[Checked], Deck] | None
    is_binding: bool
    doing: str
    why: str
    told: str

    def owed_by(self, seats: Sequence[Seat], purpose: str = "") -> Owed:
        """Return this part as these seats owe it; a part that nobody owes takes seals alone."""
        return Owed(
            self.kind,
            purpose,
            tuple(seats),
            binding=self.is_binding,
            chained=self.leaves is not None,
            decided=self.make is None and bool(seats),
        )


Other: TypeAlias = Callable[[Place, Keyring, bytes], bytes | None]
"""What a seat with these keys gives in place of its good part; nothing where that cannot be."""


class Trick(Enum):
    """The trick by which a part is lied about.

    INSTEAD gives something that is not good, COPIED the part of another seat. TWICE gives two that
    are as good to different seats, ANEW another one where seats were left out before all had given
    theirs; by the label of the part the first one binds. SILENT gives nothing any more.
    """

    INSTEAD = "instead"
    COPIED = "copied"
    TWICE = "twice"
    ANEW = "anew"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Falsehood:
    """A lie about a part; `other` is None for tricks that make nothing.

    `sits` is the seat that owes nearly all parts of the kind, if there is one.
    """

    name: str
    part: PartKind
    trick: Trick
    other: Other | None = None
    sits: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JointStep:
    """A step that is due to all seats at once; its word is part of the state that they hash.

    `parts` are all kinds that it can have, `owed` says which of them seats owe at a position. Where
    it is none at all, not even one that nobody has to give, the step is passed over.
    """

    word: str
    parts: tuple[PartKind, ...]
    owed: Callable[[Position], tuple[Owed, ...]]
    ground: Callable[[Position, EntryId], Deck | None]
    take: Callable[[Position, Deck | None, Parts], Position]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """All that an effect is to a table.

    An operation is done when its last step that is due is, or at once if none is; then `results`
    gets the positions before and after that and the parts of the step. Effects that stand next to
    one another may be under way together; there is one result for each.

    A simulation goes by the last two: `counted` says by name what it can come to, from the position
    and what seats have given in the last step, and `lies` what a seat could do wrong.
    """

    effect: type[Effect]
    steps: tuple[JointStep, ...]
    begin: Callable[[Position], Position]
    results: Callable[[Position, Position, Parts], list[Result]]
    counted: Mapping[str, Callable[[Position, Sequence[bytes]], bool]]
    lies: tuple[Falsehood, ...]


# What operations have in common.


def vetted(parts: Sequence[Checked]) -> list[Vetted[Any]]:
    """Return checked parts of the deck as the deck takes them."""
    return [part for part in parts if isinstance(part, Vetted)]


def stated(parts: Sequence[Checked], kind: type[T]) -> dict[Seat, T]:
    """Return what seats have stated, by seat."""
    said = [part for part in parts if isinstance(part, Stated)]
    return {one.seat: one.value for one in said if isinstance(one.value, kind)}


def written(keyring: Keyring, part: object) -> bytes:
    """Return a part of the deck as bytes."""
    return deck_messages(keyring.group).write(part)


def made_by(
    make_part: Callable[[Deck, Keyring, ProofMoment], object],
) -> Callable[[Place, Keyring], bytes]:
    """Return how a part of the deck is made."""

    def made(where: Place, keyring: Keyring) -> bytes:
        return written(keyring, make_part(where.ground, keyring, where.at))

    return made


def checked_by(
    build: type[Any], check_part: Callable[..., Vetted[Any]]
) -> Callable[[Place, Seat, bytes], Checked]:
    """Return the check of a part of the deck: read it, then let the deck judge it."""

    def checked(where: Place, seat: Seat, data: bytes) -> Checked:
        part = deck_messages(where.ground.group).read(data, build)
        return check_part(where.ground, where.at, seat, part)

    return checked


def by_all(part: PartKind) -> Callable[[Position], tuple[Owed, ...]]:
    """Return what is owed where every seat of the roster owes one part."""
    return lambda position: (part.owed_by(position.roster),)


def deck_in_use(position: Position, parent: EntryId | None = None) -> Deck | None:  # noqa: ARG001 - every ground
    """Return the deck in the making, or the one that lies there."""
    return position.deck if position.work is None else position.work


def as_it_is(position: Position) -> Position:
    """Begin nothing: there is nothing to prepare."""
    return position


def unchanged(position: Position, ground: Deck | None, parts: Parts) -> Position:  # noqa: ARG001 - every taker
    """Take in parts that change no card."""
    return position


def no_result(before: Position, after: Position, parts: Parts) -> list[Result]:  # noqa: ARG001 - every result
    """Return nothing: the board says it all."""
    return [None]


def every_time(position: Position, given: Sequence[bytes]) -> bool:  # noqa: ARG001 - every count
    """Count an operation whatever came of it."""
    return True


NO_PARTS: Final[Parts] = MappingProxyType({})

NOT_COUNTED: Final[Mapping[str, Callable[[Position, Sequence[bytes]], bool]]] = MappingProxyType({})


def bent(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
    """Turn the last byte of a part: it belongs to a proof, or to a secret that is opened."""
    return data[:-1] + bytes([data[-1] ^ 1])


def always(data: bytes) -> Other:
    """Give these bytes, whatever would be good."""
    return lambda where, keyring, good: data  # noqa: ARG005 - every lie


def by_another_seed(part: PartKind) -> Other:
    """Give what the seat would make if its secrets were others."""

    def other(where: Place, keyring: Keyring, data: bytes) -> bytes:  # noqa: ARG001 - every lie
        assert part.make is not None, "it is made of keys"
        ring = Keyring(keyring.group, keyring.seat, bytes(range(32)))
        return part.make(where, ring)

    return other
