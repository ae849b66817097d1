"""The places where cards lie, without what they are.

A zone is a named place, some of them a seat's own (`hand` of seat 2), some common (`stock`,
`discard`). A layout says which slots lie in which zone and in which order; it is public and the
same for every peer. Layouts are values: every change returns a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from nodealer.kernel import LocalError, Reason, Seat, SlotId


class Zone(NamedTuple):
    """A place for cards; `seat` is its owner, or None for a common place."""

    name: str
    seat: Seat | None = None


STOCK = Zone("stock")
DISCARD = Zone("discard")


def hand(seat: Seat) -> Zone:
    """Return the zone of a seat's hand."""
    return Zone("hand", seat)


@dataclass(frozen=True, slots=True)
class Layout:
    """The slots of every zone, in order. No slot lies in two places; empty zones are not kept."""

    zones: Mapping[Zone, tuple[SlotId, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def at(self, zone: Zone) -> tuple[SlotId, ...]:
        """Return the slots of a zone, in order; a zone never used is empty."""
        return self.zones.get(zone, ())

    def where(self, slot: SlotId) -> Zone:
        """Return the zone of a slot."""
        for zone, slots in self.zones.items():
            if slot in slots:
                return zone
        raise LocalError(Reason.DECK_ZONE, f"slot {slot} lies nowhere")

    def placed(self, slots: Iterable[SlotId], zone: Zone) -> Layout:
        """Return the layout with new slots behind those of the zone."""
        return _layout({**self.zones, zone: self.at(zone) + tuple(slots)})

    def moved(self, slots: Sequence[SlotId], source: Zone, target: Zone) -> Layout:
        """Return the layout with slots taken from one zone and put behind those of another."""
        kept = self._left(slots, source)
        zones = {**self.zones, source: kept}
        zones[target] = zones.get(target, ()) + tuple(slots)
        # Nothing was added, so nothing lies twice.
        return Layout(MappingProxyType({zone: lying for zone, lying in zones.items() if lying}))

    def brought(self, slots: Iterable[SlotId], target: Zone) -> Layout:
        """Return the layout with slots, wherever they lie, behind those of a zone, in order."""
        layout = self
        for slot in slots:
            layout = layout.moved([slot], layout.where(slot), target)
        return layout

    def removed(self, slots: Sequence[SlotId], zone: Zone) -> Layout:
        """Return the layout without these slots of the zone."""
        return _layout({**self.zones, zone: self._left(slots, zone)})

    def _left(self, slots: Sequence[SlotId], zone: Zone) -> tuple[SlotId, ...]:
        """Return what a zone has without these slots of it."""
        present = self.at(zone)
        gone = set(slots)
        if len(gone) != len(slots):
            raise LocalError(Reason.DECK_SLOT_TWICE, f"{list(slots)}")
        if not gone <= set(present):
            raise LocalError(Reason.DECK_ZONE, f"{sorted(gone - set(present))} not in {zone.name}")
        return tuple([slot for slot in present if slot not in gone])

    def replaced(self, successors: Mapping[SlotId, SlotId]) -> Layout:
        """Return the layout with each named slot's successor in its very position."""
        return _layout(
            {
                zone: tuple(successors.get(slot, slot) for slot in slots)
                for zone, slots in self.zones.items()
            }
        )

    def exchanged(self, one: SlotId, other: SlotId) -> Layout:
        """Return the layout with two slots in each other's position."""
        self.where(one), self.where(other)
        return self.replaced({one: other, other: one})


def _layout(zones: Mapping[Zone, tuple[SlotId, ...]]) -> Layout:
    """Return the layout of these zones, in which no slot may lie twice."""
    lying = [slot for slots in zones.values() for slot in slots]
    if len(set(lying)) != len(lying):
        twice = sorted({slot for slot in lying if lying.count(slot) > 1})
        raise LocalError(Reason.DECK_SLOT_TWICE, f"{twice} would lie in two places")
    return Layout(MappingProxyType({zone: slots for zone, slots in zones.items() if slots}))
