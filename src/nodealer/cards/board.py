"""The table as all see it: where every slot lies, and the faces that are open.

A board is what rules work with. It is the same whether the cards are masked (the deck holds their
ciphertexts) or dealt by a plain dealer in a test: rules name slots and never learn a face that is
not open to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from nodealer.cards.zones import Layout, Zone
from nodealer.kernel import LocalError, Reason, SlotId


@dataclass(frozen=True, slots=True)
class Board:
    """The layout, and the public face of every slot that has one."""

    layout: Layout = field(default_factory=Layout)
    faces: Mapping[SlotId, str] = field(default_factory=lambda: MappingProxyType({}))

    def at(self, zone: Zone) -> tuple[SlotId, ...]:
        """Return the slots of a zone, in order."""
        return self.layout.at(zone)

    def face(self, slot: SlotId) -> str:
        """Return the open face of a slot."""
        if slot not in self.faces:
            raise LocalError(Reason.DECK_FACE_UNKNOWN, f"slot {slot} is not open")
        return self.faces[slot]

    def faces_at(self, zone: Zone) -> tuple[str, ...]:
        """Return the faces of a zone all of whose cards are open."""
        return tuple(self.face(slot) for slot in self.at(zone))

    def moved(self, slots: Iterable[SlotId], to: Zone) -> Board:
        """Return the board with slots, wherever they lie, put behind those of a zone, in order."""
        return Board(self.layout.brought(slots, to), self.faces)

    def opened(self, faces: Mapping[SlotId, str]) -> Board:
        """Return the board with more faces open."""
        return Board(self.layout, MappingProxyType({**self.faces, **faces}))

    def without(self, slots: Iterable[SlotId]) -> Board:
        """Return the board without retired slots."""
        gone = frozenset(slots)
        zones = {
            zone: tuple(slot for slot in present if slot not in gone)
            for zone, present in self.layout.zones.items()
        }
        faces = {slot: face for slot, face in self.faces.items() if slot not in gone}
        return Board(Layout(MappingProxyType(zones)), MappingProxyType(faces))

    def placed(self, slots: Iterable[SlotId], zone: Zone) -> Board:
        """Return the board with new slots behind those of a zone."""
        return Board(self.layout.placed(slots, zone), self.faces)
