"""A slot: one masked card, its closed layers, and who may finish it.

The ciphertext is `(E, M)`; here only N is kept, M minus every share that was opened, so that
`N = face + sum of l_j * E` over the layers that are still closed. `base` is the M that the card had
before the mask round. As long as the card was only masked and opened since its last joint shuffle,
taking it back for a reshuffle means returning to `(E, base)`, with no message and no proof.

A layer has a kind, because not every key may be opened in every way:

    kind    key                      opened by
    slot    one for one slot         the scalar itself
    seat    the seat's sealing key   a share with proof, never the scalar: it closes other cards too

The deck key, under which cards lie while they are shuffled, is in no slot: the mask round replaces
it before slots exist. The key of a hand exists only inside a restack (`deck.restacking`).

`origin` is the context from which the layer's owner derives its secret. It is public and part of
the state, so a seat needs to remember nothing but its seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from nodealer.crypto import Point
from nodealer.deck.audience import PUBLIC
from nodealer.kernel import LocalError, Reason, Seat, SlotId, changed


class LayerKind(Enum):
    """The reach of a layer's key beyond its slot; the value labels the making of its secret."""

    SLOT = "slot"
    SEAT = "seat"


@dataclass(frozen=True, slots=True)
class SealedShare:
    """A layer's share, readable by one viewer: `V = share + rho * Y` beside `U = rho * G`."""

    U: Point
    V: Point


@dataclass(frozen=True)
class Layer:
    """One seat's closed layer. `known` counts seals that are agreed; `sealed` holds those here."""

    seat: Seat
    kind: LayerKind
    key: Point
    origin: bytes
    known: frozenset[Seat] = frozenset()
    sealed: Mapping[Seat, SealedShare] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Slot:
    """A masked card in play."""

    id: SlotId
    E: Point
    N: Point
    base: Point | None
    layers: Mapping[Seat, Layer]
    audience: frozenset[Seat] = frozenset()
    face: str | None = None

    @property
    def closed(self) -> dict[Seat, frozenset[Seat]]:
        """The seats with a closed layer, each with those who know that layer."""
        return {seat: layer.known | {seat} for seat, layer in self.layers.items()}

    def layer(self, seat: Seat) -> Layer:
        """Return the closed layer of a seat."""
        if seat not in self.layers:
            raise LocalError(Reason.DECK_RELEASE_FORM, f"seat {seat} has none on slot {self.id}")
        return self.layers[seat]

    def sole_layer(self, holder: Seat) -> Layer:
        """Return the holder's layer, which must be the only closed one."""
        if set(self.layers) != {holder}:
            raise LocalError(
                Reason.DECK_NOT_SOLE, f"slot {self.id} is closed by {sorted(self.layers)}"
            )
        return self.layers[holder]

    def with_layer(self, layer: Layer) -> Slot:
        """Return the slot with one layer's state replaced."""
        return changed(self, layers=MappingProxyType({**self.layers, layer.seat: layer}))

    def without_layer(self, seat: Seat, share: Point) -> Slot:
        """Return the slot with one layer opened."""
        rest = {other: layer for other, layer in self.layers.items() if other != seat}
        return changed(self, N=self.N - share, layers=MappingProxyType(rest))

    def without_promises(self) -> Slot:
        """Return the slot with those seals counted alone that have arrived."""
        layers = {
            seat: changed(layer, known=frozenset(layer.sealed))
            for seat, layer in self.layers.items()
        }
        return changed(self, layers=MappingProxyType(layers))

    def uncovered(self, face: str, point: Point) -> Slot:
        """Return the slot with its face publicly known and no layer left."""
        return changed(self.shown(face), N=point, layers=MappingProxyType({}))

    def shown(self, face: str) -> Slot:
        """Return the slot with its face publicly known, whatever layers are still closed."""
        return changed(self, face=face, audience=self.audience | {PUBLIC})
