"""Restacking: a seat shuffles its own hand so that nobody can follow a card in it.

Others may know where some cards of a hand lie: cards that they gave away, that they were shown, the
order of drawing. Before a card is taken blind, or when a hand was shown, the holder brings all its
cards under one fresh key, shuffles them with the same proof as a joint shuffle, and takes them
apart again under one fresh key per card:

    exchange in     the layers l_i become one key h       (H = h * G)
    shuffle         under H
    exchange out    h becomes k'_i, one for each card

The key h exists only within this part. A key that closes several cards may never be opened by its
scalar, and this way none outlives the step. The old slots are retired: whatever was or will be
released for them concerns no card in play.

Whoever takes a card by its position must name the position *after* the restack is in the chain, and
so must a coin be opened; otherwise the holder puts a card of his choice there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from nodealer.cards import Zone
from nodealer.crypto import (
    Masked,
    Point,
    ProofTranscript,
    ShuffleProof,
    prove_shuffle,
    shuffled,
    verify_shuffle,
)
from nodealer.deck.exchange import ExchangeProof, check_exchange, make_exchange
from nodealer.deck.keyring import Keyring, slot_origin
from nodealer.deck.moment import ProofMoment
from nodealer.deck.retire import succeeded
from nodealer.deck.shuffle import deck_hash
from nodealer.deck.slots import Layer, LayerKind, Slot
from nodealer.deck.state import Deck, Vetted, collected, held_alone, judging
from nodealer.kernel import PeerError, Reason, Seat, SlotId


@dataclass(frozen=True, slots=True)
class RestackPart:
    """The three steps of one restack."""

    H: Point
    inward: ExchangeProof
    cards: tuple[Masked, ...]
    shuffle: ShuffleProof
    keys: tuple[Point, ...]
    outward: ExchangeProof


@dataclass(frozen=True, slots=True)
class Restacked:
    """A checked restack: which slots end, and the new ones in their new order."""

    zone: Zone
    retired: tuple[SlotId, ...]
    made: tuple[Slot, ...]


def make_restack(
    deck: Deck, keyring: Keyring, moment: ProofMoment, zone: Zone, *, behind: int = 0
) -> RestackPart:
    """Restack all cards of a zone, each of which is closed by this seat alone.

    The new slots are numbered behind so many others that lower seats make in the same step.
    """
    slots = held_alone(deck, keyring.seat, zone)
    maker = _Maker(deck, keyring, moment, slots, behind)
    inward = maker.inward()
    before = _under(slots, inward)
    cards, proof = maker.shuffled(before)
    keys, outward = maker.outward(cards)
    return RestackPart(maker.H, inward, cards, proof, keys, outward)


@judging
def check_restack(
    deck: Deck,
    moment: ProofMoment,
    seat: Seat,
    zone: Zone,
    part: RestackPart,
    *,
    behind: int = 0,
) -> Vetted[Restacked]:
    """Check that a seat shuffled exactly the cards of this zone and changed none."""
    group = deck.group
    slots = held_alone(deck, seat, zone)
    if len(part.cards) != len(slots):
        raise PeerError(Reason.DECK_COUNT, f"{len(part.cards)} cards for {len(slots)}")
    check_exchange(
        group,
        _transcript(deck, moment, seat, "restack-in", slots),
        [slot.layer(seat).key for slot in slots],
        [part.H] * len(slots),
        [slot.E for slot in slots],
        part.inward,
        Reason.PROOF_CONVERT,
    )
    verify_shuffle(
        group,
        _transcript(deck, moment, seat, "restack", slots),
        part.H,
        _under(slots, part.inward),
        part.cards,
        part.shuffle,
    )
    check_exchange(
        group,
        _transcript(deck, moment, seat, "restack-out", slots),
        [part.H] * len(slots),
        part.keys,
        [card.E for card in part.cards],
        part.outward,
        Reason.PROOF_CONVERT,
    )
    retired = tuple(slot.id for slot in slots)
    made = _made(deck, moment, seat, part, behind)
    return Vetted(seat, Restacked(zone, retired, made), deck, moment)


def take_restacks(deck: Deck, parts: Sequence[Vetted[Restacked]]) -> Deck:
    """Take in restacks made over one state: nobody can follow a card in any of the zones."""
    after = deck
    restacked = collected(deck, Restacked, [vetted.seat for vetted in parts], parts)
    for one in restacked.values():
        after = succeeded(after, one.retired, one.made)
    return after


class _Maker:
    """The holder's side of a restack: the hand's key h, and the three steps under it."""

    def __init__(
        self,
        deck: Deck,
        keyring: Keyring,
        moment: ProofMoment,
        slots: Sequence[Slot],
        behind: int,
    ) -> None:
        self._deck = deck
        self._keyring = keyring
        self._moment = moment
        self._slots = slots
        self._behind = behind
        entering = tuple(Masked(slot.E, slot.N) for slot in slots)
        row = keyring.randomness("hand", moment, deck.epoch, deck_hash(entering))
        self._h = row.scalar()
        self.H = deck.group.times_generator(self._h)

    def inward(self) -> ExchangeProof:
        """Bring the cards from their own keys under h."""
        layers = [slot.layer(self._keyring.seat) for slot in self._slots]
        return make_exchange(
            self._deck.group,
            self._transcript("restack-in"),
            [(self._keyring.layer_secret(layer), layer.key) for layer in layers],
            [(self._h, self.H)] * len(layers),
            [slot.E for slot in self._slots],
            self._keyring.nonces,
        )

    def shuffled(self, before: tuple[Masked, ...]) -> tuple[tuple[Masked, ...], ShuffleProof]:
        """Permute and re-randomise the cards under h."""
        group, H = self._deck.group, self.H
        row = self._keyring.randomness(
            "restack", self._moment, self._deck.epoch, H.encode(), deck_hash(before)
        )
        order = row.permutation(len(before))
        fresh = [row.scalar(index) for index in range(len(before))]
        after = tuple(shuffled(group, H, before, order, fresh))
        transcript = self._transcript("restack")
        nonces = self._keyring.nonces
        proof = prove_shuffle(group, transcript, H, before, after, order, fresh, nonces)
        return after, proof

    def outward(self, cards: Sequence[Masked]) -> tuple[tuple[Point, ...], ExchangeProof]:
        """Take the cards apart again, under one fresh key for each."""
        group = self._deck.group
        origins = _origins(self._deck, self._moment, self._keyring.seat, cards, self._behind)
        secrets = [self._keyring.slot_secret(origin) for origin in origins]
        keys = tuple(group.times_generator(secret) for secret in secrets)
        exchange = make_exchange(
            group,
            self._transcript("restack-out"),
            [(self._h, self.H)] * len(cards),
            list(zip(secrets, keys, strict=True)),
            [card.E for card in cards],
            self._keyring.nonces,
        )
        return keys, exchange

    def _transcript(self, relation: str) -> ProofTranscript:
        return _transcript(self._deck, self._moment, self._keyring.seat, relation, self._slots)


def _under(slots: Sequence[Slot], inward: ExchangeProof) -> tuple[Masked, ...]:
    """Return the cards under the hand's key."""
    return tuple(
        Masked(slot.E, slot.N + delta) for slot, delta in zip(slots, inward.deltas, strict=True)
    )


def _origins(
    deck: Deck, moment: ProofMoment, seat: Seat, cards: Sequence[Masked], behind: int
) -> list[bytes]:
    return [
        slot_origin(deck, moment, seat, SlotId(number), card.E)
        for number, card in zip(deck.numbered(len(cards), behind), cards, strict=True)
    ]


def _made(
    deck: Deck, moment: ProofMoment, seat: Seat, part: RestackPart, behind: int
) -> tuple[Slot, ...]:
    origins = _origins(deck, moment, seat, part.cards, behind)
    return tuple(
        Slot(
            id=SlotId(number),
            E=card.E,
            N=card.M + part.outward.deltas[index],
            base=None,
            layers=MappingProxyType(
                {seat: Layer(seat, LayerKind.SLOT, part.keys[index], origins[index])}
            ),
            audience=frozenset((seat,)),
        )
        for index, (number, card) in enumerate(
            zip(deck.numbered(len(part.cards), behind), part.cards, strict=True)
        )
    )


def _transcript(
    deck: Deck, moment: ProofMoment, seat: Seat, relation: str, slots: Sequence[Slot]
) -> ProofTranscript:
    numbers = [slot.id for slot in slots]
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, relation, numbers))
