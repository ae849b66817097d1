"""Attacks on who may see what, and when.

*Releases that leave too early.* A layer that travelled with somebody's consent to a proposal would
be a free peek if the proposal then failed. Here nothing can be released before the wish is granted,
and only what was granted is a valid release.

*Coalitions.* It is not enough that no single seat outside the audience can finish a slot: with one
layer opened and two others sealed to one viewer, the two sealers could finish it together. Every
coalition is tried here, with the points that it really has.

*Forgotten releases.* A second viewer must count what the first release already gave away.

*An opened card taken on its owner's word.* Keys, shares and named faces are all checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, combinations

import pytest

from nodealer.cards import STOCK, hand
from nodealer.crypto import Proof
from nodealer.deck import (
    Deck,
    EqualPart,
    OpenKey,
    ReleasePart,
    ReleasePlan,
    SealShares,
    ViewedFace,
    announce,
    check_equal,
    check_not_equal,
    check_releases,
    check_restack,
    check_reveal,
    check_transfer,
    make_absent,
    make_not_equal,
    make_releases,
    make_restack,
    make_reveal,
    make_transfer,
    owing,
    plan,
    see,
    take_releases,
    verdict_prover,
    without_seats,
)
from nodealer.kernel import Reason, Seat, SlotId
from tests.attacks.tools import (
    GROUP,
    SEAT_0,
    SEAT_1,
    SEAT_2,
    SEAT_3,
    SIX,
    forbidden,
    held,
    moment,
    refused,
)
from tests.support.fleet import Fleet, mixed

NO_PROOF = Proof(bytes(16), (1,))

Coalition = tuple[Seat, ...]


def coalitions(seats: Iterable[Seat]) -> list[Coalition]:
    """Return every group of seats, nobody (a spectator) included."""
    everybody = tuple(seats)
    return list(
        chain.from_iterable(combinations(everybody, size) for size in range(len(everybody) + 1))
    )


def finished_by(table: Fleet, number: SlotId, coalition: Coalition) -> str | None:
    """Return the face that a coalition computes from the public slot, its keys and its seals."""
    deck, slot = table.deck, table.deck.slots[number]
    left = slot.N
    for seat, layer in slot.layers.items():
        reader = next((viewer for viewer in coalition if viewer in layer.sealed), None)
        if seat in coalition:
            left -= table.rings[seat].layer_secret(layer) * slot.E
        elif reader is not None:
            y = table.rings[reader].sealing_secret(deck.terms)
            left -= layer.sealed[reader].V - y * layer.sealed[reader].U
    return deck.faces.names.get(left.encode())


def leaks(table: Fleet) -> list[tuple[SlotId, Coalition]]:
    """Return every slot that a coalition can read without a member who may see it."""
    seats = table.deck.roster
    return [
        (number, group)
        for number, slot in table.deck.slots.items()
        if slot.face is None
        for group in coalitions(seats)
        if len(group) < len(seats)
        and not set(group) & slot.audience
        and finished_by(table, number, group) is not None
    ]


Peeks = Callable[[SlotId], list[list[tuple[SlotId, tuple[Seat, ...]]]]]

SCENES: dict[str, Peeks] = {
    "dealt to one": lambda s: [[(s, (SEAT_0,))]],
    "own card seen after another saw it": lambda s: [[(s, (SEAT_1,))], [(s, (SEAT_0,))]],
    "three peeks in turn": lambda s: [[(s, (seat,))] for seat in (SEAT_2, SEAT_0, SEAT_1)],
    "shown to two at once": lambda s: [[(s, (SEAT_2, SEAT_3))]],
    "shown to all but the owner": lambda s: [[(s, (SEAT_1, SEAT_2, SEAT_3))]],
    "one, then two more": lambda s: [[(s, (SEAT_3,))], [(s, (SEAT_0, SEAT_1))]],
}


@pytest.mark.parametrize("scene", SCENES)
def test_no_coalition_reads_what_none_of_it_may_see(scene: str) -> None:
    table = mixed(4, SIX)
    number = table.deck.layout.at(STOCK)[0]
    assert leaks(table) == []
    for wishes in SCENES[scene](number):
        table.grant(wishes)
        assert leaks(table) == []
        viewers = [seat for seat in table.deck.roster if seat in table.deck.slots[number].audience]
        faces = {see(table.deck, table.rings[seat], number) for seat in viewers}
        assert len(faces) == 1
        # What some may see is not shown to all.
        assert table.deck.slots[number].face is None


def test_every_release_counts_once_it_is_granted() -> None:
    table = mixed(3, SIX)
    number = table.deck.layout.at(STOCK)[0]
    table.grant([(number, (SEAT_0,))])
    table.grant([(number, (SEAT_1,))])
    slot = table.deck.slots[number]
    assert slot.closed == {SEAT_0: {SEAT_0, SEAT_1}}
    # Asking again brings nothing again.
    assert announce(table.deck, [(number, (SEAT_1,))]).owed == {}


def test_a_card_that_all_may_see_is_public() -> None:
    table = mixed(3, SIX)
    number = table.deck.layout.at(STOCK)[0]
    table.grant([(number, (SEAT_0, SEAT_1))])
    table.grant([(number, (SEAT_2,))])
    assert table.deck.slots[number].face is not None
    assert table.deck.slots[number].layers == {}


def test_the_guard_is_who_lacks_the_fewest_seals_and_then_the_lowest() -> None:
    def sealed(*knows: Seat) -> frozenset[Seat]:
        return frozenset(knows)

    roster = (SEAT_0, SEAT_1, SEAT_2, SEAT_3)
    alone = {seat: sealed(seat) for seat in roster}
    wanted = (SEAT_1, SEAT_2)
    assert plan(alone, frozenset(), wanted, roster) == ReleasePlan(
        frozenset(wanted), opens=(SEAT_0, SEAT_2, SEAT_3), guard=SEAT_1, viewers=(SEAT_2,)
    )
    better = {**alone, SEAT_2: sealed(SEAT_1, SEAT_2)}
    made = plan(better, frozenset({SEAT_1}), (SEAT_2,), roster)
    assert (made.guard, made.viewers) == (SEAT_2, ())


def test_only_a_member_of_the_audience_guards() -> None:
    closed = {SEAT_0: frozenset({SEAT_0}), SEAT_1: frozenset({SEAT_1})}
    made = plan(closed, frozenset(), (SEAT_1,), (SEAT_0, SEAT_1, SEAT_2))
    assert made.guard == SEAT_1
    with forbidden(Reason.DECK_AUDIENCE):
        plan({SEAT_0: frozenset({SEAT_0})}, frozenset(), (SEAT_1,), (SEAT_0, SEAT_1, SEAT_2))


def test_a_layer_of_a_seat_that_left_cannot_be_planned_with() -> None:
    table = mixed(3, SIX)
    number = table.deck.layout.at(STOCK)[0]
    with forbidden(Reason.DECK_SEAT_GONE):
        announce(without_seats(table.deck, [SEAT_2]), [(number, (SEAT_0,))])


@pytest.mark.parametrize("stranger", [Seat(3), Seat(-2)])
def test_strangers_are_not_shown_anything(stranger: Seat) -> None:
    table = mixed(3, SIX)
    with forbidden(Reason.DECK_SEAT):
        announce(table.deck, [(table.deck.layout.at(STOCK)[0], (stranger,))])


def test_nothing_is_released_before_it_is_granted() -> None:
    table = mixed(3, SIX)
    with forbidden(Reason.DECK_STAGE):
        make_releases(table.deck, table.rings[SEAT_1], moment(table))


def test_releases_for_a_wish_that_was_not_granted_are_refused() -> None:
    table = mixed(3, SIX)
    one, two = table.deck.layout.at(STOCK)[:2]
    proposed = announce(table.deck, [(one, (SEAT_0,))])
    early = make_releases(proposed, table.rings[SEAT_1], moment(table))
    with refused(Reason.DECK_STAGE):
        check_releases(table.deck, moment(table), SEAT_1, early)
    granted = announce(table.deck, [(two, (SEAT_0,))])
    with refused(Reason.DECK_WRONG_KEY):
        check_releases(granted, moment(table), SEAT_1, early)


def test_a_seat_that_owes_nothing_has_nothing_to_release() -> None:
    table = mixed(3, SIX)
    deck = announce(table.deck, [(table.deck.layout.at(STOCK)[0], (SEAT_0,))])
    assert owing(deck) == (SEAT_1, SEAT_2)
    with forbidden(Reason.DECK_SEAT):
        make_releases(deck, table.rings[SEAT_0], moment(table))
    part = make_releases(deck, table.rings[SEAT_1], moment(table))
    with refused(Reason.DECK_SEAT):
        check_releases(deck, moment(table), SEAT_0, part)


@pytest.mark.parametrize("items", [0, 1, 3])
def test_exactly_what_is_owed_is_released(items: int) -> None:
    table = mixed(3, SIX)
    deck = announce(table.deck, [(s, (SEAT_0,)) for s in table.deck.layout.at(STOCK)[:2]])
    part = make_releases(deck, table.rings[SEAT_1], moment(table))
    with refused(Reason.DECK_NOT_OWED):
        check_releases(deck, moment(table), SEAT_1, ReleasePart((part.items * 2)[:items]))


def test_a_face_shows_only_when_all_have_released() -> None:
    table = mixed(3, SIX)
    deck = announce(table.deck, [(table.deck.layout.at(STOCK)[0], (SEAT_0,))])
    part = make_releases(deck, table.rings[SEAT_1], moment(table))
    with forbidden(Reason.DECK_MISSING):
        take_releases(deck, [check_releases(deck, moment(table), SEAT_1, part)])


def test_nothing_else_happens_while_releases_are_owed() -> None:
    table = mixed(3, SIX)
    mine = table.deal(SEAT_0, 2)
    free = table.deck
    deck = announce(free, [(free.layout.at(STOCK)[0], (SEAT_1,))])
    ring, at = table.rings[SEAT_0], moment(table)
    with forbidden(Reason.DECK_STAGE):
        announce(deck, [(mine[0], (SEAT_1,))])
    with forbidden(Reason.DECK_STAGE):
        make_absent(deck, ring, at, hand(SEAT_0), "a")
    with refused(Reason.DECK_STAGE):
        restack = make_restack(free, ring, at, hand(SEAT_0))
        check_restack(deck, at, SEAT_0, hand(SEAT_0), restack)
    with refused(Reason.DECK_STAGE):
        transfer = make_transfer(free, ring, at, mine, SEAT_1)
        check_transfer(deck, at, SEAT_0, mine, SEAT_1, transfer)
    with refused(Reason.DECK_STAGE):
        check_reveal(deck, at, SEAT_0, mine[0], make_reveal(free, ring, at, mine[0]))


def sealing() -> tuple[Fleet, Deck, ReleasePart]:
    """Return a table where seat 0 owes a seal to seat 1 and one to seats 1 and 2."""
    table = mixed(4, SIX)
    one, two = table.deal(SEAT_0, 2)
    deck = announce(table.deck, [(one, (SEAT_1,)), (two, (SEAT_1, SEAT_2))])
    return table, deck, make_releases(deck, table.rings[SEAT_0], moment(table))


def test_an_opening_in_the_place_of_a_seal_is_refused() -> None:
    table, deck, part = sealing()
    slot = deck.slots[held(table, SEAT_0)[0]]
    key = OpenKey(table.rings[SEAT_0].layer_secret(slot.layers[SEAT_0]))
    with refused(Reason.DECK_RELEASE_FORM):
        check_releases(deck, moment(deck), SEAT_0, ReleasePart((key, part.items[1])))


def test_a_seal_in_the_place_of_an_opening_is_refused() -> None:
    table, _, part = sealing()
    number = table.deck.layout.at(STOCK)[0]
    deck = announce(table.deck, [(number, (SEAT_1,))])
    with refused(Reason.DECK_RELEASE_FORM):
        check_releases(deck, moment(deck), SEAT_0, ReleasePart(part.items[:1]))


def test_seals_for_more_or_fewer_viewers_are_refused() -> None:
    _, deck, part = sealing()
    first, second = part.items
    assert isinstance(first, SealShares)
    assert isinstance(second, SealShares)
    for items in (
        (replace(first, Vs=first.Vs * 2), second),
        (first, replace(second, Vs=second.Vs[:1])),
    ):
        with refused(Reason.DECK_COUNT):
            check_releases(deck, moment(deck), SEAT_0, ReleasePart(items))


def test_seals_for_each_others_eyes_are_refused() -> None:
    _, deck, part = sealing()
    first, second = part.items
    assert isinstance(second, SealShares)
    swapped = replace(second, Vs=second.Vs[::-1])
    with refused(Reason.PROOF_SEAL):
        check_releases(deck, moment(deck), SEAT_0, ReleasePart((first, swapped)))


def test_a_seal_that_shows_a_wrong_face_is_refused() -> None:
    _, deck, part = sealing()
    first, second = part.items
    assert isinstance(first, SealShares)
    other = deck.faces.point("a") - deck.faces.point("b")
    bent = replace(first, Vs=(first.Vs[0] + other,))
    with refused(Reason.PROOF_SEAL):
        check_releases(deck, moment(deck), SEAT_0, ReleasePart((bent, second)))


def test_a_wrong_key_is_refused_whoever_owes_it() -> None:
    table = mixed(3, SIX)
    deck = announce(table.deck, [(table.deck.layout.at(STOCK)[0], (SEAT_0,))])
    (item,) = make_releases(deck, table.rings[SEAT_1], moment(table)).items
    assert isinstance(item, OpenKey)
    for secret in (0, 1, item.secret + 1, GROUP.order - item.secret):
        with refused(Reason.DECK_WRONG_KEY):
            check_releases(deck, moment(table), SEAT_1, ReleasePart((OpenKey(secret),)))


def test_a_card_is_not_played_on_the_word_of_its_owner() -> None:
    table = mixed(3, SIX)
    one, two = table.deal(SEAT_0, 2)
    at, ring = moment(table), table.rings[SEAT_0]
    other = make_reveal(table.deck, ring, at, two)
    with refused(Reason.DECK_WRONG_KEY):
        check_reveal(table.deck, at, SEAT_0, one, other)
    with refused(Reason.DECK_RELEASE_FORM):
        check_reveal(table.deck, at, SEAT_0, one, ViewedFace("a", NO_PROOF))


def test_a_face_is_not_taken_on_the_word_of_a_viewer() -> None:
    table = mixed(3, SIX)
    (number,) = table.deal(SEAT_0, 1)
    table.grant([(number, (SEAT_1,))])
    at, ring = moment(table), table.rings[SEAT_1]
    part = make_reveal(table.deck, ring, at, number)
    assert isinstance(part, ViewedFace)
    for face in set(SIX.faces) - {part.face}:
        with refused(Reason.PROOF_VIEW_FACE):
            check_reveal(table.deck, at, SEAT_1, number, replace(part, face=face))
    with refused(Reason.DECK_FACE_UNKNOWN):
        check_reveal(table.deck, at, SEAT_1, number, replace(part, face="joker"))
    with refused(Reason.DECK_RELEASE_FORM):
        check_reveal(table.deck, at, SEAT_1, number, OpenKey(1))


def test_who_may_not_see_a_card_does_not_turn_it_over() -> None:
    table = mixed(3, SIX)
    (number,) = table.deal(SEAT_0, 1)
    with refused(Reason.DECK_NOT_VIEWER):
        check_reveal(table.deck, moment(table), SEAT_1, number, ViewedFace("a", NO_PROOF))


def test_who_has_seen_a_card_is_counted_when_it_is_handed_over() -> None:
    table = mixed(4, SIX)
    numbers = table.deal(SEAT_0, 1)
    table.grant([(numbers[0], (SEAT_2,))])
    table.transfer(SEAT_0, numbers, SEAT_1)
    (got,) = held(table, SEAT_1)
    assert table.deck.slots[got].audience == {SEAT_0, SEAT_1, SEAT_2}
    assert leaks(table) == []


def given_away() -> tuple[Fleet, tuple[SlotId, ...]]:
    """Return a table where seat 0 knows two cards of seat 1, which it had given to it."""
    table = mixed(3, SIX)
    table.transfer(SEAT_0, table.deal(SEAT_0, 2), SEAT_1)
    return table, held(table, SEAT_1)


def test_a_giver_does_not_turn_over_what_it_gave_away() -> None:
    # It may know the card, but has no seal on the new slot; that must not stop the others.
    table, (number, _) = given_away()
    with refused(Reason.DECK_NOT_VIEWER):
        check_reveal(table.deck, moment(table), SEAT_0, number, ViewedFace("a", NO_PROOF))


def test_a_giver_does_not_prove_a_verdict_on_what_it_gave_away() -> None:
    table, numbers = given_away()
    with refused(Reason.DECK_NOT_VIEWER):
        check_equal(table.deck, moment(table), SEAT_0, numbers, EqualPart(NO_PROOF))


def test_the_prover_of_a_verdict_is_a_seat_that_can_prove_it() -> None:
    table, (given, _) = given_away()
    (own,) = table.deal(SEAT_0, 1)
    table.grant([(own, (SEAT_1,))])
    # Seats 0 and 1 may see both; seat 0 has no seal on the one that it gave away.
    assert verdict_prover(table.deck, [given, own]) == SEAT_1
    part = make_not_equal(table.deck, table.rings[SEAT_1], moment(table), [given, own])
    check_not_equal(table.deck, moment(table), SEAT_1, [given, own], part)
