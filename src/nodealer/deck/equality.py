"""Comparing hidden cards: "these have one face", "these do not all have one face".

A seat that may see several slots proves to all, their owner included, whether they are equal. The
owner of cards that were shown to everybody else learns the verdict and nothing more, and a false
verdict is impossible even if all viewers conspire.

For equality the viewer's own equations do: every view minus the first is O. For inequality the
prover shows a point T that is a random multiple of a weighted sum of the differences. T is O if all
are equal, whatever the multiple, so T other than O is proof; and as the multiple is random and the
weights follow from a hash, T says nothing about which cards differ or by what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodealer.crypto import Point, Proof, ProofTranscript, prove, relations, verify
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.sight import holds_seals, see, view_of
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck, Stage, judging
from nodealer.kernel import DERIVE_TRIES_MAX, Bug, LocalError, PeerError, Reason, Seat, SlotId


@dataclass(frozen=True, slots=True)
class EqualPart:
    """The proof that all slots have one face."""

    proof: Proof


@dataclass(frozen=True, slots=True)
class NotEqualPart:
    """A blinded sum of differences, not O, and the number of the try that gave it."""

    T: Point
    tries: int
    proof: Proof


def verdict_prover(deck: Deck, numbers: Sequence[SlotId]) -> Seat:
    """Return the seat that proves a verdict on these slots.

    It is the lowest seat that alone closes them all, for no sealed release stands in its proof;
    else the lowest seat that sees them all.
    """
    hidden = [slot for slot in _compared(deck, numbers) if slot.face is None]
    viewers = [
        seat
        for seat in deck.roster
        if all(seat in slot.audience and holds_seals(slot, seat) for slot in hidden)
    ]
    guards = [seat for seat in viewers if all(set(slot.layers) == {seat} for slot in hidden)]
    if not viewers:
        raise LocalError(Reason.DECK_NOT_VIEWER, f"nobody sees all of {list(numbers)}")
    return (guards or viewers)[0]


def make_equal(
    deck: Deck, keyring: Keyring, moment: ProofMoment, numbers: Sequence[SlotId]
) -> EqualPart:
    """Claim that these slots, all of which this seat may see, have one face."""
    deck.require(Stage.READY)
    deck.require_seat(keyring.seat)
    slots = _compared(deck, numbers)
    if len({see(deck, keyring, number) for number in numbers}) > 1:
        raise LocalError(Reason.PROOF_EQUAL, "the claim is false")
    views = [view_of(deck, keyring.seat, slot) for slot in slots]
    statement = relations.equal(deck.group, deck.sealing_keys[keyring.seat], views)
    transcript = _transcript(deck, moment, keyring.seat, "equal", slots)
    witness = _viewer_witness(deck, keyring, slots)
    return EqualPart(prove(deck.group, transcript, statement, witness, keyring.nonces))


@judging
def check_equal(
    deck: Deck, moment: ProofMoment, seat: Seat, numbers: Sequence[SlotId], part: EqualPart
) -> None:
    """Check a claim that these slots have one face."""
    deck.require(Stage.READY)
    deck.require_seat(seat)
    slots = _compared(deck, numbers)
    views = [view_of(deck, seat, slot) for slot in slots]
    statement = relations.equal(deck.group, deck.sealing_keys[seat], views)
    transcript = _transcript(deck, moment, seat, "equal", slots)
    verify(deck.group, transcript, statement, part.proof, Reason.PROOF_EQUAL)


def make_not_equal(
    deck: Deck, keyring: Keyring, moment: ProofMoment, numbers: Sequence[SlotId]
) -> NotEqualPart:
    """Claim that these slots, all of which this seat may see, do not all have one face."""
    deck.require(Stage.READY)
    deck.require_seat(keyring.seat)
    slots = _compared(deck, numbers)
    faces = [deck.faces.point(see(deck, keyring, number)) for number in numbers]
    if len(set(faces)) == 1:
        raise LocalError(Reason.PROOF_NOT_EQUAL, "the claim is false")
    group = deck.group
    views = [view_of(deck, keyring.seat, slot) for slot in slots]
    secrets = _viewer_witness(deck, keyring, slots)
    for tries in range(DERIVE_TRIES_MAX):
        transcript, weights = _weighted(deck, moment, keyring.seat, slots, views, tries)
        difference = group.linear(weights, [face - faces[0] for face in faces[1:]])
        if not difference.is_identity:
            break
    else:
        raise Bug(Reason.PROOF_NOT_EQUAL, "every weighted sum of differences is O")
    beta = keyring.blindings(transcript.digest(), secrets)(0)
    T = beta * difference
    witness = [beta, *(beta * secret % group.order for secret in secrets)]
    Y = deck.sealing_keys[keyring.seat]
    statement = relations.not_equal(group, Y, views, weights, T)
    proof = prove(group, transcript, statement, witness, keyring.nonces)
    return NotEqualPart(T, tries, proof)


@judging
def check_not_equal(
    deck: Deck, moment: ProofMoment, seat: Seat, numbers: Sequence[SlotId], part: NotEqualPart
) -> None:
    """Check a claim that these slots do not all have one face."""
    deck.require(Stage.READY)
    deck.require_seat(seat)
    slots = _compared(deck, numbers)
    if part.T.is_identity or not 0 <= part.tries < DERIVE_TRIES_MAX:
        raise PeerError(Reason.PROOF_NOT_EQUAL, "the difference is O, or a try out of range")
    views = [view_of(deck, seat, slot) for slot in slots]
    transcript, weights = _weighted(deck, moment, seat, slots, views, part.tries)
    Y = deck.sealing_keys[seat]
    statement = relations.not_equal(deck.group, Y, views, weights, part.T)
    verify(deck.group, transcript, statement, part.proof, Reason.PROOF_NOT_EQUAL)


def _weighted(
    deck: Deck,
    moment: ProofMoment,
    seat: Seat,
    slots: Sequence[Slot],
    views: Sequence[relations.SlotView],
    tries: int,
) -> tuple[ProofTranscript, list[int]]:
    """Return the transcript with all views absorbed, and the weights that follow from it."""
    transcript = _transcript(deck, moment, seat, "not-equal", slots)
    transcript.absorb_points("viewer", [deck.sealing_keys[seat]])
    for view in views:
        own = deck.group.identity if view.L is None else view.L
        transcript.absorb_points("view", [view.E, view.Q, view.W, own])
    transcript.absorb("tries", tries)
    return transcript, transcript.weights("w", len(views) - 1)


def _viewer_witness(deck: Deck, keyring: Keyring, slots: Sequence[Slot]) -> list[int]:
    """Return y, and the secret of this seat's layer for each slot that has one."""
    layers = [
        slot.layers[keyring.seat]
        for slot in slots
        if slot.face is None and keyring.seat in slot.layers
    ]
    y = keyring.sealing_secret(deck.terms)
    return [y, *(keyring.layer_secret(layer) for layer in layers)]


def _compared(deck: Deck, numbers: Sequence[SlotId]) -> list[Slot]:
    deck.require(Stage.READY)
    if len(set(numbers)) != len(numbers):
        raise LocalError(Reason.DECK_SLOT_TWICE, f"slots {list(numbers)}")
    if len(numbers) <= 1:
        raise LocalError(Reason.DECK_COUNT, "it takes two slots to compare")
    return [deck.slot(number) for number in numbers]


def _transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, relation: str, slots: Sequence[Slot]
) -> ProofTranscript:
    numbers = [slot.id for slot in slots]
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, relation, numbers))
