"""Claims of a holder about its own hidden cards, proven without showing anything else.

    face        "this slot is a potato": its face becomes public, its layer stays closed
    member      "this slot is one of these faces"
    absent      "no card of my hand is a joker": covers every card of the hand, in order

The statement of a claim is built from the state alone. The part holds only what the claimant adds;
it cannot choose which slots, keys or faces the proof is about. A claim about a hand needs every
card of it under the holder's layer alone, else it is illegal, not partly proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.cards import Zone
from nodealer.crypto import (
    AnyProof,
    Group,
    Point,
    Proof,
    ProofTranscript,
    Statement,
    prove,
    prove_any,
    relations,
    verify,
    verify_any,
)
from nodealer.deck.audience import PUBLIC
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.sight import see
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck, Stage, Vetted, held_alone, judging
from nodealer.kernel import LocalError, PeerError, Reason, Seat, SlotId


@dataclass(frozen=True, slots=True)
class FacePart:
    """The proof that a slot has a named face."""

    proof: Proof


@dataclass(frozen=True, slots=True)
class MemberPart:
    """The proof that a slot has one of several faces."""

    proof: AnyProof


@dataclass(frozen=True, slots=True)
class AbsentPart:
    """For each card of the hand a blinded difference from the face, none of them O."""

    Ts: tuple[Point, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class ClaimedFace:
    """A checked claim of a face."""

    number: SlotId
    face: str


def make_face(
    deck: Deck, keyring: Keyring, moment: ProofMoment, number: SlotId, face: str
) -> FacePart:
    """Claim that one of this seat's slots has this face."""
    slot, statement = _face_statement(deck, keyring.seat, number, face)
    if see(deck, keyring, number) != face:
        raise LocalError(Reason.PROOF_FACE, "the claim is false")
    transcript = _transcript(deck, moment, keyring.seat, f"face/{face}", [slot])
    witness = [keyring.layer_secret(slot.layer(keyring.seat))]
    return FacePart(prove(deck.group, transcript, statement, witness, keyring.nonces))


@judging
def check_face(
    deck: Deck, moment: ProofMoment, seat: Seat, number: SlotId, face: str, part: FacePart
) -> Vetted[ClaimedFace]:
    """Check a claim of a face."""
    slot, statement = _face_statement(deck, seat, number, face)
    transcript = _transcript(deck, moment, seat, f"face/{face}", [slot])
    verify(deck.group, transcript, statement, part.proof, Reason.PROOF_FACE)
    return Vetted(seat, ClaimedFace(number, face), deck, moment)


def take_face(deck: Deck, *claims: Vetted[ClaimedFace]) -> Deck:
    """Take in claims of faces: everybody knows these cards, their layers stay closed."""
    claimed = [vetted.of(ClaimedFace, deck) for vetted in claims]
    return deck.with_slots([deck.slot(one.number).shown(one.face) for one in claimed])


def make_member(
    deck: Deck, keyring: Keyring, moment: ProofMoment, number: SlotId, faces: Sequence[str]
) -> MemberPart:
    """Claim that one of this seat's slots has one of these faces."""
    slot, statements = _member_statements(deck, keyring.seat, number, faces)
    own = see(deck, keyring, number)
    if own not in faces:
        raise LocalError(Reason.PROOF_MEMBER, "the claim is false")
    transcript = _transcript(deck, moment, keyring.seat, "member", [slot])
    transcript.absorb("faces", list(faces))
    witness = [keyring.layer_secret(slot.layer(keyring.seat))]
    proof = prove_any(
        deck.group, transcript, statements, list(faces).index(own), witness, keyring.nonces
    )
    return MemberPart(proof)


@judging
def check_member(
    deck: Deck,
    moment: ProofMoment,
    seat: Seat,
    number: SlotId,
    faces: Sequence[str],
    part: MemberPart,
) -> None:
    """Check a claim that a slot has one of these faces."""
    slot, statements = _member_statements(deck, seat, number, faces)
    transcript = _transcript(deck, moment, seat, "member", [slot])
    transcript.absorb("faces", list(faces))
    verify_any(deck.group, transcript, statements, part.proof, Reason.PROOF_MEMBER)


def make_absent(
    deck: Deck, keyring: Keyring, moment: ProofMoment, zone: Zone, face: str
) -> AbsentPart:
    """Claim that no card of this seat's zone has this face."""
    group = deck.group
    slots = held_alone(deck, keyring.seat, zone)
    C = deck.faces.point(face)
    transcript = _hand_transcript(deck, moment, keyring.seat, slots, face)
    keys = [keyring.layer_secret(slot.layer(keyring.seat)) for slot in slots]
    differences = [slot.N - C - k * slot.E for slot, k in zip(slots, keys, strict=True)]
    if any(difference.is_identity for difference in differences):
        raise LocalError(Reason.PROOF_ABSENT, "the claim is false")
    # The blinding is drawn before T exists, from the rest of the statement and the secrets.
    fresh = keyring.blindings(transcript.digest(), keys)
    betas = [fresh(index) for index in range(len(slots))]
    Ts = tuple(beta * difference for beta, difference in zip(betas, differences, strict=True))
    witness = [
        scalar
        for beta, k in zip(betas, keys, strict=True)
        for scalar in (beta, beta * k % group.order)
    ]
    statement = _absent_statement(group, keyring.seat, slots, C, Ts)
    return AbsentPart(Ts, prove(group, transcript, statement, witness, keyring.nonces))


@judging
def check_absent(
    deck: Deck, moment: ProofMoment, seat: Seat, zone: Zone, face: str, part: AbsentPart
) -> None:
    """Check a claim that no card of a zone has this face; an empty zone needs no claim."""
    slots = held_alone(deck, seat, zone)
    C = deck.faces.point(face)
    if len(part.Ts) != len(slots):
        raise PeerError(Reason.DECK_COUNT, f"{len(part.Ts)} for {len(slots)} cards")
    if any(T.is_identity for T in part.Ts):
        raise PeerError(Reason.PROOF_ABSENT, "a difference is O")
    transcript = _hand_transcript(deck, moment, seat, slots, face)
    statement = _absent_statement(deck.group, seat, slots, C, part.Ts)
    verify(deck.group, transcript, statement, part.proof, Reason.PROOF_ABSENT)


def _face_statement(deck: Deck, seat: Seat, number: SlotId, face: str) -> tuple[Slot, Statement]:
    deck.require(Stage.READY)
    deck.require_seat(seat)
    slot = deck.slot(number)
    if PUBLIC in slot.audience:
        raise LocalError(Reason.DECK_FACE_KNOWN, f"slot {number}")
    layer = slot.sole_layer(seat)
    C = deck.faces.point(face)
    return slot, relations.face(deck.group, layer.key, slot.E, slot.N, C)


def _member_statements(
    deck: Deck, seat: Seat, number: SlotId, faces: Sequence[str]
) -> tuple[Slot, list[Statement]]:
    if len(set(faces)) != len(faces) or not faces:
        raise LocalError(Reason.DECK_FACE_UNKNOWN, f"faces {list(faces)}")
    statements = [_face_statement(deck, seat, number, face)[1] for face in faces]
    return deck.slot(number), statements


def _absent_statement(
    group: Group, seat: Seat, slots: Sequence[Slot], C: Point, Ts: Sequence[Point]
) -> Statement:
    triples = [(slot.layer(seat).key, slot.E, slot.N) for slot in slots]
    return relations.absent(group, triples, C, Ts)


def _hand_transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, slots: Sequence[Slot], face: str
) -> ProofTranscript:
    """Return a transcript that holds all of the statement but T, for the blinding to depend on."""
    transcript = _transcript(deck, moment, seat, f"absent/{face}", slots)
    points = [point for slot in slots for point in (slot.layer(seat).key, slot.E, slot.N)]
    transcript.absorb_points("hand", [deck.faces.point(face), *points])
    return transcript


def _transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, relation: str, slots: Sequence[Slot]
) -> ProofTranscript:
    numbers = [slot.id for slot in slots]
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, relation, numbers))
