"""Open cards: the true faces, what is public of them, and who has seen what.

A `Pack` is all that there is of cards where nothing is masked; effects make new ones of it
(`effects`), the plain dealer carries one along. What a pack never does, whatever it is asked for:
lose or make a card, use a slot's number twice. Who asks for it gets a `Bug`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from nodealer.cards import Board, Zone
from nodealer.kernel import Bug, Reason, Seat, SlotId

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

    def check(self) -> None:
        """Raise `Bug` unless places, faces and notebooks agree with one another."""
        lying = [slot for slots in self.board.layout.zones.values() for slot in slots]
        require(sorted(lying) == sorted(self.faces), "every card lies in one place")
        require(all(slot < self.next_slot for slot in lying), "slots are numbered upwards")
        for known in (self.board.faces, *self.notebooks.values()):
            require(known.items() <= self.faces.items(), "what is known of cards is true")

    def named(self, slots: Sequence[SlotId]) -> Sequence[SlotId]:
        """Return slots that an effect names: each is there, and none is named twice."""
        require(len(set(slots)) == len(slots), "a slot is named once")
        require(self.faces.keys() >= set(slots), "a slot that is named exists")
        return slots

    def opened(self, slots: Iterable[SlotId]) -> Pack:
        """Return the pack with these slots open to everybody."""
        faces = {slot: self.faces[slot] for slot in slots}
        return replace(self, board=self.board.opened(faces))

    def shown(self, slots: Iterable[SlotId], seats: Sequence[Seat]) -> Pack:
        """Return the pack after these seats have seen these slots, everybody if none is named.

        A slot that the last of all seats now sees is open; who has seen it before changes nothing.
        """
        if not seats:
            return self.opened(slots)
        viewers = [seat for seat in self.notebooks if seat in seats]
        new = [s for s in slots if any(s not in self.notebooks[seat] for seat in viewers)]
        seen = {slot: self.faces[slot] for slot in new}
        notebooks = {
            seat: MappingProxyType({**known, **seen}) if seat in seats else known
            for seat, known in self.notebooks.items()
        }
        everybodys = [slot for slot in new if all(slot in known for known in notebooks.values())]
        return replace(self, notebooks=MappingProxyType(notebooks)).opened(everybodys)

    def viewers(self, slot: SlotId) -> set[Seat]:
        """Return who has been shown a slot; what is open counts for nobody."""
        return {seat for seat, known in self.notebooks.items() if slot in known}

    def retired(self, slots: Iterable[SlotId]) -> Pack:
        """Return the pack without these slots."""
        gone = frozenset(slots)
        notebooks = {seat: _left(known, gone) for seat, known in self.notebooks.items()}
        return replace(
            self,
            faces=_left(self.faces, gone),
            board=self.board.without(gone),
            notebooks=MappingProxyType(notebooks),
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


def require(holds: object, rule: str) -> None:
    """Raise `Bug` unless a rule about the cards holds."""
    if not holds:
        raise Bug(Reason.LOCAL_ARGUMENT, f"not so: {rule}")


def _left(known: Mapping[SlotId, str], gone: frozenset[SlotId]) -> Mapping[SlotId, str]:
    return MappingProxyType({slot: face for slot, face in known.items() if slot not in gone})
