"""Retiring slots: a ciphertext that was replaced is never used again.

A slot number stands for one ciphertext with one set of layers. When mask, restack, transfer or
return puts another ciphertext in its place, the number is retired and its successor gets a new one,
so nothing that was proven or released for the old one can be applied to the new.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from nodealer.cards import Zone
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck
from nodealer.kernel import SlotId, changed


def succeeded(deck: Deck, retired: Sequence[SlotId], made: Sequence[Slot]) -> Deck:
    """Return the deck with each retired slot's successor lying in its position."""
    successors = {old: new.id for old, new in zip(retired, made, strict=True)}
    after = _dropped(deck, retired, len(made))
    return after.with_slots(made).with_layout(deck.layout.replaced(successors))


def retired_to_pile(deck: Deck, retired: Sequence[SlotId]) -> Deck:
    """Return the deck without these slots; their cards go on under the deck key."""
    by_zone: dict[Zone, list[SlotId]] = {}
    for number in retired:
        by_zone.setdefault(deck.layout.where(number), []).append(number)
    layout = deck.layout
    for zone, numbers in by_zone.items():
        layout = layout.removed(numbers, zone)
    return _dropped(deck, retired, 0).with_layout(layout)


def _dropped(deck: Deck, retired: Sequence[SlotId], made: int) -> Deck:
    gone = set(retired)
    rest = {number: slot for number, slot in deck.slots.items() if number not in gone}
    return changed(deck, slots=MappingProxyType(rest), next_slot=SlotId(deck.next_slot + made))
