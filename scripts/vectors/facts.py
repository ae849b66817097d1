"""What everybody must compute alike of a deck, as JSON: the facts of a conversation.

The facts hold no points but hashes of them, which is shorter and catches as much. What single seats
see stands beside them (`sees`); it takes their seeds.
"""

from __future__ import annotations

from hashlib import sha256

from nodealer.crypto import Point
from nodealer.deck import Deck, Keyring, Layer, ReleasePlan, Slot, Stage, see
from nodealer.kernel import Seat
from scripts.vectors.files import Json
from scripts.vectors.notation import seats, zone


def facts_of(deck: Deck | None, rings: dict[Seat, Keyring]) -> Json:
    """Return the facts of a deck; there are none before the first."""
    if deck is None:
        return {}
    facts: Json = {
        "stage": deck.stage.value,
        "roster": [int(seat) for seat in deck.roster],
        "next_slot": int(deck.next_slot),
        "zones": {zone(place): list(slots) for place, slots in deck.layout.zones.items() if slots},
        "slots": {str(number): _slot(slot) for number, slot in deck.slots.items()},
        "owed": {str(number): _plan(made) for number, made in deck.owed.items()},
        "sees": {str(seat): _seen(deck, rings[seat]) for seat in deck.roster},
    }
    if deck.stage is not Stage.KEYS:
        facts["joint_key"] = deck.joint_key.encode().hex()
    if deck.pile is not None:
        facts["pile"] = {
            "zone": zone(deck.pile.zone),
            "shuffled_by": [int(seat) for seat in deck.pile.shuffled_by],
            "cards": _hash(*[half for card in deck.pile.cards for half in card]),
        }
    return facts


def _slot(slot: Slot) -> Json:
    described: Json = {
        "card": _hash(slot.E, slot.N),
        "audience": seats(slot.audience),
        "layers": {str(seat): _layer(layer) for seat, layer in sorted(slot.layers.items())},
    }
    return described if slot.face is None else described | {"face": slot.face}


def _layer(layer: Layer) -> Json:
    sealed = [half for _, there in sorted(layer.sealed.items()) for half in (there.U, there.V)]
    return {
        "kind": layer.kind.value,
        "known": seats(layer.known),
        "points": _hash(layer.key, *sealed),
    }


def _plan(made: ReleasePlan) -> Json:
    described: Json = {"opens": seats(made.opens), "viewers": seats(made.viewers)}
    return described if made.guard is None else described | {"guard": int(made.guard)}


def _seen(deck: Deck, ring: Keyring) -> Json:
    return {
        str(number): see(deck, ring, number)
        for number, slot in deck.slots.items()
        if number not in deck.owed and _can_open(slot, ring.seat)
    }


def _can_open(slot: Slot, seat: Seat) -> bool:
    """Whether a seat of the audience can take off all layers of a hidden card.

    Who handed a card over stays in its audience without being able to.
    """
    others = [layer for layer in slot.layers.values() if layer.seat != seat]
    return (
        slot.face is None
        and seat in slot.audience
        and all(seat in layer.sealed for layer in others)
    )


def _hash(*points: Point) -> str:
    return sha256(b"".join([point.encode() for point in points])).hexdigest()
