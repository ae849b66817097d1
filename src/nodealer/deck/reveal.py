"""A seat turns a card over from its own knowledge, inside an action of its own.

This is how a known card is played: the face is opened within the action, so that everybody can
check that the play is legal before sealing it. It works without any other seat in two cases: the
seat's layer is the only one left, or every other closed layer was sealed to it. In the second case
it proves the face instead of opening layers, which also serves when the guard of a card has gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nodealer.crypto import Proof, ProofTranscript, Statement, prove, relations, verify
from nodealer.deck.audience import PUBLIC
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.release import Opening, OpenKey, OpenShare, check_opening, make_opening, share_of
from nodealer.deck.sight import see, view_of
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck, Stage, Vetted, judging
from nodealer.kernel import LocalError, PeerError, Reason, Seat, SlotId


@dataclass(frozen=True, slots=True)
class ViewedFace:
    """A face as this seat sees it, with the proof that it does."""

    face: str
    proof: Proof


RevealPart: TypeAlias = OpenKey | OpenShare | ViewedFace


@dataclass(frozen=True, slots=True)
class Revealed:
    """A checked reveal: the slot that it turns over, and its face."""

    number: SlotId
    face: str


def make_reveal(deck: Deck, keyring: Keyring, moment: ProofMoment, number: SlotId) -> RevealPart:
    """Turn over a slot that this seat can see."""
    slot = _revealable(deck, keyring.seat, number)
    if set(slot.layers) == {keyring.seat}:
        return make_opening(deck, keyring, moment, slot)
    face = see(deck, keyring, number)
    witness = [keyring.sealing_secret(deck.terms)]
    if keyring.seat in slot.layers:
        witness.append(keyring.layer_secret(slot.layer(keyring.seat)))
    statement = _view_statement(deck, keyring.seat, slot, face)
    transcript = _transcript(deck, moment, keyring.seat, slot)
    return ViewedFace(face, prove(deck.group, transcript, statement, witness, keyring.nonces))


@judging
def check_reveal(
    deck: Deck, moment: ProofMoment, seat: Seat, number: SlotId, part: RevealPart
) -> Vetted[Revealed]:
    """Check a reveal and learn the face."""
    slot = _revealable(deck, seat, number)
    if set(slot.layers) == {seat}:
        face = _opened_face(deck, moment, slot, seat, part)
    else:
        face = _viewed_face(deck, moment, slot, seat, part)
    return Vetted(seat, Revealed(number, face), deck, moment)


def take_reveal(deck: Deck, vetted: Vetted[Revealed]) -> Deck:
    """Take in a reveal: the face is public and no layer is left to open."""
    revealed = vetted.of(Revealed, deck)
    point = deck.faces.point(revealed.face)
    return deck.with_slots([deck.slot(revealed.number).uncovered(revealed.face, point)])


def _revealable(deck: Deck, seat: Seat, number: SlotId) -> Slot:
    deck.require(Stage.READY)
    deck.require_seat(seat)
    slot = deck.slot(number)
    if PUBLIC in slot.audience:
        raise LocalError(Reason.DECK_FACE_KNOWN, f"slot {number}")
    if seat not in slot.audience:
        raise LocalError(Reason.DECK_NOT_VIEWER, f"seat {seat}, slot {number}")
    return slot


def _opened_face(deck: Deck, moment: ProofMoment, slot: Slot, seat: Seat, part: RevealPart) -> str:
    opening = _as_opening(part)
    check_opening(deck, moment, slot, seat, opening)
    return deck.faces.name(slot.N - share_of(slot, opening))


def _viewed_face(deck: Deck, moment: ProofMoment, slot: Slot, seat: Seat, part: RevealPart) -> str:
    if not isinstance(part, ViewedFace):
        raise PeerError(Reason.DECK_RELEASE_FORM, f"{type(part).__name__} of a viewer")
    statement = _view_statement(deck, seat, slot, part.face)
    transcript = _transcript(deck, moment, seat, slot)
    verify(deck.group, transcript, statement, part.proof, Reason.PROOF_VIEW_FACE)
    return part.face


def _as_opening(part: RevealPart) -> Opening:
    if isinstance(part, ViewedFace):
        raise PeerError(Reason.DECK_RELEASE_FORM, "a viewer's proof of a sole layer")
    return part


def _view_statement(deck: Deck, seat: Seat, slot: Slot, face: str) -> Statement:
    view = view_of(deck, seat, slot)
    return relations.view_face(deck.group, deck.sealing_keys[seat], view, deck.faces.point(face))


def _transcript(deck: Deck, moment: ProofMoment, seat: Seat, slot: Slot) -> ProofTranscript:
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, "view-face", [slot.id]))
