"""Open cards: the true faces, what is public of them, and who has seen what.

A `Pack` is all that there is of cards where nothing is masked; effects make new ones of it
(`effects`), the plain dealer carries one along. What a pack never does, whatever it is asked for:
lose or make a card, use a slot's number twice. Who asks for it gets a `Bug`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeVar

from nodealer.cards import Board, Zone
from nodealer.kernel import Bug, Reason, Seat, SlotId

T = TypeVar("T")

FIRST_SLOT: Final = SlotId(0)


@dataclass(frozen=True, slots=True)
class Pack:
    """The true cards: every slot's face, what is public of them, and who has seen what."""

    faces: Mapping[SlotId, str] = field(default_factory=lambda: MappingProxyType({}))
    board: Board = field(default_factory=Board)
    notebooks: Mapping[Seat, Mapping[SlotId, str]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    next_slot: SlotId = FIRST_SLOT
    audiences: Mapping[SlotId, frozenset[Seat]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Who was ever shown a card: more than now see it, if it was handed over since."""
    holders: Mapping[SlotId, Seat] = field(default_factory=lambda: MappingProxyType({}))
    """Whose card it is alone to restack, to give or to claim, until it is turned over."""

    def check(self) -> None:
        """Raise `Bug` unless places, faces and notebooks agree with one another."""
        lying = [slot for slots in self.board.layout.zones.values() for slot in slots]
        require(sorted(lying) == sorted(self.faces), "every card lies in one place")
        require(all(slot < self.next_slot for slot in lying), "slots are numbered upwards")
        for known in (self.board.faces, *self.notebooks.values()):
            require(known.items() <= self.faces.items(), "what is known of cards is true")
        for told in (self.audiences, self.holders):
            require(told.keys() <= self.faces.keys(), "what is told of cards is told of these")

    def named(self, slots: Sequence[SlotId]) -> Sequence[SlotId]:
        """Return slots that an effect names: each is there, and none is named twice."""
        require(len(set(slots)) == len(slots), "a slot is named once")
        require(self.faces.keys() >= set(slots), "a slot that is named exists")
        return slots

    def opened(self, slots: Iterable[SlotId]) -> Pack:
        """Return the pack with these slots open to everybody."""
        faces = {slot: self.faces[slot] for slot in slots}
        holders = _left(self.holders, frozenset(faces))
        return replace(self, board=self.board.opened(faces), holders=holders)

    def shown(
        self,
        slots: Iterable[SlotId],
        seats: Sequence[Seat],
        first: Seat | None = None,
        *,
        stays_closed: bool = False,
    ) -> Pack:
        """Return the pack after these seats have seen these hidden slots.

        A slot that the last of all seats has now been shown is open, unless it stays closed. Who
        was shown a slot and has handed it over since sees it again with whoever is shown it next.
        Who sees a card first holds it, the lowest of these seats if nobody is named.
        """
        viewers = frozenset(self.notebooks.keys() & set(seats))
        audiences: dict[SlotId, frozenset[Seat]] = {}
        everybodys = []
        for slot in slots:
            before = self.audiences.get(slot, frozenset())
            if all(seat in before and slot in self.notebooks[seat] for seat in viewers):
                continue
            audiences[slot] = before | viewers
            if audiences[slot] != before and audiences[slot] >= self.notebooks.keys():
                everybodys.append(slot)
        holder = min(viewers, default=None) if first is None else first
        pack = self if holder is None else self.seen_by(audiences, holder)
        return pack if stays_closed else pack.opened(everybodys)

    def seen_by(self, audiences: Mapping[SlotId, frozenset[Seat]], first: Seat) -> Pack:
        """Return the pack after audiences have seen slots; who is first holds those seen now."""
        notebooks = {
            seat: MappingProxyType(
                {
                    **known,
                    **{slot: self.faces[slot] for slot in audiences if seat in audiences[slot]},
                }
            )
            for seat, known in self.notebooks.items()
        }
        return replace(
            self,
            notebooks=MappingProxyType(notebooks),
            audiences=MappingProxyType({**self.audiences, **audiences}),
            holders=MappingProxyType({**dict.fromkeys(audiences, first), **self.holders}),
        )

    def viewers(self, slot: SlotId) -> set[Seat]:
        """Return which seats of the game were ever shown a slot."""
        return set(self.audiences.get(slot, ())) & self.notebooks.keys()

    def holder_of(self, slots: Sequence[SlotId]) -> Seat:
        """Return the one seat of the game that holds all of these slots."""
        holders = {self.holders.get(slot) for slot in slots}
        require(len(holders) == 1 and holders <= self.notebooks.keys(), "a seat holds the cards")
        (holder,) = holders
        assert holder is not None, "it is one of the seats"
        return holder

    def retired(self, slots: Iterable[SlotId]) -> Pack:
        """Return the pack without these slots."""
        gone = frozenset(slots)
        notebooks = {seat: _left(known, gone) for seat, known in self.notebooks.items()}
        return replace(
            self,
            faces=_left(self.faces, gone),
            board=self.board.without(gone),
            notebooks=MappingProxyType(notebooks),
            audiences=_left(self.audiences, gone),
            holders=_left(self.holders, gone),
        )

    def placed(self, faces: Sequence[str], zone: Zone) -> tuple[Pack, tuple[SlotId, ...]]:
        """Return the pack with new cards behind those of a zone, and their slots."""
        slots = tuple(SlotId(self.next_slot + index) for index in range(len(faces)))
        pack = replace(
            self,
            faces=MappingProxyType({**self.faces, **dict(zip(slots, faces, strict=True))}),
            board=self.board.placed(slots, zone),
            next_slot=SlotId(self.next_slot + len(slots)),
        )
        return pack, slots

    def replaced(
        self, slots: Sequence[SlotId], faces: Sequence[str], holder: Seat
    ) -> tuple[Pack, tuple[SlotId, ...]]:
        """Return the pack with new slots in the places of others, and which these are.

        They have these faces, and their holder alone sees them.
        """
        made = tuple(SlotId(self.next_slot + index) for index in range(len(slots)))
        layout = self.board.layout.replaced(dict(zip(slots, made, strict=True)))
        pack = self.retired(slots)
        true = dict(zip(made, faces, strict=True))
        pack = replace(
            pack,
            faces=MappingProxyType({**pack.faces, **true}),
            board=Board(layout, pack.board.faces),
            next_slot=SlotId(self.next_slot + len(made)),
        )
        return pack.seen_by(dict.fromkeys(made, frozenset((holder,))), holder), made


def require(holds: object, rule: str) -> None:
    """Raise `Bug` unless a rule about the cards holds."""
    if not holds:
        raise Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")


def _left(known: Mapping[SlotId, T], gone: frozenset[SlotId]) -> Mapping[SlotId, T]:
    return MappingProxyType({slot: told for slot, told in known.items() if slot not in gone})
