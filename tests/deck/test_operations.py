"""Every operation on hidden cards that the games need: who sees what, who learns nothing.

One test for each operation, at tables of 2 to 10 seats with decks of 10 to 210 cards. The larger
tables run in the full profile. What a seat may not see is refused by its own node; that it could
not compute it either is what `test_sequences` and `test_coalition` show.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from nodealer.cards import DISCARD, STOCK, hand
from nodealer.deck import (
    PUBLIC,
    OpenKey,
    OpenShare,
    Stage,
    ViewedFace,
    announce,
    check_absent,
    check_face,
    check_member,
    check_reveal,
    make_absent,
    make_face,
    make_member,
    make_reveal,
    owing,
    see,
    take_face,
    vouch_mask,
    vouch_shuffle,
    without_seats,
)
from nodealer.deck.mask import make_mask, take_masks
from nodealer.deck.shuffle import make_shuffle, next_shuffler, take_shuffle
from nodealer.kernel import LocalError, Reason, Seat, SlotId
from tests.support.fleet import Fleet, fleet
from tests.support.tables import DECKS, TEN, P, Q, R, table

FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"
FAST_SIZES = [(2, 10), (3, 10), (5, 10), (10, 10), (2, 54), (5, 54), (3, 104), (2, 210)]
FULL_SIZES = [(10, 54), (5, 104), (10, 104), (5, 210), (10, 210)]

sizes = pytest.mark.parametrize(("seats", "cards"), FAST_SIZES + (FULL_SIZES if FULL else []))


def refused(
    made: Fleet, seat: Seat, number: SlotId, reason: Reason = Reason.DECK_NOT_VIEWER
) -> bool:
    with pytest.raises(LocalError) as refusal:
        see(made.deck, made.rings[seat], number)
    return refusal.value.reason is reason


def seen_by(made: Fleet, number: SlotId) -> set[Seat]:
    """Return who sees a slot; all of them see the same."""
    seats = {seat for seat in made.rings if not _blind(made, seat, number)}
    assert len({see(made.deck, made.rings[seat], number) for seat in seats}) <= 1
    return seats


def _blind(made: Fleet, seat: Seat, number: SlotId) -> bool:
    try:
        see(made.deck, made.rings[seat], number)
    except LocalError as refusal:
        if refusal.reason is not Reason.DECK_NOT_VIEWER:
            raise
        return True
    return False


def all_faces(made: Fleet) -> Counter[str | None]:
    """Turn all cards over in a copy of the table."""
    copy = Fleet(made.deck, made.rings, made.height)
    hidden = [number for number, slot in copy.deck.slots.items() if slot.face is None]
    copy.grant([(number, (PUBLIC,)) for number in hidden])
    return Counter(slot.face for slot in copy.deck.slots.values())


@sizes
def test_a_mixed_deck_holds_its_composition_and_nobody_sees_a_card(seats: int, cards: int) -> None:
    made = table(seats, cards)
    assert made.deck.stage is Stage.READY
    assert len(made.deck.layout.at(STOCK)) == cards
    assert all(seen_by(made, number) == set() for number in made.deck.layout.at(STOCK)[:3])
    assert all_faces(made) == Counter(DECKS[cards].faces)


@sizes
def test_deal_unseen_sends_nothing_and_shows_nothing(seats: int, cards: int) -> None:
    made = table(seats, cards)
    numbers = made.deal(P, 4, seen=False)
    assert made.sent == []
    assert made.deck.layout.at(hand(P)) == numbers
    assert all(seen_by(made, number) == set() for number in numbers)


@sizes
def test_deal_to_the_owner_shows_it_to_the_owner_alone(seats: int, cards: int) -> None:
    made = table(seats, cards)
    last = Seat(seats - 1)
    numbers = made.deal(last, 2)
    assert all(seen_by(made, number) == {last} for number in numbers)
    assert {seat for _, _, seat, _ in made.sent} == set(made.rings) - {last}


@sizes
def test_peek_own_after_somebody_else_peeked_is_sealed(seats: int, cards: int) -> None:
    made = table(seats, cards)
    (number,) = made.deal(P, 1, seen=False)
    made.grant([(number, (Q,))])
    assert seen_by(made, number) == {Q}
    sent = len(made.sent)
    made.grant([(number, (P,))])
    assert seen_by(made, number) == (set(made.rings) if seats == 2 else {P, Q})
    assert [seat for _, _, seat, _ in made.sent[sent:]] == [Q]
    assert (made.deck.slot(number).face is not None) == (seats == 2)


def test_a_seal_that_was_sent_is_counted_and_not_sent_again() -> None:
    made = table(5)
    (number,) = made.deal(P, 1)
    made.grant([(number, (Q,))])
    made.deck = announce(made.deck, [(number, (R,))])
    assert made.deck.owed[number].viewers == (R,)
    assert made.deck.slot(number).layer(P).known == {Q, R}
    made.release()
    assert seen_by(made, number) == {P, Q, R}


@sizes
def test_peek_anothers_tells_the_owner_nothing(seats: int, cards: int) -> None:
    made = table(seats, cards)
    (number,) = made.deal(P, 1, seen=False)
    made.grant([(number, (Q,))])
    assert seen_by(made, number) == {Q}
    assert refused(made, P, number)
    assert set(made.deck.slot(number).layers) == {Q}


@sizes
def test_open_to_all(seats: int, cards: int) -> None:
    made = table(seats, cards)
    known, unknown = made.deal(P, 1)[0], made.deal(Q, 1, seen=False)[0]
    face = see(made.deck, made.rings[P], known)
    made.grant([(known, (PUBLIC,)), (unknown, (PUBLIC,))])
    assert made.deck.slot(known).face == face
    assert made.deck.slot(unknown).face in DECKS[cards].distinct
    assert seen_by(made, known) == seen_by(made, unknown) == set(made.rings)


@sizes
def test_show_to_all_but_the_owner(seats: int, cards: int) -> None:
    made = table(seats, cards)
    (number,) = made.deal(P, 1, seen=False)
    others = set(made.rings) - {P}
    made.deck = announce(made.deck, [(number, others)])
    plan = made.deck.owed[number]
    assert P in plan.opens
    assert len(plan.viewers) == seats - 2
    made.release()
    assert seen_by(made, number) == others
    assert refused(made, P, number)


@sizes
def test_show_to_one_seat_and_restack_afterwards(seats: int, cards: int) -> None:
    made = table(seats, cards)
    numbers = made.deal(P, 3)
    faces = made.faces(P, numbers)
    made.grant([(number, (Q,)) for number in numbers])
    assert made.faces(Q, numbers) == faces
    if seats == 2:
        return  # both have seen them, so they are public
    assert all(refused(made, R, number) for number in numbers)
    made.restack(P)
    new = made.deck.layout.at(hand(P))
    assert not set(new) & set(numbers)
    assert Counter(made.faces(P, new)) == Counter(faces)
    assert all(seen_by(made, number) == {P} for number in new)
    assert all(refused(made, Q, number, Reason.DECK_SLOT_RETIRED) for number in numbers)


@sizes
def test_exchange_moves_cards_and_leaves_knowledge_with_them(seats: int, cards: int) -> None:
    made = table(seats, cards)
    own, other = made.deal(P, 1)[0], made.deal(Q, 1, seen=False)[0]
    face = see(made.deck, made.rings[P], own)
    made.deck = made.deck.with_layout(made.deck.layout.exchanged(own, other))
    assert made.deck.layout.at(hand(P)) == (other,)
    assert made.deck.layout.at(hand(Q)) == (own,)
    assert see(made.deck, made.rings[P], own) == face
    assert seen_by(made, own) == {P}
    assert seen_by(made, other) == set()


@sizes
def test_return_and_reshuffle_hidden_and_public_cards(seats: int, cards: int) -> None:
    made = table(seats, cards)
    shown, handed, kept = made.deal(P, 3)
    (unseen,) = made.deal(Q, 1, seen=False)
    made.reveal(P, shown)
    made.transfer(P, [handed], Q)
    received = made.deck.layout.at(hand(Q))[-1]
    back = [shown, received, unseen, *made.deck.layout.at(STOCK)]
    made.gather(back)
    assert made.deck.stage is Stage.SHUFFLE
    made.mix()
    assert made.deck.layout.at(hand(P)) == (kept,)
    assert made.deck.layout.at(hand(Q)) == ()
    stock = made.deck.layout.at(STOCK)
    assert len(stock) == cards - 1
    assert not set(stock) & set(back)
    assert all(refused(made, P, number, Reason.DECK_SLOT_RETIRED) for number in back[:3])
    assert all(seen_by(made, number) == set() for number in stock[:3])
    assert all_faces(made) == Counter(DECKS[cards].faces)


@sizes
def test_restack_changes_the_order_and_nothing_else(seats: int, cards: int) -> None:
    made = table(seats, cards)
    before = made.faces(P, made.deal(P, 6))
    for _ in range(2):
        made.restack(P)
        numbers = made.deck.layout.at(hand(P))
        assert Counter(made.faces(P, numbers)) == Counter(before)
        assert all(seen_by(made, number) == {P} for number in numbers)
    assert all_faces(made) == Counter(DECKS[cards].faces)


def test_restacks_follow_different_orders() -> None:
    made = table(2, 210)
    made.deal(P, 6)
    orders = []
    for _ in range(3):
        made.restack(P)
        orders.append(made.faces(P, made.deck.layout.at(hand(P))))
    assert len(set(map(tuple, orders))) > 1


@sizes
def test_transfer_shows_the_card_to_the_receiver(seats: int, cards: int) -> None:
    made = table(seats, cards)
    one, two = made.deal(P, 2)
    face = see(made.deck, made.rings[P], two)
    made.deal(Q, 1)
    made.transfer(P, [two], Q)
    *_, received = made.deck.layout.at(hand(Q))
    assert made.deck.layout.at(hand(P)) == (one,)
    assert see(made.deck, made.rings[Q], received) == face
    assert made.deck.slot(received).audience == {P, Q}
    assert all(refused(made, Seat(seat), received) for seat in range(2, seats))
    assert refused(made, Q, two, Reason.DECK_SLOT_RETIRED)


def test_the_giver_of_a_card_knows_it_from_memory_only() -> None:
    """Its node remembers the face; from the layers it has nothing to compute it with."""
    made = table(3)
    made.transfer(P, made.deal(P, 1), Q)
    assert refused(made, P, made.deck.layout.at(hand(Q))[0])


@sizes
def test_a_received_card_is_played_by_its_share(seats: int, cards: int) -> None:
    made = table(seats, cards)
    made.transfer(P, made.deal(P, 1), Q)
    (number,) = made.deck.layout.at(hand(Q))
    face = see(made.deck, made.rings[Q], number)
    part = make_reveal(made.deck, made.rings[Q], made.moment("play"), number)
    assert isinstance(part, OpenShare)
    assert made.reveal(Q, number) == face
    assert seen_by(made, number) == set(made.rings)


@sizes
def test_a_known_card_is_played_by_its_key(seats: int, cards: int) -> None:
    made = table(seats, cards)
    (number,) = made.deal(P, 1)
    part = make_reveal(made.deck, made.rings[P], made.moment("play"), number)
    assert isinstance(part, OpenKey)
    made.reveal(P, number)
    made.deck = made.deck.with_layout(made.deck.layout.moved([number], hand(P), DISCARD))
    assert made.deck.slot(number).audience == {P, PUBLIC}


def test_a_viewer_plays_a_card_whose_guard_has_gone() -> None:
    made = table(3)
    (number,) = made.deal(P, 1)
    made.grant([(number, (Q,))])
    face = see(made.deck, made.rings[Q], number)
    made.deck = without_seats(made.deck, [P])
    with pytest.raises(LocalError, match="deck/seat-gone"):
        announce(made.deck, [(number, (PUBLIC,))])
    at = made.moment("play")
    part = make_reveal(made.deck, made.rings[Q], at, number)
    assert isinstance(part, ViewedFace)
    assert check_reveal(made.deck, at, Q, number, part).part.face == face
    assert made.reveal(Q, number) == face


@sizes
def test_claims_about_single_cards(seats: int, cards: int) -> None:
    made = table(seats, cards)
    (number,) = made.deal(P, 1)
    ring, at = made.rings[P], made.moment("claim")
    face = see(made.deck, ring, number)
    others = [name for name in DECKS[cards].distinct if name != face][:5]
    check_member(
        made.deck,
        at,
        P,
        number,
        [*others, face],
        make_member(made.deck, ring, at, number, [*others, face]),
    )
    assert seen_by(made, number) == {P}
    with pytest.raises(LocalError, match="proof/member"):
        make_member(made.deck, ring, at, number, others)
    part = make_face(made.deck, ring, at, number, face)
    made.deck = take_face(made.deck, check_face(made.deck, at, P, number, face, part))
    assert seen_by(made, number) == set(made.rings)
    assert set(made.deck.slot(number).layers) == {P}


@sizes
def test_absence_of_a_face_in_a_whole_hand(seats: int, cards: int) -> None:
    """Slots by deal, by restack and by transfer stand side by side in one claim."""
    made = table(seats, cards)
    made.deal(P, 2)
    made.restack(P)
    made.transfer(Q, made.deal(Q, 1), P)
    made.deal(P, 1)
    zone, ring, at = hand(P), made.rings[P], made.moment("claim")
    held = set(made.faces(P, made.deck.layout.at(zone)))
    absent = [face for face in DECKS[cards].distinct if face not in held]
    for face in absent[:2]:
        check_absent(made.deck, at, P, zone, face, make_absent(made.deck, ring, at, zone, face))
    for face in sorted(held)[:2]:
        with pytest.raises(LocalError, match="proof/absent"):
            make_absent(made.deck, ring, at, zone, face)


@sizes
def test_a_blind_steal(seats: int, cards: int) -> None:
    """The victim restacks, then the thief names a place, then the card changes hands."""
    made = table(seats, cards)
    old = made.deal(P, 4)
    before = made.faces(P, old)
    made.restack(P)
    place = 2
    stolen = made.deck.layout.at(hand(P))[place]
    assert stolen not in old
    face = see(made.deck, made.rings[P], stolen)
    made.transfer(P, [stolen], Q)
    assert made.faces(Q, made.deck.layout.at(hand(Q))) == [face]
    left = Counter(made.faces(P, made.deck.layout.at(hand(P))))
    assert left == Counter(before) - Counter([face])


def test_an_announcement_counts_before_its_releases_arrive() -> None:
    made = table(3)
    (number,) = made.deal(P, 1, seen=False)
    made.deck = announce(made.deck, [(number, (P,))])
    assert made.deck.stage is Stage.RELEASE
    assert made.deck.slot(number).audience == {P}
    assert owing(made.deck) == (Q, R)
    assert refused(made, P, number, Reason.DECK_OWED)


def test_what_needs_no_release_is_settled_at_once() -> None:
    made = table(3)
    (number,) = made.deal(P, 1)
    made.deck = announce(made.deck, [(number, (P,))])
    assert made.deck.stage is Stage.READY
    assert owing(made.deck) == ()


def test_seats_may_vouch_for_their_own_shuffle_and_mask() -> None:
    made = fleet(2, TEN, salt="vouched")
    made.keys()
    while made.deck.stage is Stage.SHUFFLE:
        seat = next_shuffler(made.deck)
        ring, then = made.rings[seat], made.moment("shuffle")
        shuffled = make_shuffle(made.deck, ring, then)
        made.deck = take_shuffle(made.deck, vouch_shuffle(made.deck, ring, then, shuffled))
    at = made.moment("mask")
    masks = [
        vouch_mask(made.deck, ring, at, make_mask(made.deck, ring, at))
        for ring in made.rings.values()
    ]
    made.deck = take_masks(made.deck, masks)
    assert all_faces(made) == Counter(TEN.faces)


def test_the_same_arguments_give_the_same_bytes() -> None:
    """A node that lost all but its seed makes every part again, byte for byte."""
    one, again = fleet(2, TEN, salt="twice"), fleet(2, TEN, salt="twice")
    for made in (one, again):
        made.keys()
        made.mix()
        made.deal(P, 3)
        made.restack(P)
        made.transfer(P, made.deck.layout.at(hand(P))[:1], Q)
    assert one.deck == again.deck
    assert [part for *_, part in one.sent] == [part for *_, part in again.sent]
