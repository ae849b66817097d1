"""The public state of a deck: what every peer, and every reader of the history, computes alike.

A `Deck` is a value. Operations take one and return another; a refused operation returns nothing,
so the deck that the caller holds is untouched. No secret is ever in it: a seat's private side is
its `Keyring`, which derives from one seed and this state whatever the seat owns.

An epoch of a deck passes through stages. Which one it is in follows from its fields:

    keys      the seats' deck keys are due
    shuffle   the pile is under the joint key, some seats have not shuffled it yet
    mask      all have shuffled; each now swaps its deck key for one key per card
    release   releases were agreed on and are due
    ready     nothing is due: cards can be dealt, shown, moved

A joint step is made of parts, one from each seat that owes one. A part is checked against the
state over which it was made, which gives a `Vetted` part, and only vetted parts can be taken in.
A seat may vouch for its own shuffle and mask, which it made correctly by construction; all else,
own parts included, goes through the check before it is sent (a faulty bit in a proof with derived
nonces can give the secret away).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import wraps
from types import MappingProxyType
from typing import Final, Generic, ParamSpec, TypeVar

from nodealer.cards import Board, Composition, Layout, Zone
from nodealer.crypto import Group, Masked, Point
from nodealer.deck.audience import ReleasePlan
from nodealer.deck.face_points import FaceTable, face_table
from nodealer.deck.moment import ProofMoment
from nodealer.deck.slots import Layer, LayerKind, Slot
from nodealer.kernel import (
    ID_BYTES,
    SEATS_MAX,
    SEATS_MIN,
    EpochId,
    LocalError,
    PeerError,
    Reason,
    Seat,
    SlotId,
    TableId,
    changed,
    frame,
)

FIRST_SLOT: Final = SlotId(0)
"""The number of a table's first slot."""

PartT = TypeVar("PartT")
P = ParamSpec("P")
R = TypeVar("R")


class Stage(Enum):
    """The step that is due on the deck."""

    KEYS = "keys"
    SHUFFLE = "shuffle"
    MASK = "mask"
    RELEASE = "release"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards under the joint deck key, on their way through a shuffle into a zone."""

    cards: tuple[Masked, ...]
    zone: Zone
    shuffled_by: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Deck:
    """One epoch of a deck at one table."""

    group: Group
    table: TableId
    terms: bytes
    epoch: EpochId
    roster: tuple[Seat, ...]
    sealing_keys: Mapping[Seat, Point]
    composition: Composition
    entering: Composition
    next_slot: SlotId
    deck_keys: Mapping[Seat, Point] = field(default_factory=lambda: MappingProxyType({}))
    pile: Pile | None = None
    slots: Mapping[SlotId, Slot] = field(default_factory=lambda: MappingProxyType({}))
    layout: Layout = field(default_factory=Layout)
    owed: Mapping[SlotId, ReleasePlan] = field(default_factory=lambda: MappingProxyType({}))
    _board: Board | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def board(self) -> Board:
        """What of the cards is public; put together when it is asked for first."""
        if self._board is None:
            faces = {slot.id: slot.face for slot in self.slots.values() if slot.face is not None}
            object.__setattr__(self, "_board", Board(self.layout, MappingProxyType(faces)))
        assert self._board is not None, "it was put together"
        return self._board

    @property
    def stage(self) -> Stage:
        """What is due next."""
        if not self.deck_keys:
            return Stage.KEYS
        if self.pile is not None:
            done = len(self.pile.shuffled_by) == len(self.roster)
            return Stage.MASK if done else Stage.SHUFFLE
        return Stage.RELEASE if self.owed else Stage.READY

    @property
    def faces(self) -> FaceTable:
        """The points of this deck's faces."""
        return face_table(self.group, self.composition)

    @property
    def joint_key(self) -> Point:
        """X, the sum of all deck keys."""
        return self.group.total(self.deck_keys.values())

    def slot(self, slot: SlotId) -> Slot:
        """Return a slot in play; retired and unknown numbers are refused apart."""
        found = self.slots.get(slot)
        if found is None:
            used = 0 <= slot < self.next_slot
            raise LocalError(
                Reason.DECK_SLOT_RETIRED if used else Reason.DECK_SLOT_UNKNOWN, f"slot {slot}"
            )
        return found

    def require(self, *stages: Stage) -> None:
        """Refuse what does not belong to the present stage."""
        if self.stage not in stages:
            raise LocalError(Reason.DECK_STAGE, f"the deck is at {self.stage.value}")

    def require_seat(self, seat: Seat) -> None:
        """Refuse seats that are not in the roster."""
        if seat not in self.roster:
            raise LocalError(Reason.DECK_SEAT, f"seat {seat} is not in the roster")

    def with_slots(self, slots: Iterable[Slot]) -> Deck:
        """Return the deck with these slots in their new state."""
        known = {slot.id: slot for slot in slots}
        return changed(self, slots=MappingProxyType({**self.slots, **known}))

    def with_layout(self, layout: Layout) -> Deck:
        """Return the deck with its slots lying elsewhere."""
        return changed(self, layout=layout)

    def numbered(self, count: int, behind: int = 0) -> range:
        """Return the numbers of the next `count` slots, or of those that follow on others."""
        first = self.next_slot + behind
        return range(first, first + count)


def new_deck(
    group: Group,
    table: TableId,
    terms: bytes,
    epoch: EpochId,
    sealing_keys: Mapping[Seat, Point],
    composition: Composition,
    *,
    roster: Sequence[Seat] | None = None,
    first_slot: SlotId = FIRST_SLOT,
) -> Deck:
    """Return the deck of a new epoch, before its keys.

    `first_slot` is the `next_slot` of the epoch before it at this table: numbers are never reused.
    """
    seats = tuple(sorted(sealing_keys if roster is None else roster))
    if not SEATS_MIN <= len(seats) <= SEATS_MAX or len(set(seats)) != len(seats):
        raise LocalError(Reason.LOCAL_ARGUMENT, f"a roster of {len(seats)} seats")
    if any(seat < 0 or seat not in sealing_keys for seat in seats):
        raise LocalError(Reason.LOCAL_ARGUMENT, "a seat without sealing key")
    if any(len(value) != ID_BYTES for value in (table, terms, epoch)) or first_slot < 0:
        raise LocalError(Reason.LOCAL_ARGUMENT, "table, terms and epoch are hashes")
    distinct_keys(sealing_keys)
    face_table(group, composition)
    return Deck(
        group=group,
        table=table,
        terms=terms,
        epoch=epoch,
        roster=seats,
        sealing_keys=MappingProxyType(dict(sealing_keys)),
        composition=composition,
        entering=composition,
        next_slot=first_slot,
    )


def cleared(deck: Deck) -> Deck:
    """Return the deck with every slot retired, as before the first epoch of another game."""
    return changed(
        deck,
        pile=None,
        slots=MappingProxyType({}),
        layout=Layout(),
        owed=MappingProxyType({}),
    )


def renewed(
    deck: Deck,
    epoch: EpochId,
    entering: Composition,
    roster: Sequence[Seat] | None = None,
    keep: Sequence[SlotId] | None = None,
) -> Deck:
    """Return the next epoch at a table whose open cards, or those to keep, stay where they lie.

    Every other slot is retired, whatever anybody knows of it; `entering` are the cards that are
    shuffled now. A seat that left takes no part.
    """
    fresh = new_deck(
        deck.group,
        deck.table,
        deck.terms,
        epoch,
        deck.sealing_keys,
        deck.composition,
        roster=deck.roster if roster is None else roster,
        first_slot=deck.next_slot,
    )
    for name in entering.distinct:
        deck.faces.point(name)
    staying = {
        slot.id: slot.uncovered(slot.face, deck.faces.point(slot.face))
        for slot in deck.slots.values()
        if slot.face is not None and (keep is None or slot.id in keep)
    }
    layout = Layout()
    for zone, slots in deck.layout.zones.items():
        layout = layout.placed([slot for slot in slots if slot in staying], zone)
    kept = changed(fresh, entering=entering, slots=MappingProxyType(staying))
    return kept.with_layout(layout)


def distinct_keys(keys: Mapping[Seat, Point]) -> Mapping[Seat, Point]:
    """Return the keys if no two seats show the same one; else both are at fault.

    Each seat has proven that it knows the secret of its key, so two with one key share a secret.
    """
    holders: dict[Point, Seat] = {}
    for seat, key in sorted(keys.items()):
        if key in holders:
            pair = (holders[key], seat)
            raise PeerError(Reason.DECK_SAME_KEY, f"seats {pair[0]} and {pair[1]}", pair)
        holders[key] = seat
    return MappingProxyType(dict(keys))


def without_seats(deck: Deck, leaving: Iterable[Seat]) -> Deck:
    """Return the deck after seats have left while the cards stay.

    Their closed layers stay closed for ever, so whatever needs one of them is refused from now on.
    What was owed is broken off: audiences stay as they were granted, but of the releases nothing
    counts any more, whatever of it has left.
    """
    deck.require(Stage.READY, Stage.RELEASE)
    gone = frozenset(leaving)
    if not gone <= set(deck.roster):
        raise LocalError(Reason.DECK_SEAT, f"{sorted(gone)} are not all in the roster")
    staying = tuple(seat for seat in deck.roster if seat not in gone)
    if not staying:
        raise LocalError(Reason.LOCAL_ARGUMENT, "somebody has to stay")
    unserved = [deck.slot(number).without_promises() for number in deck.owed]
    return changed(deck.with_slots(unserved), roster=staying, owed=MappingProxyType({}))


def held_alone(deck: Deck, seat: Seat, zone: Zone) -> list[Slot]:
    """Return the slots of a seat's own zone, in order, each closed by that seat alone.

    What is shown about a hand is shown about every card of it, so one card that others close as
    well, or that lies open, makes the operation illegal.
    """
    deck.require(Stage.READY)
    deck.require_seat(seat)
    if zone.seat != seat:
        raise LocalError(Reason.DECK_ZONE, f"{zone.name} is not a zone of seat {seat}")
    slots = [deck.slot(number) for number in deck.layout.at(zone)]
    if not slots:
        raise LocalError(Reason.DECK_ZONE, f"no cards in {zone.name}")
    for slot in slots:
        slot.sole_layer(seat)
    return slots


def seat_layer(deck: Deck, seat: Seat) -> Layer:
    """Return a layer under the sealing key of a seat."""
    origin = seat_origin(deck.terms, seat)
    return Layer(seat, LayerKind.SEAT, deck.sealing_keys[seat], origin)


def seat_origin(terms: bytes, seat: Seat) -> bytes:
    """Return the context from which a seat derives its sealing key."""
    return frame("seat", terms, seat)


@dataclass(frozen=True, slots=True)
class Vetted(Generic[PartT]):
    """A part that was checked at one moment over one state; made by the checks of this package."""

    seat: Seat
    part: PartT
    over: Deck
    at: ProofMoment

    def __post_init__(self) -> None:
        """Refuse a moment of another table; no proof would have held there."""
        if self.at.table != self.over.table:
            raise LocalError(Reason.LOCAL_ARGUMENT, "the moment is of another table")

    def of(self, kind: type[PartT], deck: Deck) -> PartT:
        """Return the part if it is of this kind and was checked over this very state."""
        if self.over is not deck or not isinstance(self.part, kind):
            raise LocalError(Reason.LOCAL_STALE, f"{type(self.part).__name__} of seat {self.seat}")
        return self.part


def collected(
    deck: Deck, kind: type[PartT], owing: Iterable[Seat], parts: Iterable[Vetted[PartT]]
) -> dict[Seat, PartT]:
    """Return one part of this kind from each owing seat, by seat in ascending order.

    All were checked over `deck`, and at the same moment.
    """
    by_seat: dict[Seat, PartT] = {}
    moments = set()
    for vetted in parts:
        if vetted.seat in by_seat:
            raise LocalError(Reason.DECK_SEAT, f"two parts of seat {vetted.seat}")
        by_seat[vetted.seat] = vetted.of(kind, deck)
        moments.add(vetted.at)
    missing = set(owing) - set(by_seat)
    if missing:
        raise LocalError(Reason.DECK_MISSING, f"of seats {sorted(missing)}")
    foreign = set(by_seat) - set(owing)
    if foreign:
        raise LocalError(Reason.DECK_SEAT, f"of seats {sorted(foreign)}")
    if len(moments) > 1:
        raise LocalError(Reason.LOCAL_STALE, "the parts were made at different moments")
    return dict(sorted(by_seat.items()))


def judging(check: Callable[P, R]) -> Callable[P, R]:
    """Turn what a check finds illegal into a refusal of the peer whose part it checks.

    The preconditions of an operation are the same for the seat that makes it and for the others
    that judge it. For the maker a violation is a mistake of ours, for the judge it is the peer's;
    this is the one place that says so. It is right only if the arguments beside the part (which
    slots, which face, which receiver) were found to be what the step asks for *before* the check
    is called. What is wrong with us alone (`local/...`) stays our mistake.
    """

    @wraps(check)
    def judged(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return check(*args, **kwargs)
        except LocalError as refused:
            if refused.reason.is_local:
                raise
            raise PeerError(refused.reason, refused.detail) from refused

    return judged
