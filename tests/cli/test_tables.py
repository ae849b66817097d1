"""How games stand, as the list of tables says it."""

from __future__ import annotations

from dataclasses import replace

from nodealer.home.standings import game_standing, standing_of
from nodealer.kernel import Seat
from tests.table.test_choosing_tables import asking
from tests.verify.stage import stage

NAMES = ("Ana", "Ben", "Cleo")


def test_who_chooses_is_named() -> None:
    table = asking().tables[Seat(0)]
    assert standing_of(table, NAMES, Seat(0)) == "each of Ana, Ben and Cleo chooses a card"


def test_a_game_that_is_over_has_a_winner_and_one_that_is_left_goes_on() -> None:
    made = asking()
    made.play()
    position = made.tables[Seat(0)].position
    assert position.standing is not None
    first = position.standing.places[0][0]
    assert standing_of(made.tables[Seat(0)], NAMES, Seat(0)) == f"over; {NAMES[first]} won"
    without = replace(position, roster=(Seat(1), Seat(2)))
    assert game_standing(without, NAMES, Seat(0)) == "goes on without you"


def test_a_second_game_that_has_begun_does_not_hide_who_won_the_first() -> None:
    made = stage(2)
    made.finish()
    standing = made.present().position.standing
    assert standing is not None
    (first, *_), *_ = standing.places
    made.again()
    told = standing_of(made.present(), NAMES, Seat(0))
    now = game_standing(made.present().position, NAMES, Seat(0))
    assert told == f"{now}; game 1 was won by {NAMES[first]}"
    assert "over" not in now
