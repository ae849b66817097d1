"""What was checked is what is taken in: the same part, over the same state, at the same moment.

A part of a peer that fits by itself and not together with others names the seats at fault; a part
that this program mixes up is a mistake of its own, and nobody is blamed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, hand
from nodealer.crypto import SECP256K1
from nodealer.deck import (
    OpenKey,
    check_absent,
    check_deck_key,
    check_face,
    check_mask,
    check_restack,
    check_return,
    check_reveal,
    check_transfer,
    deck_messages,
    gather,
    make_absent,
    make_deck_key,
    make_face,
    make_mask,
    make_restack,
    make_return,
    make_reveal,
    make_transfer,
    new_deck,
    take_face,
    take_masks,
    take_reveal,
    take_transfers,
)
from nodealer.kernel import LocalError, NodealerError, PeerError, Reason, Seat, TableId
from tests.support.fleet import fleet, hashed, mixed
from tests.support.tables import TEN, P, Q, R


def refusal(attempt: Callable[[], object]) -> NodealerError:
    """Return what is raised, which must be an error of ours with a reason."""
    with pytest.raises(NodealerError) as caught:
        attempt()
    return caught.value


def assert_ours(attempt: Callable[[], object], reason: Reason) -> None:
    error = refusal(attempt)
    assert isinstance(error, LocalError)
    assert error.reason is reason


def assert_named(attempt: Callable[[], object], reason: Reason, seats: Iterable[Seat]) -> None:
    error = refusal(attempt)
    assert isinstance(error, PeerError)
    assert (error.reason, error.seats) == (reason, tuple(seats))


def test_parts_of_different_moments_are_not_taken_together() -> None:
    made = fleet(2, TEN, salt="moments")
    made.keys()
    made.shuffle()
    deck, one, other = made.deck, made.moment("mask"), made.moment("mask again")
    masks = [
        check_mask(deck, at, seat, make_mask(deck, made.rings[seat], at))
        for seat, at in ((P, one), (Q, other))
    ]
    assert_ours(lambda: take_masks(deck, masks), Reason.LOCAL_STALE)
    together = check_mask(deck, one, Q, make_mask(deck, made.rings[Q], one))
    made.deck = take_masks(deck, [masks[0], together])
    made.deal(P, 2)


def test_a_moment_of_another_table_is_a_mistake_of_ours() -> None:
    made = fleet(2, TEN, salt="tables")
    at = replace(made.moment("keys"), table=TableId(hashed("another table")))
    part = make_deck_key(made.deck, made.rings[P], at)
    assert_ours(lambda: check_deck_key(made.deck, at, P, part), Reason.LOCAL_ARGUMENT)


def test_a_claim_is_not_taken_for_a_reveal_nor_a_reveal_for_a_claim() -> None:
    made = mixed(2, TEN, salt="kinds")
    number = made.deal(P, 1)[0]
    deck, ring, at = made.deck, made.rings[P], made.moment("play")
    [face] = made.faces(P, [number])
    claimed = check_face(deck, at, P, number, face, make_face(deck, ring, at, number, face))
    revealed = check_reveal(deck, at, P, number, make_reveal(deck, ring, at, number))
    assert_ours(lambda: take_reveal(deck, claimed), Reason.LOCAL_STALE)  # type: ignore[arg-type]
    assert_ours(lambda: take_face(deck, revealed), Reason.LOCAL_STALE)  # type: ignore[arg-type]
    assert take_reveal(deck, revealed).slot(number).layers == {}
    assert set(take_face(deck, claimed).slot(number).layers) == {P}


def test_a_false_claim_of_a_face_is_not_made() -> None:
    made = mixed(2, TEN, salt="false")
    number = made.deal(P, 1)[0]
    false = next(name for name in TEN.distinct if name not in made.faces(P, [number]))
    at = made.moment("claim")
    assert_ours(lambda: make_face(made.deck, made.rings[P], at, number, false), Reason.PROOF_FACE)


def test_what_is_gathered_is_what_was_returned() -> None:
    made = mixed(2, TEN, salt="gathered")
    made.deal(P, 3)
    made.restack(P)
    numbers, deck, at = made.deck.layout.at(hand(P)), made.deck, made.moment("return")
    part = make_return(deck, made.rings[P], at, numbers[:2])
    returned = check_return(deck, at, P, numbers[:2], part)
    for others in (numbers, numbers[:1], numbers[1::-1]):
        assert_ours(lambda: gather(deck, others, STOCK, [returned]), Reason.LOCAL_STALE)  # noqa: B023
    assert gather(deck, numbers[:2], STOCK, [returned]).pile is not None


def test_who_hands_one_card_to_two_seats_is_named() -> None:
    made = mixed(3, TEN, salt="twice")
    numbers = made.deal(P, 2)
    deck, ring, at = made.deck, made.rings[P], made.moment("move")
    moves = [
        check_transfer(deck, at, P, numbers, to, make_transfer(deck, ring, at, numbers, to))
        for to in (Q, R)
    ]
    assert_named(lambda: take_transfers(deck, moves), Reason.DECK_SLOT_TWICE, [P])


def test_a_table_with_one_sealing_key_twice_is_refused() -> None:
    deck = fleet(3, TEN, salt="sealing").deck
    keys = {**deck.sealing_keys, R: deck.sealing_keys[Q]}
    assert_named(
        lambda: new_deck(SECP256K1, deck.table, deck.terms, deck.epoch, keys, TEN),
        Reason.DECK_SAME_KEY,
        [Q, R],
    )


def test_two_seats_with_one_seed_have_no_layer_key_in_common() -> None:
    made = fleet(3, TEN, salt="cloned")
    made.rings[R] = type(made.rings[R])(SECP256K1, R, hashed("seed", "cloned", P))
    made.keys()
    made.mix()
    made.deal(P, 3)
    made.deal(R, 3)
    keys = [layer.key for slot in made.deck.slots.values() for layer in slot.layers.values()]
    assert len(set(keys)) == len(keys)
    opened = {
        item.secret
        for _, _, _, part in made.sent
        for item in getattr(part, "items", ())
        if isinstance(item, OpenKey)
    }
    closed = [
        layer.key
        for number in made.deck.layout.at(hand(P))
        for layer in made.deck.slot(number).layers.values()
    ]
    assert not {SECP256K1.times_generator(secret) for secret in opened} & set(closed)


def test_a_seat_restacks_and_claims_about_zones_of_its_own() -> None:
    made = mixed(2, TEN, salt="zones")
    made.deal(P, 2)
    deck, ring, at = made.deck, made.rings[P], made.moment("own")
    [absent] = [
        name for name in TEN.distinct if name not in made.faces(P, deck.layout.at(hand(P)))
    ][:1]
    restack = make_restack(deck, ring, at, hand(P))
    claim = make_absent(deck, ring, at, hand(P), absent)
    for zone in (hand(Q), STOCK):
        elsewhere = deck.with_layout(deck.layout.moved(deck.layout.at(hand(P)), hand(P), zone))
        attempts = (
            lambda: check_restack(elsewhere, at, P, zone, restack),  # noqa: B023
            lambda: check_absent(elsewhere, at, P, zone, absent, claim),  # noqa: B023
        )
        for attempt in attempts:
            error = refusal(attempt)
            assert isinstance(error, PeerError)
            assert error.reason is Reason.DECK_ZONE


def test_a_wish_that_adds_nobody_shows_nothing_to_others() -> None:
    made = mixed(2, TEN, salt="served")
    [number] = made.deal(P, 1)
    made.transfer(P, [number], Q)
    [handed] = made.deck.layout.at(hand(Q))
    before = made.deck.slot(handed)
    made.grant([(handed, (Q,))])
    assert made.deck.slot(handed) == before
    made.grant([(handed, (P,))])
    after = made.deck.slot(handed)
    assert (after.face, after.audience) == (None, before.audience)
    assert made.faces(P, [handed]) == made.faces(Q, [handed])


def test_a_scalar_out_of_range_is_not_written() -> None:
    messages = deck_messages(SECP256K1)
    for secret in (-1, SECP256K1.order, 1 << 256):
        assert_ours(lambda: messages.write(OpenKey(secret)), Reason.LOCAL_ARGUMENT)  # noqa: B023
    assert messages.read(messages.write(OpenKey(5)), OpenKey) == OpenKey(5)
