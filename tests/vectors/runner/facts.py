"""The facts of a deck: what everybody computes alike, and what single seats see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from nodealer.cards import Zone
from nodealer.crypto import Point
from nodealer.deck import Deck, Keyring, Layer, Slot, Stage, see
from nodealer.kernel import Seat
from tests.vectors.runner.reading import Json, listed


def facts_of(deck: Deck | None, rings: Mapping[Seat, Keyring]) -> Json:
    """Return the facts of a deck; before the first there are none."""
    if deck is None:
        return {}
    facts: Json = {
        "stage": deck.stage.value,
        "roster": list(deck.roster),
        "next_slot": deck.next_slot,
        "zones": {_zone(place): list(held) for place, held in deck.layout.zones.items() if held},
        "slots": {str(number): _slot(slot) for number, slot in deck.slots.items()},
        "owed": {
            str(number): {"opens": listed(due.opens), "viewers": listed(due.viewers)}
            | ({} if due.guard is None else {"guard": due.guard})
            for number, due in deck.owed.items()
        },
        "sees": {str(seat): _sees(deck, rings[seat]) for seat in deck.roster},
    }
    if deck.stage is not Stage.KEYS:
        facts["joint_key"] = deck.joint_key.encode().hex()
    if deck.pile is not None:
        facts["pile"] = {
            "zone": _zone(deck.pile.zone),
            "shuffled_by": list(deck.pile.shuffled_by),
            "cards": _hash(point for card in deck.pile.cards for point in card),
        }
    return facts


def _slot(slot: Slot) -> Json:
    face = {} if slot.face is None else {"face": slot.face}
    return {
        "card": _hash((slot.E, slot.N)),
        "audience": listed(slot.audience),
        "layers": {str(seat): _layer(layer) for seat, layer in slot.layers.items()},
    } | face


def _layer(layer: Layer) -> Json:
    seals = [layer.sealed[viewer] for viewer in sorted(layer.sealed)]
    points = [layer.key, *[point for seal in seals for point in (seal.U, seal.V)]]
    return {"kind": layer.kind.value, "known": listed(layer.known), "points": _hash(points)}


def _sees(deck: Deck, ring: Keyring) -> Json:
    """Return the hidden cards whose layers this seat can all take off, with their faces."""
    found = {}
    for number, slot in deck.slots.items():
        sealed = [ring.seat in layer.sealed for seat, layer in slot.layers.items()
                  if seat != ring.seat]  # fmt: skip
        is_open = slot.face is not None or number in deck.owed
        if not is_open and ring.seat in slot.audience and all(sealed):
            found[str(number)] = see(deck, ring, number)
    return found


def _zone(place: Zone) -> str:
    return place.name if place.seat is None else f"{place.name}/{place.seat}"


def _hash(points: Iterable[Point]) -> str:
    return sha256(b"".join([point.encode() for point in points])).hexdigest()
