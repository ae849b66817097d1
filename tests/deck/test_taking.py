"""What may be taken in: vetted parts over this very state, one from each seat that owes one.

And what may be asked for at all: slots that exist and are in play, seats that sit at the table, the
right stage, cards that the holder alone closes. Claims over a hand count its cards as they are at
the state over which they are judged, so that one made over fewer cards is void.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from nodealer.cards import STOCK, Composition, hand
from nodealer.crypto import SECP256K1
from nodealer.deck import (
    PUBLIC,
    Deck,
    Stage,
    announce,
    check_absent,
    check_deck_key,
    check_face,
    check_mask,
    check_releases,
    check_restack,
    check_reveal,
    check_shuffle,
    check_transfer,
    distinct_keys,
    make_absent,
    make_deck_key,
    make_face,
    make_mask,
    make_member,
    make_releases,
    make_restack,
    make_return,
    make_reveal,
    make_shuffle,
    make_transfer,
    new_deck,
    next_shuffler,
    returns_due,
    see,
    take_deck_keys,
    take_face,
    take_masks,
    take_releases,
    take_restacks,
    take_reveal,
    take_shuffle,
    take_transfers,
    verdict_prover,
    without_seats,
)
from nodealer.kernel import (
    EpochId,
    LocalError,
    NodealerError,
    PeerError,
    Reason,
    Seat,
    SlotId,
    TableId,
)
from tests.support.fleet import Fleet, fleet, hashed
from tests.support.tables import TEN, P, Q, R, table


def reason_of(attempt: Callable[[], object]) -> Reason:
    with pytest.raises(NodealerError) as refusal:
        attempt()
    return refusal.value.reason


def dealt() -> tuple[Fleet, tuple[SlotId, ...]]:
    made = table(3)
    return made, made.deal(P, 3)


def test_joint_steps_take_one_part_of_each_seat() -> None:
    """Keys, masks and releases alike: missing, twice, of a seat that owes nothing."""
    made = fleet(3, TEN, salt="collected")
    at, deck = made.moment("keys"), made.deck
    keys = [
        check_deck_key(deck, at, seat, make_deck_key(deck, ring, at))
        for seat, ring in made.rings.items()
    ]
    assert reason_of(lambda: take_deck_keys(deck, keys[:2])) is Reason.DECK_MISSING
    assert reason_of(lambda: take_deck_keys(deck, [*keys, keys[0]])) is Reason.DECK_SEAT
    made.deck = take_deck_keys(deck, keys)
    made.shuffle()
    then, shuffled = made.moment("mask"), made.deck
    masks = [
        check_mask(shuffled, then, seat, make_mask(shuffled, ring, then))
        for seat, ring in made.rings.items()
    ]
    assert reason_of(lambda: take_masks(shuffled, masks[1:])) is Reason.DECK_MISSING
    assert reason_of(lambda: take_masks(shuffled, [*masks, masks[2]])) is Reason.DECK_SEAT
    assert take_masks(shuffled, reversed(masks)) == take_masks(shuffled, masks)


def test_releases_are_taken_from_exactly_those_that_owe_them() -> None:
    made = table(3)
    (number,) = made.deal(P, 1, seen=False)
    made.deck = announce(made.deck, [(number, (P,))])
    at, deck = made.moment("release"), made.deck
    parts = [
        check_releases(deck, at, seat, make_releases(deck, made.rings[seat], at)) for seat in (Q, R)
    ]
    assert reason_of(lambda: make_releases(deck, made.rings[P], at)) is Reason.DECK_SEAT
    assert reason_of(lambda: take_releases(deck, parts[:1])) is Reason.DECK_MISSING
    assert reason_of(lambda: take_releases(deck, [*parts, parts[0]])) is Reason.DECK_SEAT
    foreign = replace(parts[0], seat=P)
    assert reason_of(lambda: take_releases(deck, [*parts, foreign])) is Reason.DECK_SEAT
    assert deck.stage is Stage.RELEASE


def test_a_part_vetted_over_another_state_is_stale() -> None:
    """Equal states are not enough: the check and the taking-in see the very same value."""
    made, numbers = dealt()
    at, deck, ring = made.moment("x"), made.deck, made.rings[P]
    face = see(deck, ring, numbers[0])
    claimed = check_face(deck, at, P, numbers[0], face, make_face(deck, ring, at, numbers[0], face))
    shown = check_reveal(deck, at, P, numbers[0], make_reveal(deck, ring, at, numbers[0]))
    mixed = check_restack(deck, at, P, hand(P), make_restack(deck, ring, at, hand(P)))
    handed = check_transfer(
        deck, at, P, numbers[:1], Q, make_transfer(deck, ring, at, numbers[:1], Q)
    )
    other = replace(deck)
    assert other == deck
    attempts: list[Callable[[Deck], object]] = [
        lambda over: take_face(over, claimed),
        lambda over: take_reveal(over, shown),
        lambda over: take_restacks(over, [mixed]),
        lambda over: take_transfers(over, [handed]),
    ]
    for attempt in attempts:
        assert reason_of(partial(attempt, other)) is Reason.LOCAL_STALE
        attempt(deck)


def test_joint_parts_vetted_over_another_state_are_stale() -> None:
    made = fleet(2, TEN, salt="stale")
    at, deck = made.moment("keys"), made.deck
    keys = [
        check_deck_key(deck, at, seat, make_deck_key(deck, ring, at))
        for seat, ring in made.rings.items()
    ]
    assert reason_of(lambda: take_deck_keys(replace(deck), keys)) is Reason.LOCAL_STALE
    made.deck = keyed = take_deck_keys(deck, keys)
    then = made.moment("shuffle")
    shuffled = check_shuffle(keyed, then, P, make_shuffle(keyed, made.rings[P], then))
    assert reason_of(lambda: take_shuffle(replace(keyed), shuffled)) is Reason.LOCAL_STALE


def test_the_order_of_parts_does_not_matter() -> None:
    """Layers commute: releases and transfers of one step give one state in any order."""
    made = table(3)
    one, two = made.deal(P, 1, seen=False)[0], made.deal(Q, 1, seen=False)[0]
    made.deck = announce(made.deck, [(one, (P,)), (two, (Q,))])
    at, deck = made.moment("release"), made.deck
    parts = [
        check_releases(deck, at, seat, make_releases(deck, made.rings[seat], at))
        for seat in made.rings
    ]
    results = [take_releases(deck, parts[n:] + parts[:n]) for n in range(3)]
    assert results[0] == results[1] == results[2]
    made.deck = deck = results[0]
    then = made.moment("move")
    moves = [
        check_transfer(deck, then, P, [one], R, make_transfer(deck, made.rings[P], then, [one], R)),
        check_transfer(deck, then, Q, [two], P, make_transfer(deck, made.rings[Q], then, [two], P)),
    ]
    assert take_transfers(deck, moves) == take_transfers(deck, reversed(moves))


def test_one_card_cannot_be_handed_to_two_seats_at_once() -> None:
    made, numbers = dealt()
    at, deck, ring = made.moment("move"), made.deck, made.rings[P]
    moves = [
        check_transfer(deck, at, P, numbers[:1], to, make_transfer(deck, ring, at, numbers[:1], to))
        for to in (Q, R)
    ]
    assert reason_of(lambda: take_transfers(deck, moves)) is Reason.DECK_SLOT_TWICE


def asks(made: Fleet, number: SlotId) -> dict[str, Callable[[], object]]:
    """Everything that one can ask of a slot by its number."""
    at, deck, ring = made.moment("ask"), made.deck, made.rings[P]
    other = made.deck.layout.at(STOCK)[0]
    return {
        "see": lambda: see(deck, ring, number),
        "announce": lambda: announce(deck, [(number, (P,))]),
        "reveal": lambda: make_reveal(deck, ring, at, number),
        "face": lambda: make_face(deck, ring, at, number, "7"),
        "member": lambda: make_member(deck, ring, at, number, ["7", "8"]),
        "transfer": lambda: make_transfer(deck, ring, at, [number], Q),
        "return": lambda: make_return(deck, ring, at, [number]),
        "returns due": lambda: returns_due(deck, [number]),
        "gather": lambda: made.gather([number]),
        "verdict": lambda: verdict_prover(deck, [other, number]),
    }


@pytest.mark.parametrize("ask", asks(table(3), SlotId(0)))
def test_slots_that_do_not_exist_or_are_retired_are_refused(ask: str) -> None:
    made, numbers = dealt()
    made.restack(P)
    before = made.deck
    for number, reason in [
        (numbers[0], Reason.DECK_SLOT_RETIRED),
        (made.deck.next_slot, Reason.DECK_SLOT_UNKNOWN),
        (SlotId(-1), Reason.DECK_SLOT_UNKNOWN),
        (SlotId(1 << 70), Reason.DECK_SLOT_UNKNOWN),
    ]:
        assert reason_of(asks(made, number)[ask]) is reason
    assert made.deck is before


def test_an_absence_over_fewer_cards_is_void() -> None:
    """The claim was true of three cards; with a fourth one in the hand it proves nothing."""
    made, _ = dealt()
    at, ring = made.moment("claim"), made.rings[P]
    held = made.faces(P, made.deck.layout.at(hand(P)))
    absent = next(face for face in TEN.distinct if face not in held)
    part = make_absent(made.deck, ring, at, hand(P), absent)
    check_absent(made.deck, at, P, hand(P), absent, part)
    made.deal(P, 1)
    grown = made.deck
    assert reason_of(lambda: check_absent(grown, at, P, hand(P), absent, part)) is Reason.DECK_COUNT
    # With one card exchanged for another the number fits, and the statement does not.
    first, *_, last = grown.layout.at(hand(P))
    kept = grown.layout.moved([first], hand(P), hand(Q))
    other = grown.with_layout(kept)
    assert len(kept.at(hand(P))) == len(part.Ts)
    assert (
        reason_of(lambda: check_absent(other, at, P, hand(P), absent, part)) is Reason.PROOF_ABSENT
    )
    assert last in kept.at(hand(P))


def test_an_absence_in_another_order_or_of_another_face_is_void() -> None:
    made, numbers = dealt()
    at, ring, deck = made.moment("claim"), made.rings[P], made.deck
    held = made.faces(P, deck.layout.at(hand(P)))
    absent, *others = [face for face in TEN.distinct if face not in held] + held
    part = make_absent(deck, ring, at, hand(P), absent)
    for face in others:
        attempt = partial(check_absent, deck, at, P, hand(P), face, part)
        assert reason_of(attempt) is Reason.PROOF_ABSENT
    turned = deck.with_layout(deck.layout.exchanged(numbers[0], numbers[1]))
    assert reason_of(lambda: check_absent(turned, at, P, hand(P), absent, part)) is (
        Reason.PROOF_ABSENT
    )


def test_claims_need_the_holders_layer_alone() -> None:
    made, numbers = dealt()
    unseen = made.deal(P, 1, seen=False)[0]
    at, ring, deck = made.moment("claim"), made.rings[P], made.deck
    assert reason_of(lambda: make_absent(deck, ring, at, hand(P), "7")) is Reason.DECK_NOT_SOLE
    assert reason_of(lambda: make_restack(deck, ring, at, hand(P))) is Reason.DECK_NOT_SOLE
    assert reason_of(lambda: make_face(deck, ring, at, unseen, "7")) is Reason.DECK_NOT_SOLE
    assert reason_of(lambda: make_transfer(deck, ring, at, [unseen], Q)) is Reason.DECK_NOT_SOLE
    theirs = made.rings[Q]
    assert reason_of(lambda: make_face(deck, theirs, at, numbers[0], "7")) is Reason.DECK_NOT_SOLE
    assert reason_of(lambda: make_absent(deck, theirs, at, hand(Q), "7")) is Reason.DECK_ZONE
    assert reason_of(lambda: make_restack(deck, theirs, at, hand(Q))) is Reason.DECK_ZONE


def test_odd_arguments_are_refused() -> None:
    made, numbers = dealt()
    at, ring, deck = made.moment("claim"), made.rings[P], made.deck
    one, two, _ = numbers
    refused: list[tuple[Reason, Callable[[], object]]] = [
        (Reason.DECK_SLOT_TWICE, lambda: make_transfer(deck, ring, at, [one, one], Q)),
        (Reason.DECK_COUNT, lambda: make_transfer(deck, ring, at, [], Q)),
        (Reason.DECK_SEAT, lambda: make_transfer(deck, ring, at, [one], P)),
        (Reason.DECK_SEAT, lambda: make_transfer(deck, ring, at, [one], Seat(7))),
        (Reason.DECK_SLOT_TWICE, lambda: returns_due(deck, [one, two, one])),
        (Reason.DECK_COUNT, lambda: returns_due(deck, [])),
        (Reason.DECK_SLOT_TWICE, lambda: announce(deck, [(one, (Q,)), (one, (R,))])),
        (Reason.DECK_SEAT, lambda: announce(deck, [(one, (Seat(3),))])),
        (Reason.DECK_SEAT, lambda: announce(deck, [(one, (Seat(-2),))])),
        (Reason.DECK_FACE_UNKNOWN, lambda: make_face(deck, ring, at, one, "10")),
        (Reason.DECK_FACE_UNKNOWN, lambda: make_member(deck, ring, at, one, [])),
        (Reason.DECK_FACE_UNKNOWN, lambda: make_member(deck, ring, at, one, ["7", "7"])),
        (Reason.DECK_FACE_UNKNOWN, lambda: make_absent(deck, ring, at, hand(P), "10")),
        (Reason.DECK_SEAT, lambda: make_return(deck, ring, at, numbers)),
        (Reason.DECK_SEAT, lambda: without_seats(deck, [Seat(5)])),
        (Reason.DECK_STAGE, lambda: next_shuffler(deck)),
        (Reason.LOCAL_SECRET, lambda: made.rings[Q].layer_secret(deck.slot(one).layer(P))),
    ]
    for reason, attempt in refused:
        assert reason_of(attempt) is reason
    assert made.deck is deck


def test_a_granted_wish_is_all_or_nothing() -> None:
    made, numbers = dealt()
    deck = made.deck
    made.reveal(P, numbers[1])
    before = made.deck
    wishes = [(numbers[0], (Q,)), (numbers[1], (PUBLIC,))]
    assert reason_of(lambda: announce(before, wishes)) is Reason.DECK_FACE_KNOWN
    assert made.deck is before
    assert before.slot(numbers[0]) is deck.slot(numbers[0])


def test_seats_that_left_take_no_part() -> None:
    made, numbers = dealt()
    made.grant([(numbers[0], (Q,))])
    deck = without_seats(made.deck, [R])
    at = made.moment("x")
    stock = deck.layout.at(STOCK)
    refused: list[tuple[Reason, Callable[[], object]]] = [
        (Reason.DECK_SEAT_GONE, lambda: announce(deck, [(stock[0], (P,))])),
        (Reason.DECK_SEAT_GONE, lambda: announce(deck, [(stock[0], (PUBLIC,))])),
        (Reason.DECK_SEAT_GONE, lambda: returns_due(deck, stock)),
        (Reason.DECK_SEAT, lambda: announce(deck, [(stock[0], (R,))])),
        (Reason.DECK_SEAT, lambda: make_transfer(deck, made.rings[P], at, numbers[1:2], R)),
        (Reason.DECK_SEAT, lambda: make_restack(deck, made.rings[R], at, hand(R))),
    ]
    for reason, attempt in refused:
        assert reason_of(attempt) is reason
    # What both who are left may see is seen by all who are left.
    assert PUBLIC in announce(deck, [(numbers[1], (Q,))]).slot(numbers[1]).audience


def test_two_equal_keys_are_refused() -> None:
    made = table(2)
    key = made.deck.sealing_keys[P]
    with pytest.raises(PeerError) as refusal:
        distinct_keys({P: key, Q: key})
    assert refusal.value.reason is Reason.DECK_SAME_KEY
    assert distinct_keys(made.deck.sealing_keys) == made.deck.sealing_keys


@pytest.mark.parametrize("seats", [[], [0], [0, 0], list(range(11)), [0, 7], [-1, 0]])
def test_rosters_that_are_none_are_refused(seats: list[int]) -> None:
    made = table(3)
    keys = {Seat(seat): made.deck.sealing_keys[P] for seat in range(6)}
    if len(seats) > 10:
        keys = {Seat(seat): made.deck.sealing_keys[P] for seat in range(11)}
    with pytest.raises(LocalError) as refusal:
        new_deck(
            SECP256K1,
            TableId(hashed("t")),
            hashed("terms"),
            EpochId(hashed("e")),
            keys,
            Composition(("7", "8")),
            roster=[Seat(seat) for seat in seats],
        )
    assert refusal.value.reason is Reason.LOCAL_ARGUMENT
