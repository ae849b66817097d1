"""The sight of one seat: its view of a slot, and the face when the audience holds it.

A viewer takes away the shares that were sealed to it and its own layer, and what is left is the
point of a face. Everything here is computed from the public state and one keyring; nothing is sent,
and a node never reports that something could not be decoded: after verified releases that is an
error of the program, and an answer would serve as an oracle.
"""

from __future__ import annotations

from nodealer.crypto import Point, relations
from nodealer.deck.keyring import Keyring
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck
from nodealer.kernel import LocalError, Reason, Seat, SlotId


def see(deck: Deck, keyring: Keyring, number: SlotId) -> str:
    """Return the face of a slot that this seat may see, once it has all that this takes.

    Releases for a further viewer take nothing away from those who could see the card before.
    """
    slot = deck.slot(number)
    if slot.face is not None:
        return slot.face
    if keyring.seat not in slot.audience:
        raise LocalError(Reason.DECK_NOT_VIEWER, f"seat {keyring.seat}, slot {number}")
    if number in deck.owed and not holds_seals(slot, keyring.seat):
        raise LocalError(Reason.DECK_OWED, f"slot {number}")
    return deck.faces.name(face_point(deck, keyring, slot))


def view_of(deck: Deck, seat: Seat, slot: Slot) -> relations.SlotView:
    """Return a slot as a member of its audience sees it, as far as everybody can compute it."""
    if slot.face is not None:
        C = deck.faces.point(slot.face)
        return relations.SlotView(slot.E, C, deck.group.identity, None)
    if seat not in slot.audience:
        raise LocalError(Reason.DECK_NOT_VIEWER, f"seat {seat}, slot {slot.id}")
    own = slot.layers.get(seat)
    others = [layer for layer in slot.layers.values() if layer.seat != seat]
    if not holds_seals(slot, seat):
        raise LocalError(Reason.DECK_NOT_VIEWER, f"seat {seat} lacks a seal on slot {slot.id}")
    sealed = [layer.sealed[seat] for layer in others]
    Q = slot.N - deck.group.total(part.V for part in sealed)
    W = deck.group.total(part.U for part in sealed)
    return relations.SlotView(slot.E, Q, W, None if own is None else own.key)


def holds_seals(slot: Slot, seat: Seat) -> bool:
    """Tell whether every other seat's closed layer was sealed to this one.

    Who handed a card over stays in its audience without a seal: it knows the card from before, but
    there is nothing on the table from which it could prove what it knows.
    """
    return all(seat in layer.sealed for layer in slot.layers.values() if layer.seat != seat)


def face_point(deck: Deck, keyring: Keyring, slot: Slot) -> Point:
    """Return what is left of a slot once this seat has removed all that it can."""
    view = view_of(deck, keyring.seat, slot)
    point = view.Q
    if not view.W.is_identity:
        point += keyring.sealing_secret(deck.terms) * view.W
    if view.L is not None:
        point -= keyring.layer_secret(slot.layer(keyring.seat)) * slot.E
    return point
