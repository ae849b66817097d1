"""The parts of joint steps: how each is made, and how everybody else checks it.

A part is made and checked at a *place*: the position, the deck under the part, and the moment,
whose step is the label of the part. What a seat makes follows from its keys and the place; only
what it chooses is decided by its player (`acting`), so there is a check of it and no more.

A check is given what a peer has sent, which may be anything. It raises `PeerError`, or returns what
the part says, to be taken in once the whole step is there (`joint`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from nodealer import deck as ops
from nodealer.deck import Deck, Keyring, Vetted, deck_messages
from nodealer.games.choosing import require_offered
from nodealer.kernel import PeerError, Reason, Seat, SlotId
from nodealer.table.actions import CHOSEN
from nodealer.table.position import Position
from nodealer.table.program import Committed

COMMIT: Final = "commit"
OPEN: Final = "open"
VERDICT: Final = "verdict"
CHOOSE: Final = "choose"
ACKS: Final = "acks"


@dataclass(frozen=True, slots=True)
class Said:
    """What a seat has committed to, or opened."""

    seat: Seat
    value: bytes


@dataclass(frozen=True, slots=True)
class Picked:
    """What a seat has chosen."""

    seat: Seat
    slot: SlotId


@dataclass(frozen=True, slots=True)
class Judged:
    """What a seat has proven of the slots that are compared."""

    seat: Seat
    is_one_face: bool


Checked: TypeAlias = Vetted[Any] | Said | Picked | Judged
"""What the check of a part returns."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part is made: the position, the deck under it, and the moment with its label."""

    position: Position
    deck: Deck | None
    at: ops.ProofMoment

    @property
    def ground(self) -> Deck:
        """The deck under the part."""
        assert self.deck is not None, "the part is of a deck"
        return self.deck

    @property
    def committed(self) -> Committed:
        """The commitments of the coin under way."""
        found = self.position.program.committed
        assert found is not None, "a coin is opened after it was committed"
        return found


def make(where: Place, kind: str, keyring: Keyring) -> bytes:
    """Return what a seat sends for a part that it owes."""
    part = _PARTS[kind].make(where, keyring)
    return deck_messages(where.position.setting.group).write(part)


def check(where: Place, kind: str, seat: Seat, data: bytes) -> Checked:
    """Return what a seat has sent for a part, once it is found good; else raise `PeerError`."""
    return _CHECKS[kind](where, seat, data)


def choice_in(payloads: Sequence[tuple[bytes, bytes]]) -> SlotId:
    """Return the slot that a good contribution to a choice names."""
    ((_, data),) = payloads
    return CHOSEN.read(data).slot


@dataclass(frozen=True, slots=True)
class _Part:
    make: Callable[[Place, Keyring], object]
    check: Callable[[Place, Seat, bytes], Checked]


def _checked_by(
    build: type[Any], check_part: Callable[..., Vetted[Any]]
) -> Callable[[Place, Seat, bytes], Checked]:
    """Return the check of a part of the deck: read it, then let the deck judge it."""

    def checked(where: Place, seat: Seat, data: bytes) -> Checked:
        part = deck_messages(where.ground.group).read(data, build)
        return check_part(where.ground, where.at, seat, part)

    return checked


def _made_by(
    make_part: Callable[[Deck, Keyring, ops.ProofMoment], object],
) -> Callable[[Place, Keyring], object]:
    def made(where: Place, keyring: Keyring) -> object:
        return make_part(where.ground, keyring, where.at)

    return made


def _make_commit(where: Place, keyring: Keyring) -> ops.CommitPart:
    table, label = where.at.table, where.at.step
    return ops.make_commit(keyring, table, label, ops.coin_value(keyring, table, label))


def _check_commit(where: Place, seat: Seat, data: bytes) -> Said:
    part = deck_messages(where.position.setting.group).read(data, ops.CommitPart)
    return Said(seat, part.commitment)


def _make_open(where: Place, keyring: Keyring) -> ops.OpenPart:
    table, label = where.at.table, where.committed.label
    return ops.make_open(keyring, table, label, ops.coin_value(keyring, table, label))


def _check_open(where: Place, seat: Seat, data: bytes) -> Said:
    part = deck_messages(where.position.setting.group).read(data, ops.OpenPart)
    committed = ops.CommitPart(dict(where.committed.commitments)[seat])
    label = where.committed.label
    return Said(seat, ops.check_coin(where.at.table, label, seat, committed, part))


def _make_verdict(where: Place, keyring: Keyring) -> object:
    slots = where.position.program.compared
    faces = {ops.see(where.ground, keyring, slot) for slot in slots}
    make_part = ops.make_equal if len(faces) == 1 else ops.make_not_equal
    return make_part(where.ground, keyring, where.at, slots)


def _check_verdict(where: Place, seat: Seat, data: bytes) -> Judged:
    part = deck_messages(where.ground.group).read_any(data)
    slots = where.position.program.compared
    match part:
        case ops.EqualPart():
            ops.check_equal(where.ground, where.at, seat, slots, part)
        case ops.NotEqualPart():
            ops.check_not_equal(where.ground, where.at, seat, slots, part)
        case _:
            raise PeerError(Reason.ENCODING_KIND, f"{type(part).__name__} is no verdict")
    return Judged(seat, isinstance(part, ops.EqualPart))


def _check_choice(where: Place, seat: Seat, data: bytes) -> Picked:
    slot = CHOSEN.read(data).slot
    require_offered(where.position.program.asking, where.position.board, seat, slot)
    return Picked(seat, slot)


_PARTS: Final = MappingProxyType(
    {
        "keys": _Part(_made_by(ops.make_deck_key), _checked_by(ops.KeyPart, ops.check_deck_key)),
        "shuffle": _Part(
            _made_by(ops.make_shuffle), _checked_by(ops.ShufflePart, ops.check_shuffle)
        ),
        "mask": _Part(_made_by(ops.make_mask), _checked_by(ops.MaskPart, ops.check_mask)),
        "release": _Part(
            _made_by(ops.make_releases), _checked_by(ops.ReleasePart, ops.check_releases)
        ),
        COMMIT: _Part(_make_commit, _check_commit),
        OPEN: _Part(_make_open, _check_open),
        VERDICT: _Part(_make_verdict, _check_verdict),
    }
)

_CHECKS: Final = MappingProxyType(
    {**{kind: part.check for kind, part in _PARTS.items()}, CHOOSE: _check_choice}
)
