"""The parts that seats owe to joint steps: how each is made and checked, and its words.

A part is made and checked at a *place*: the position, the deck under the part, and the moment,
whose step is the label of the part. What a seat makes follows from its keys and the place; where
its player decides what it is, there is a check of it and no more. A check is given what a peer has
sent, which may be anything. It raises `PeerError`, or returns what the part says, to be taken in
once the whole step is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from nodealer.deck import Deck, Keyring, Vetted, deck_messages
from nodealer.deck import Moment as Site
from nodealer.kernel import Seat
from nodealer.ledger import Owed
from nodealer.table.position import Position

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part is made: the position, the deck under it, and the moment with its label."""

    position: Position
    deck: Deck | None
    at: Site

    @property
    def ground(self) -> Deck:
        """The deck under the part."""
        assert self.deck is not None, "the part is of a deck"
        return self.deck


@dataclass(frozen=True, slots=True)
class Stated:
    """What a seat has stated in a part that is not of the deck, under the label of that part."""

    seat: Seat
    label: bytes
    value: bytes | int | bool


Checked: TypeAlias = Vetted[Any] | Stated
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
    make: Callable[[Place, Keyring], object] | None
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


def vetted(parts: Sequence[Checked]) -> list[Vetted[Any]]:
    """Return checked parts of the deck as the deck takes them."""
    return [part for part in parts if isinstance(part, Vetted)]


def stated(parts: Sequence[Checked], kind: type[T]) -> dict[Seat, T]:
    """Return what seats have stated, by seat."""
    said = [part for part in parts if isinstance(part, Stated)]
    return {one.seat: one.value for one in said if isinstance(one.value, kind)}


def made_by(
    make_part: Callable[[Deck, Keyring, Site], object],
) -> Callable[[Place, Keyring], object]:
    """Return how a part of the deck is made."""

    def made(where: Place, keyring: Keyring) -> object:
        return make_part(where.ground, keyring, where.at)

    return made


def checked_by(
    build: type[Any], check_part: Callable[..., Vetted[Any]]
) -> Callable[[Place, Seat, bytes], Checked]:
    """Return the check of a part of the deck: read it, then let the deck judge it."""

    def checked(where: Place, seat: Seat, data: bytes) -> Checked:
        part = deck_messages(where.ground.group).read(data, build)
        return check_part(where.ground, where.at, seat, part)

    return checked
