"""Handing cards over: to another seat, or back under the joint key for a reshuffle.

The holder re-encrypts the card under the receiver's sealing key, or under the joint deck key, and
proves that it is the same card. The proof includes `E' = rho * G`. Without that equation the giver
could make the new ciphertext from a victim's slot, and when the receiver later opens its layer on
it, the victim's hidden card could be read.

A transfer is a release to its receiver: it can read the card from the part itself, before any step
is complete. So a transfer leaves only when an earlier, complete step has fixed which slots go from
whom to whom. Cards that are passed simultaneously are chosen first and moved in the step after.

A card that was handed over lies under the receiver's key alone. The giver still knows it, as it
would at a real table, and so does everybody who had seen it: the audience goes with the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from nodealer.cards import Zone, hand
from nodealer.crypto import Masked, Point, Proof, ProofTranscript, prove, relations, verify
from nodealer.deck.keyring import Keyring
from nodealer.deck.moment import ProofMoment
from nodealer.deck.retire import succeeded
from nodealer.deck.slots import Slot
from nodealer.deck.state import Deck, Stage, Vetted, judging, seat_layer
from nodealer.kernel import LocalError, PeerError, Reason, Seat, SlotId


@dataclass(frozen=True, slots=True)
class HandedCard:
    """One card under its new key, and the proof that it is the old one."""

    card: Masked
    proof: Proof


@dataclass(frozen=True, slots=True)
class HandoverPart:
    """The cards that one seat hands over, in the order in which they were named."""

    cards: tuple[HandedCard, ...]


@dataclass(frozen=True, slots=True)
class Destination:
    """Under which key cards are handed over, and what the proof of it is called."""

    relation: str
    key: Point
    reason: Reason


@dataclass(frozen=True, slots=True)
class Gift:
    """The slots that one seat gives into a zone of another."""

    numbers: tuple[SlotId, ...]
    to: Zone


@dataclass(frozen=True, slots=True)
class Transfer:
    """Checked: these gifts of one seat, each of its cards as the ciphertext of its receiver."""

    gifts: tuple[Gift, ...]
    cards: tuple[Masked, ...]

    @property
    def numbers(self) -> tuple[SlotId, ...]:
        """The slots that are given, in order."""
        return tuple(number for gift in self.gifts for number in gift.numbers)

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The zones into which they are given, one for each slot."""
        return tuple(gift.to for gift in self.gifts for _ in gift.numbers)


def make_transfer(
    deck: Deck, keyring: Keyring, moment: ProofMoment, numbers: Sequence[SlotId], receiver: Seat
) -> HandoverPart:
    """Hand some of this seat's slots to another seat."""
    to = _receiving(deck, keyring.seat, hand(receiver))
    return make_handover(deck, keyring, moment, numbers, to)


@judging
def check_transfer(
    deck: Deck,
    moment: ProofMoment,
    giver: Seat,
    numbers: Sequence[SlotId],
    receiver: Seat,
    part: HandoverPart,
) -> Vetted[Transfer]:
    """Check that the receiver gets exactly these cards into its hand."""
    gift = Gift(tuple(numbers), hand(receiver))
    cards = check_handover(deck, moment, giver, numbers, _receiving(deck, giver, gift.to), part)
    return Vetted(giver, Transfer((gift,), cards), deck, moment)


def make_gifts(
    deck: Deck, keyring: Keyring, moment: ProofMoment, gifts: Sequence[Gift]
) -> HandoverPart:
    """Hand several of this seat's slots over, each gift as in a transfer of its own."""
    handed = [
        make_handover(deck, keyring, moment, gift.numbers, _receiving(deck, keyring.seat, gift.to))
        for gift in gifts
    ]
    return HandoverPart(tuple(card for part in handed for card in part.cards))


@judging
def check_gifts(
    deck: Deck, moment: ProofMoment, giver: Seat, gifts: Sequence[Gift], part: HandoverPart
) -> Vetted[Transfer]:
    """Check that all receivers get exactly these cards."""
    transfer = Transfer(tuple(gifts), ())
    if len(part.cards) != len(transfer.numbers):
        raise PeerError(
            Reason.DECK_COUNT, f"{len(part.cards)} cards for {len(transfer.numbers)} slots"
        )
    handed, cards = iter(part.cards), list[Masked]()
    for gift in gifts:
        to = _receiving(deck, giver, gift.to)
        own = HandoverPart(tuple(islice(handed, len(gift.numbers))))
        cards += check_handover(deck, moment, giver, gift.numbers, to, own)
    return Vetted(giver, Transfer(transfer.gifts, tuple(cards)), deck, moment)


def take_transfers(deck: Deck, transfers: Iterable[Vetted[Transfer]]) -> Deck:
    """Take in transfers made over one state, in ascending order of the givers.

    The cards leave the giver's zones and come to lie behind those of the receivers'.
    """
    after = deck
    for vetted in sorted(_disjoint(deck, transfers), key=lambda vetted: vetted.seat):
        transfer = vetted.part
        made = [
            _received(after, SlotId(number), after.slot(old), card, to)
            for number, old, card, to in zip(
                after.numbered(len(transfer.cards)),
                transfer.numbers,
                transfer.cards,
                transfer.zones,
                strict=True,
            )
        ]
        after = succeeded(after, transfer.numbers, made)
        layout = after.layout
        for slot, to in zip(made, transfer.zones, strict=True):
            layout = layout.brought([slot.id], to)
        after = after.with_layout(layout)
    return after


def _disjoint(deck: Deck, transfers: Iterable[Vetted[Transfer]]) -> tuple[Vetted[Transfer], ...]:
    """Return the transfers if no slot is handed over twice; a giver who does so is at fault."""
    checked = tuple(transfers)
    given: set[SlotId] = set()
    for vetted in checked:
        numbers = vetted.of(Transfer, deck).numbers
        if given.intersection(numbers):
            raise PeerError(
                Reason.DECK_SLOT_TWICE, f"handed over by seat {vetted.seat}", (vetted.seat,)
            )
        given.update(numbers)
    return checked


def make_handover(
    deck: Deck,
    keyring: Keyring,
    moment: ProofMoment,
    numbers: Sequence[SlotId],
    to: Destination,
) -> HandoverPart:
    """Re-encrypt slots that this seat alone closes to another key."""
    cards = []
    for slot in _given(deck, keyring.seat, numbers):
        layer = slot.sole_layer(keyring.seat)
        k = keyring.layer_secret(layer)
        rho = keyring.randomness(
            to.relation,
            moment,
            deck.epoch,
            slot.id,
            slot.E.encode(),
            slot.N.encode(),
            layer.key.encode(),
            to.key.encode(),
        ).scalar()
        card = Masked(deck.group.times_generator(rho), slot.N - k * slot.E + rho * to.key)
        statement = relations.handover(deck.group, layer.key, slot.E, slot.N, *card, to.key)
        transcript = _transcript(deck, moment, keyring.seat, to.relation, slot)
        proof = prove(deck.group, transcript, statement, [k, rho], keyring.nonces)
        cards.append(HandedCard(card, proof))
    return HandoverPart(tuple(cards))


def check_handover(
    deck: Deck,
    moment: ProofMoment,
    giver: Seat,
    numbers: Sequence[SlotId],
    to: Destination,
    part: HandoverPart,
) -> tuple[Masked, ...]:
    """Return the new ciphertexts once each is shown to hold the old card."""
    slots = _given(deck, giver, numbers)
    if len(part.cards) != len(slots):
        raise PeerError(Reason.DECK_COUNT, f"{len(part.cards)} cards for {len(slots)}")
    for slot, handed in zip(slots, part.cards, strict=True):
        layer = slot.sole_layer(giver)
        statement = relations.handover(deck.group, layer.key, slot.E, slot.N, *handed.card, to.key)
        transcript = _transcript(deck, moment, giver, to.relation, slot)
        verify(deck.group, transcript, statement, handed.proof, to.reason)
    return tuple(handed.card for handed in part.cards)


def _given(deck: Deck, giver: Seat, numbers: Sequence[SlotId]) -> list[Slot]:
    deck.require(Stage.READY)
    deck.require_seat(giver)
    if len(set(numbers)) != len(numbers):
        raise LocalError(Reason.DECK_SLOT_TWICE, f"slots {list(numbers)}")
    if not numbers:
        raise LocalError(Reason.DECK_COUNT, "no slots are named")
    slots = [deck.slot(number) for number in numbers]
    for slot in slots:
        slot.sole_layer(giver)
    return slots


def _receiving(deck: Deck, giver: Seat, to: Zone) -> Destination:
    receiver = _receiver(to)
    deck.require_seat(receiver)
    if receiver == giver:
        raise LocalError(Reason.DECK_SEAT, f"seat {giver} hands cards to itself")
    key = deck.sealing_keys[receiver]
    return Destination(f"transfer/{receiver}", key, Reason.PROOF_TRANSFER)


def _receiver(to: Zone) -> Seat:
    if to.seat is None:
        raise LocalError(Reason.DECK_ZONE, f"{to.name} is a zone of nobody")
    return to.seat


def _received(deck: Deck, number: SlotId, old: Slot, card: Masked, to: Zone) -> Slot:
    receiver = _receiver(to)
    return Slot(
        id=number,
        E=card.E,
        N=card.M,
        base=None,
        layers=MappingProxyType({receiver: seat_layer(deck, receiver)}),
        audience=old.audience | {receiver},
        face=old.face,
    )


def _transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, relation: str, slot: Slot
) -> ProofTranscript:
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, relation, [slot.id]))
