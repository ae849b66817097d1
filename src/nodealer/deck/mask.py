"""The mask round: every seat swaps its deck key for a fresh key on every card, all at once.

After the shuffles each card lies under the one joint key. To be dealt singly it needs layers that
can be opened singly: seat j publishes for card i the key `K_ji` and the change `delta_ji` that puts
`k_ji` in the place of `x_j`. Layers commute, so nobody waits for anybody. Then the cards are slots:
they get their public numbers and lie in the zone for which they were shuffled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nodealer.crypto import Point, ProofTranscript
from nodealer.deck.exchange import ExchangeProof, check_exchange, make_exchange
from nodealer.deck.keyring import Keyring, slot_origin
from nodealer.deck.moment import ProofMoment
from nodealer.deck.slots import Layer, LayerKind, Slot
from nodealer.deck.state import Deck, Pile, Stage, Vetted, collected, judging
from nodealer.kernel import Reason, Seat, SlotId, changed


@dataclass(frozen=True, slots=True)
class MaskPart:
    """One seat's new keys, one for each card, and the exchange that brings them in."""

    keys: tuple[Point, ...]
    exchange: ExchangeProof


def make_mask(deck: Deck, keyring: Keyring, moment: ProofMoment) -> MaskPart:
    """Make this seat's keys for the cards of the pile."""
    pile = _shuffled_pile(deck, keyring.seat)
    group = deck.group
    x = keyring.deck_secret(deck.table, deck.epoch)
    secrets = [
        keyring.slot_secret(slot_origin(deck, moment, keyring.seat, SlotId(number), card.E))
        for number, card in zip(deck.numbered(len(pile.cards)), pile.cards, strict=True)
    ]
    keys = tuple(group.times_generator(secret) for secret in secrets)
    exchange = make_exchange(
        group,
        _transcript(deck, moment, keyring.seat, pile),
        [(x, deck.deck_keys[keyring.seat])] * len(keys),
        list(zip(secrets, keys, strict=True)),
        [card.E for card in pile.cards],
        keyring.nonces,
    )
    return MaskPart(keys, exchange)


@judging
def check_mask(deck: Deck, moment: ProofMoment, seat: Seat, part: MaskPart) -> Vetted[MaskPart]:
    """Check that a seat replaced its deck key, and nothing else, on every card."""
    pile = _shuffled_pile(deck, seat)
    check_exchange(
        deck.group,
        _transcript(deck, moment, seat, pile),
        [deck.deck_keys[seat]] * len(pile.cards),
        part.keys,
        [card.E for card in pile.cards],
        part.exchange,
        Reason.PROOF_MASK,
    )
    return Vetted(seat, part, deck, moment)


def vouch_mask(
    deck: Deck, keyring: Keyring, moment: ProofMoment, part: MaskPart
) -> Vetted[MaskPart]:
    """Vouch for this seat's own mask, just made over this state."""
    _shuffled_pile(deck, keyring.seat)
    return Vetted(keyring.seat, part, deck, moment)


def take_masks(deck: Deck, parts: Iterable[Vetted[MaskPart]]) -> Deck:
    """Take in every seat's mask; the cards of the pile become slots in their zone."""
    pile, vetted = _shuffled_pile(deck, deck.roster[0]), tuple(parts)
    masks = collected(deck, MaskPart, deck.roster, vetted)
    made = [
        _slot(deck, vetted[0].at, SlotId(number), position, pile, masks)
        for position, number in enumerate(deck.numbered(len(pile.cards)))
    ]
    layout = deck.layout.placed([slot.id for slot in made], pile.zone)
    after = changed(deck, pile=None, next_slot=SlotId(deck.next_slot + len(made)))
    return after.with_slots(made).with_layout(layout)


def _slot(
    deck: Deck,
    moment: ProofMoment,
    number: SlotId,
    position: int,
    pile: Pile,
    masks: Mapping[Seat, MaskPart],
) -> Slot:
    card = pile.cards[position]
    layers = {
        seat: Layer(
            seat,
            LayerKind.SLOT,
            part.keys[position],
            slot_origin(deck, moment, seat, number, card.E),
        )
        for seat, part in masks.items()
    }
    deltas = [part.exchange.deltas[position] for part in masks.values()]
    return Slot(
        id=number,
        E=card.E,
        N=deck.group.total([card.M, *deltas]),
        base=card.M,
        layers=MappingProxyType(layers),
    )


def _shuffled_pile(deck: Deck, seat: Seat) -> Pile:
    deck.require(Stage.MASK)
    deck.require_seat(seat)
    assert deck.pile is not None, "there is a pile to mask at this stage"
    return deck.pile


def _transcript(deck: Deck, moment: ProofMoment, seat: Seat, pile: Pile) -> ProofTranscript:
    slots = [SlotId(number) for number in deck.numbered(len(pile.cards))]
    return ProofTranscript(deck.group, moment.context(deck.epoch, seat, "mask", slots))
