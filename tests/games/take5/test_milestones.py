"""What games of 6 nimmt! come to is told by what happens in them."""

from __future__ import annotations

from collections.abc import Sequence

from nodealer.games.api import Event
from nodealer.games.take5 import TAKE5
from tests.games.take5.positions import leave, play, position, take


def told(events: Sequence[Event]) -> set[str]:
    """Return the names of the milestones that events tell of."""
    return {one.name for one in TAKE5.milestones() for event in events if one.is_told_by(event)}


def test_a_card_that_fits_is_placed_or_takes_the_full_stack() -> None:
    dealer = position(["6 90", "70 91"], ["1 2 3 4 5", "40", "60", "80"])
    assert told(play(dealer, "6", "70")) == {"card placed", "full stack taken"}


def test_a_card_below_all_stacks_takes_the_stack_that_its_seat_chooses() -> None:
    dealer = position(["5 90", "70 91"])
    assert told(play(dealer, "5", "70")) == set()
    assert told(take(dealer, "B")) == {"card placed", "stack chosen"}


def test_a_round_has_an_end_and_a_seat_may_leave() -> None:
    dealer = position(["41", "61", "81"])
    leave(dealer, 1)
    assert told(dealer.events) == {"seat left"}
    dealer = position(["41", "61"])
    assert told(play(dealer, "41", "61")) == {"card placed", "round ended"}


def test_who_is_tied_plays_on() -> None:
    dealer = position(["41", "61"], scores=[66, 66])
    assert told(play(dealer, "41", "61")) == {"card placed", "round ended", "tie played on"}


def test_every_milestone_has_a_name_of_its_own() -> None:
    names = [one.name for one in TAKE5.milestones()]
    assert len(set(names)) == len(names)
