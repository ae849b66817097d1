"""Attacks with a ciphertext that nobody can vouch for.

Opening a layer's key shows its share on the slot's E, and so does a share opening. That is harmless
exactly as long as whoever made E knows its exponent. So an attacker who could hand over a card with
the E of a victim's slot, moved by some t * G, would get the victim's share for free when the
receiver opens the worthless card; likewise with the U of a sealed release.

Three sides of it are tried here: forged cards are refused wherever a new E enters, no other
operation makes a new E, and what opened keys give away about the deck key opens nothing.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from nodealer.cards import STOCK, hand
from nodealer.crypto import Masked, Point, ProofTranscript, prove, relations
from nodealer.deck import (
    PUBLIC,
    Deck,
    HandedCard,
    HandoverPart,
    LayerKind,
    MaskPart,
    ReleasePart,
    SealShares,
    check_face,
    check_restack,
    check_return,
    check_transfer,
    make_face,
    make_restack,
    make_return,
    make_transfer,
    take_face,
)
from nodealer.kernel import Reason, SlotId
from tests.attacks.tools import (
    GROUP,
    SEAT_0,
    SEAT_1,
    SEAT_2,
    SIX,
    attacker_nonces,
    held,
    moment,
    nowhere,
    opened_scalars,
    refused,
    scalars,
)
from tests.support.fleet import Fleet, mixed


def table_with_a_victim() -> tuple[Fleet, list[Point]]:
    """Return a table where seat 0 would attack, and the points of others that it covets."""
    table = mixed(3, SIX)
    table.deal(SEAT_0, 2)
    (card,) = table.deal(SEAT_1, 1)
    table.grant([(card, (SEAT_2,))])
    seal = next(
        item
        for *_, part in table.sent
        if isinstance(part, ReleasePart)
        for item in part.items
        if isinstance(item, SealShares)
    )
    return table, [table.deck.slots[card].E, seal.U]


def forged(deck: Deck, table: Fleet, number: SlotId, relation: str, victim: Point) -> HandoverPart:
    """Hand over the card of a slot with the victim's point in the place of rho * G.

    M' fits: whoever checks only that difference finds the card unchanged.
    """
    slot = deck.slots[number]
    k = table.rings[SEAT_0].layer_secret(slot.layers[SEAT_0])
    t, rho = scalars(relation, count=2)
    key = deck.joint_key if relation == "return" else deck.sealing_keys[SEAT_1]
    card = Masked(victim + GROUP.times_generator(t), slot.N - k * slot.E + rho * key)
    statement = relations.handover(
        GROUP, slot.layers[SEAT_0].key, slot.E, slot.N, card.E, card.M, key
    )
    context = moment(deck).context(deck.epoch, SEAT_0, relation, [number])
    proof = prove(GROUP, ProofTranscript(GROUP, context), statement, [k, rho], attacker_nonces())
    return HandoverPart((HandedCard(card, proof),))


@pytest.mark.parametrize("covets", ["share of a slot", "sealed share"])
def test_a_card_handed_over_on_the_exponent_of_a_victim_is_refused(covets: str) -> None:
    table, points = table_with_a_victim()
    deck, mine = table.deck, held(table, SEAT_0)[0]
    victim = points[covets == "sealed share"]
    part = forged(deck, table, mine, "transfer/1", victim)
    with refused(Reason.PROOF_TRANSFER):
        check_transfer(deck, moment(deck), SEAT_0, [mine], SEAT_1, part)


def test_a_card_given_back_on_the_exponent_of_a_victim_is_refused() -> None:
    table, (victim, _) = table_with_a_victim()
    table.restack(SEAT_0)
    deck, mine = table.deck, held(table, SEAT_0)[0]
    part = forged(deck, table, mine, "return", victim)
    with refused(Reason.PROOF_RETURN):
        check_return(deck, moment(deck), SEAT_0, [mine], part)


def test_another_card_handed_over_is_refused() -> None:
    table, _ = table_with_a_victim()
    deck, mine = table.deck, held(table, SEAT_0)[0]
    part = make_transfer(deck, table.rings[SEAT_0], moment(deck), [mine], SEAT_1)
    (honest,) = part.cards
    swapped = Masked(honest.card.E, honest.card.M + deck.faces.point("a") - deck.faces.point("b"))
    with refused(Reason.PROOF_TRANSFER):
        worse = HandoverPart((HandedCard(swapped, honest.proof),))
        check_transfer(deck, moment(deck), SEAT_0, [mine], SEAT_1, worse)


def test_another_card_given_back_is_refused() -> None:
    table, _ = table_with_a_victim()
    table.restack(SEAT_0)
    deck, mine = table.deck, held(table, SEAT_0)[0]
    (honest,) = make_return(deck, table.rings[SEAT_0], moment(deck), [mine]).cards
    swapped = Masked(honest.card.E, honest.card.M + nowhere("other card"))
    with refused(Reason.PROOF_RETURN):
        worse = HandoverPart((HandedCard(swapped, honest.proof),))
        check_return(deck, moment(deck), SEAT_0, [mine], worse)


@pytest.mark.parametrize("column", ["E", "M"])
def test_a_restack_that_brings_in_something_else_is_refused(column: str) -> None:
    table, (victim, _) = table_with_a_victim()
    deck = table.deck
    part = make_restack(deck, table.rings[SEAT_0], moment(deck), hand(SEAT_0))
    worse = part.cards[0]._replace(**{column: victim})
    with refused(Reason.PROOF_SHUFFLE):
        check_restack(
            deck,
            moment(deck),
            SEAT_0,
            hand(SEAT_0),
            replace(part, cards=(worse, *part.cards[1:])),
        )


def exponents(deck: Deck) -> set[Point]:
    return {slot.E for slot in deck.slots.values()}


def test_only_shuffles_and_handovers_make_new_exponents() -> None:
    table = mixed(3, SIX)
    pile = next(d for d, *_ in reversed(table.sent) if d.pile is not None).pile
    assert pile is not None
    assert exponents(table.deck) == {card.E for card in pile.cards}
    before = exponents(table.deck)

    slots = [*table.deal(SEAT_0, 2), *table.deal(SEAT_1, 1)]
    table.grant([(slots[0], (SEAT_1,)), (slots[2], (SEAT_0,))])
    table.grant([(slots[1], (PUBLIC,))])
    table.deck = table.deck.with_layout(table.deck.layout.exchanged(slots[0], slots[2]))
    table.reveal(SEAT_0, slots[0])
    face = table.faces(SEAT_1, [slots[2]])[0]
    at, deck = moment(table), table.deck
    part = make_face(deck, table.rings[SEAT_1], at, slots[2], face)
    table.deck = take_face(deck, check_face(deck, at, SEAT_1, slots[2], face, part))
    assert exponents(table.deck) == before


def test_opened_keys_give_shares_of_the_deck_key_that_open_nothing_else() -> None:
    table = mixed(3, SIX)
    masks: dict[object, MaskPart] = {
        seat: part for _, _, seat, part in table.sent if isinstance(part, MaskPart)
    }
    table.deal(SEAT_0, 2)
    deck = table.deck
    opened = {GROUP.times_generator(k): k for k in opened_scalars(p for *_, p in table.sent)}
    for number in held(table, SEAT_0):
        slot, left = deck.slots[number], deck.slots[number].base
        assert left is not None
        known = set()
        for seat, mask in masks.items():
            k = opened.get(mask.keys[number])
            if k is not None:
                # This is x * E, without x.
                left -= k * slot.E - mask.exchange.deltas[number]
                known.add(seat)
        assert known == {SEAT_1, SEAT_2}
        assert left.encode() not in deck.faces.names


def test_a_card_that_everybody_knows_comes_back_as_everybody_knows_it() -> None:
    table = mixed(2, SIX)
    (slot,) = table.deal(SEAT_0, 1)
    table.grant([(slot, (PUBLIC,))])
    face = table.deck.slots[slot].face
    assert face is not None
    table.gather([slot], STOCK)
    assert table.deck.pile is not None
    (card,) = table.deck.pile.cards
    assert card == (GROUP.generator, table.deck.faces.point(face) + table.deck.joint_key)


def test_slots_lie_under_kinds_of_keys_that_say_how_they_open() -> None:
    table, _ = table_with_a_victim()
    table.transfer(SEAT_0, held(table, SEAT_0)[:1], SEAT_1)
    kinds = {
        number: {layer.kind for layer in slot.layers.values()}
        for number, slot in table.deck.slots.items()
    }
    handed = held(table, SEAT_1)[-1]
    assert kinds.pop(handed) == {LayerKind.SEAT}
    assert set().union(*kinds.values()) == {LayerKind.SLOT}


def test_no_card_is_lost_doubled_or_changed_on_its_way() -> None:
    table = mixed(3, SIX)
    table.transfer(SEAT_0, table.deal(SEAT_0, 2), SEAT_1)
    table.deal(SEAT_2, 2)
    table.restack(SEAT_2)
    (shown,) = table.deal(SEAT_0, 1)
    table.grant([(shown, (PUBLIC,))])
    table.gather([*held(table, SEAT_1), *held(table, SEAT_2), shown])
    table.mix()
    everything = list(table.deck.slots)
    table.grant([(number, (PUBLIC,)) for number in everything])
    faces = [table.deck.slots[number].face or "hidden" for number in everything]
    assert sorted(faces) == sorted(SIX.faces)
