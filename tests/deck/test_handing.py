"""Several hands at once: restacks of one step, gifts into several zones, returns of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, Zone, hand
from nodealer.deck import (
    Gift,
    HandoverPart,
    announce,
    check_gifts,
    check_restack,
    make_gifts,
    make_restack,
    see,
    take_restacks,
    take_transfers,
)
from nodealer.kernel import LocalError, PeerError, Reason, Seat
from tests.support.fleet import Fleet
from tests.support.tables import P, Q, R, table

ASIDE = Zone("aside", R)


def faces(made: Fleet, zone: Zone) -> list[str]:
    """Return what the holder of a zone sees there."""
    assert zone.seat is not None
    return [see(made.deck, made.rings[zone.seat], slot) for slot in made.deck.layout.at(zone)]


def restack_all(made: Fleet, *seats: Seat) -> None:
    """Let seats restack their hands in one step."""
    deck, at, behind = made.deck, made.moment("restack"), 0
    parts = []
    for seat in seats:
        part = make_restack(deck, made.rings[seat], at, hand(seat), behind=behind)
        parts.append(check_restack(deck, at, seat, hand(seat), part, behind=behind))
        behind += len(part.cards)
    made.deck = take_restacks(deck, parts[::-1])


def test_hands_that_are_restacked_at_once_have_numbers_of_their_own() -> None:
    made = table(3)
    made.deal(P, 3), made.deal(Q, 1), made.deal(R, 2)
    seats, first = (P, Q, R), made.deck.next_slot
    before = [Counter(faces(made, hand(seat))) for seat in seats]
    restack_all(made, *seats)
    lying = [slot for seat in seats for slot in made.deck.layout.at(hand(seat))]
    assert lying == list(range(first, first + 6))
    assert made.deck.next_slot == first + 6
    assert [Counter(faces(made, hand(seat))) for seat in seats] == before


def test_a_restack_under_other_numbers_is_refused_or_never_seen() -> None:
    """The number is in the origin of the key, so the holder would look for another secret."""
    made = table(3)
    made.deal(P, 2)
    deck, at = made.deck, made.moment("restack")
    part = make_restack(deck, made.rings[P], at, hand(P), behind=2)
    vetted = check_restack(deck, at, P, hand(P), part)
    after = take_restacks(deck, [vetted])
    with pytest.raises(LocalError):
        see(after, made.rings[P], after.layout.at(hand(P))[0])


def gifts(made: Fleet) -> tuple[Gift, Gift]:
    one, two, three = made.deck.layout.at(hand(P))
    return Gift((two,), hand(Q)), Gift((three, one), ASIDE)


def test_one_seat_gives_into_zones_of_several() -> None:
    made = table(3)
    made.deal(P, 3), made.deal(Q, 1)
    deck, at = made.deck, made.moment("give")
    one, two, three = faces(made, hand(P))
    part = make_gifts(deck, made.rings[P], at, gifts(made))
    made.deck = take_transfers(deck, [check_gifts(deck, at, P, gifts(made), part)])
    assert not made.deck.layout.at(hand(P))
    assert faces(made, hand(Q))[1:] == [two]
    assert faces(made, ASIDE) == [three, one]
    assert made.deck.layout.at(ASIDE) == (deck.next_slot + 1, deck.next_slot + 2)


@pytest.mark.parametrize("cut", [0, 1, 2, 4])
def test_as_many_cards_are_given_as_there_are_slots(cut: int) -> None:
    made = table(3)
    made.deal(P, 3)
    deck, at = made.deck, made.moment("give")
    part = make_gifts(deck, made.rings[P], at, gifts(made))
    other = HandoverPart((*part.cards, *part.cards)[:cut])
    with pytest.raises(PeerError) as refused:
        check_gifts(deck, at, P, gifts(made), other)
    assert refused.value.reason is Reason.DECK_COUNT


def test_a_gift_for_one_seat_is_none_for_another() -> None:
    made = table(3)
    made.deal(P, 3)
    deck, at = made.deck, made.moment("give")
    part = make_gifts(deck, made.rings[P], at, gifts(made))
    first, second = gifts(made)
    turned = (replace(first, to=hand(R)), replace(second, to=hand(Q)))
    with pytest.raises(PeerError) as refused:
        check_gifts(deck, at, P, turned, part)
    assert refused.value.reason is Reason.PROOF_TRANSFER


def test_nobody_receives_in_a_zone_of_nobody() -> None:
    made = table(2)
    made.deal(P, 1)
    (one,) = made.deck.layout.at(hand(P))
    with pytest.raises(LocalError) as refused:
        make_gifts(made.deck, made.rings[P], made.moment("give"), [Gift((one,), STOCK)])
    assert refused.value.reason is Reason.DECK_ZONE


def test_what_the_only_opponent_sees_is_restacked_and_given_if_it_stays_closed() -> None:
    """Shown as usual it would lie open, under no layer at all."""
    made = table(2)
    shown = made.deal(P, 2)
    plain = announce(made.deck, [(slot, (Q,)) for slot in shown])
    assert {seat for one in plain.owed.values() for seat in one.opens} == {P}
    made.deck = announce(made.deck, [(slot, (Q,)) for slot in shown], shown)
    made.release()
    assert [see(made.deck, made.rings[Q], slot) for slot in shown] == faces(made, hand(P))
    assert not made.deck.board.faces
    before = Counter(faces(made, hand(P)))
    restack_all(made, P)
    assert Counter(faces(made, hand(P))) == before
    with pytest.raises(LocalError):
        see(made.deck, made.rings[Q], made.deck.layout.at(hand(P))[0])


def test_a_restack_brings_a_hand_into_any_order() -> None:
    """By the keys of the holder; who follows the first card finds it at every place."""
    made = table(2)
    made.deal(P, 3)
    places = set()
    for _ in range(12):
        first = faces(made, hand(P))[0]
        restack_all(made, P)
        places.add(faces(made, hand(P)).index(first))
    assert places == {0, 1, 2}
