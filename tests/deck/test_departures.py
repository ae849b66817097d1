"""Seats leave while releases are under way: what was granted counts, what lacks is planned anew."""

from __future__ import annotations

import pytest

from nodealer.deck import (
    PUBLIC,
    Deck,
    Stage,
    announce,
    check_releases,
    make_releases,
    owing,
    see,
    take_releases,
    without_seats,
)
from nodealer.kernel import LocalError, Reason, Seat, SlotId
from tests.support.fleet import Fleet
from tests.support.tables import P, Q, R, S, table


def released(made: Fleet, deck: Deck) -> Deck:
    """Return the deck after all releases that are owed."""
    at = made.moment("release")
    parts = [
        check_releases(deck, at, seat, make_releases(deck, made.rings[seat], at))
        for seat in owing(deck)
    ]
    return take_releases(deck, parts)


def reason_of(deck: Deck, number: SlotId, *seats: Seat) -> Reason:
    with pytest.raises(LocalError) as refused:
        announce(deck, [(number, seats)])
    return refused.value.reason


def dealt() -> tuple[Fleet, SlotId]:
    """Return a fleet of four in which P has a card that it alone has seen."""
    made = table(4)
    (number,) = made.deal(P, 1)
    return made, number


def test_an_opening_that_was_broken_off_is_asked_for_again() -> None:
    made, number = dealt()
    face = see(made.deck, made.rings[P], number)
    asked = announce(made.deck, [(number, (PUBLIC,))])
    deck = without_seats(asked, [S])
    assert deck.stage is Stage.READY
    assert deck.slot(number).audience == {P, PUBLIC}
    assert deck.slot(number).face is None
    again = announce(deck, [(number, (PUBLIC,))])
    assert owing(again) == (P,)
    assert released(made, again).slot(number).face == face


def test_a_seal_that_was_broken_off_is_asked_for_again() -> None:
    made, number = dealt()
    face = see(made.deck, made.rings[P], number)
    asked = announce(made.deck, [(number, (Q, R))])
    assert asked.slot(number).closed == {P: {P, Q, R}}
    deck = without_seats(asked, [S])
    assert deck.slot(number).audience == {P, Q, R}
    assert deck.slot(number).closed == {P: {P}}
    with pytest.raises(LocalError, match="deck/not-viewer"):
        see(deck, made.rings[Q], number)
    again = announce(deck, [(number, (Q,))])
    # All who are in the audience get what they lack.
    assert again.owed[number].viewers == (Q, R)
    done = released(made, again)
    assert see(done, made.rings[Q], number) == see(done, made.rings[R], number) == face


def test_a_seal_that_came_before_stays() -> None:
    made, number = dealt()
    made.grant([(number, (Q,))])
    asked = announce(made.deck, [(number, (R,))])
    deck = without_seats(asked, [S])
    assert deck.slot(number).closed == {P: {P, Q}}
    assert announce(deck, [(number, (R,))]).owed[number].viewers == (R,)


def test_a_slot_that_nobody_had_seen_is_closed_by_the_seat_that_has_left() -> None:
    made, _ = dealt()
    number = max(made.deck.slots)
    asked = announce(made.deck, [(number, (Q,))])
    deck = without_seats(asked, [S])
    for seats in ((Q,), (R,), (PUBLIC,)):
        assert reason_of(deck, number, *seats) is Reason.DECK_SEAT_GONE


def test_once_it_was_to_be_seen_by_all_it_is_shown_to_nobody_alone() -> None:
    made, number = dealt()
    deck = without_seats(announce(made.deck, [(number, (PUBLIC,))]), [S])
    again = announce(deck, [(number, (Q,))])
    assert again.owed[number].opens == (P,)
    assert again.owed[number].guard is None


def test_only_while_something_is_due_or_nothing_seats_leave() -> None:
    made, number = dealt()
    shuffling = made.deck
    made.gather([number])
    with pytest.raises(LocalError, match="deck/stage"):
        without_seats(made.deck, [S])
    assert without_seats(shuffling, [S]).roster == (P, Q, R)
