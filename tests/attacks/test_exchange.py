"""Attacks on the exchange of keys, in the mask round and in a restack.

The changes that a seat publishes for all cards are checked by one equation, merged by weights. If
the changes were not fixed before the weights, a seat would bend two of them so that the errors
cancel: two cards change their faces, with a proof that holds. And a new key whose secret nobody
knows would make a card that nobody can ever open, with nobody to blame for it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.cards import hand
from nodealer.crypto import Point, ProofTranscript, Statement, prove
from nodealer.deck import (
    Deck,
    ExchangeProof,
    MaskPart,
    ProofMoment,
    RestackPart,
    check_mask,
    check_restack,
    make_mask,
    make_restack,
)
from nodealer.deck.exchange import _statement
from nodealer.deck.keyring import slot_origin
from nodealer.kernel import Reason, SlotId
from tests.attacks.tools import (
    GROUP,
    SEAT_0,
    SIX,
    attacker_nonces,
    moment,
    nowhere,
    refused,
)
from tests.support.fleet import Fleet, fleet, mixed


def before_masking() -> tuple[Fleet, Deck, ProofMoment, MaskPart]:
    table = fleet(2, SIX)
    table.keys()
    table.shuffle()
    at = moment(table)
    return table, table.deck, at, make_mask(table.deck, table.rings[SEAT_0], at)


def bent_mask(table: Fleet, deck: Deck, at: ProofMoment, part: MaskPart) -> MaskPart:
    """Change the faces of the first two cards so that the errors, weighted, cancel."""
    assert deck.pile is not None
    Es = [card.E for card in deck.pile.cards]
    numbers = [SlotId(index) for index in range(len(Es))]
    context = at.context(deck.epoch, SEAT_0, "mask", numbers)

    def stated(deltas: tuple[Point, ...]) -> tuple[ProofTranscript, Statement]:
        transcript = ProofTranscript(GROUP, context)
        old = [deck.deck_keys[SEAT_0]] * len(Es)
        return transcript, _statement(GROUP, transcript, old, part.keys, Es, deltas)

    _, honest = stated(part.exchange.deltas)
    weights = [term.coefficient for term in honest.equations[-1].terms]
    error = nowhere("wanted") - nowhere("known")
    first, second, *rest = part.exchange.deltas
    deltas = (first + weights[1] * error, second - weights[0] * error, *rest)
    ring = table.rings[SEAT_0]
    x = ring.deck_secret(deck.table, deck.epoch)
    witness = [
        (ring.slot_secret(slot_origin(deck, at, SEAT_0, number, E)) - x) % GROUP.order
        for number, E in zip(numbers, Es, strict=True)
    ]
    transcript, statement = stated(deltas)
    proof = prove(GROUP, transcript, statement, witness, attacker_nonces())
    return MaskPart(part.keys, ExchangeProof(deltas, proof))


def test_changes_bent_to_fit_the_weights_are_refused() -> None:
    table, deck, at, part = before_masking()
    with refused(Reason.PROOF_MASK):
        check_mask(deck, at, SEAT_0, bent_mask(table, deck, at, part))


def test_a_mask_that_changes_a_card_is_refused() -> None:
    _, deck, at, part = before_masking()
    first, *rest = part.exchange.deltas
    swap = deck.faces.point("a") - deck.faces.point("b")
    bent = replace(part.exchange, deltas=(first + swap, *rest))
    with refused(Reason.PROOF_MASK):
        check_mask(deck, at, SEAT_0, replace(part, exchange=bent))


def test_a_mask_with_a_key_that_nobody_knows_is_refused() -> None:
    _, deck, at, part = before_masking()
    with refused(Reason.PROOF_MASK):
        check_mask(deck, at, SEAT_0, replace(part, keys=(nowhere("K"), *part.keys[1:])))


def test_a_mask_with_anothers_key_is_refused() -> None:
    table, deck, at, part = before_masking()
    other = make_mask(deck, table.rings[deck.roster[1]], at)
    with refused(Reason.PROOF_MASK):
        check_mask(deck, at, SEAT_0, other)
    with refused(Reason.PROOF_MASK):
        check_mask(deck, at, SEAT_0, replace(part, keys=(other.keys[0], *part.keys[1:])))


@pytest.mark.parametrize("what", ["keys", "deltas", "both"])
@pytest.mark.parametrize("cards", [5, 7])
def test_a_mask_of_more_or_fewer_cards_is_refused(what: str, cards: int) -> None:
    _, deck, at, part = before_masking()
    keys = (part.keys * 2)[: cards if what != "deltas" else 6]
    deltas = (part.exchange.deltas * 2)[: cards if what != "keys" else 6]
    resized = MaskPart(keys, replace(part.exchange, deltas=deltas))
    with refused(Reason.DECK_COUNT):
        check_mask(deck, at, SEAT_0, resized)


def restacked() -> tuple[Deck, ProofMoment, RestackPart]:
    table = mixed(2, SIX)
    table.deal(SEAT_0, 3)
    at = moment(table)
    return table.deck, at, make_restack(table.deck, table.rings[SEAT_0], at, hand(SEAT_0))


@pytest.mark.parametrize("way", ["inward", "outward"])
def test_a_restack_that_changes_a_card_on_the_way_is_refused(way: str) -> None:
    deck, at, part = restacked()
    exchange: ExchangeProof = getattr(part, way)
    swap = deck.faces.point("a") - deck.faces.point("b")
    bent = replace(exchange, deltas=(exchange.deltas[0] + swap, *exchange.deltas[1:]))
    changed = replace(part, inward=bent) if way == "inward" else replace(part, outward=bent)
    with refused(Reason.PROOF_CONVERT):
        check_restack(deck, at, SEAT_0, hand(SEAT_0), changed)


def test_a_restack_under_a_key_that_nobody_knows_is_refused() -> None:
    deck, at, part = restacked()
    with refused(Reason.PROOF_CONVERT):
        check_restack(deck, at, SEAT_0, hand(SEAT_0), replace(part, H=nowhere("H")))
    with refused(Reason.PROOF_CONVERT):
        keys = (nowhere("K"), *part.keys[1:])
        check_restack(deck, at, SEAT_0, hand(SEAT_0), replace(part, keys=keys))


@pytest.mark.parametrize("cards", [2, 4])
def test_a_restack_of_more_or_fewer_cards_is_refused(cards: int) -> None:
    deck, at, part = restacked()
    for changed in (
        replace(part, cards=(part.cards * 2)[:cards]),
        replace(part, keys=(part.keys * 2)[:cards]),
    ):
        with refused(Reason.DECK_COUNT):
            check_restack(deck, at, SEAT_0, hand(SEAT_0), changed)
