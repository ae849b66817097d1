"""How games stand, as the list of tables says it."""

from __future__ import annotations

from dataclasses import replace

from nodealer.cli.tables import standing_of
from nodealer.kernel import Seat
from tests.table.test_choosing_tables import asking

NAMES = ("Ana", "Ben", "Cleo")


def test_who_chooses_is_named() -> None:
    position = asking().tables[Seat(0)].position
    assert standing_of(position, NAMES, Seat(0)) == "each of Ana, Ben and Cleo chooses a card"


def test_a_game_that_is_over_has_a_winner_and_one_that_is_left_goes_on() -> None:
    made = asking()
    made.play()
    position = made.tables[Seat(0)].position
    assert position.standing is not None
    first = position.standing.places[0][0]
    assert standing_of(position, NAMES, Seat(0)) == f"over; {NAMES[first]} won"
    without = replace(position, roster=(Seat(1), Seat(2)))
    assert standing_of(without, NAMES, Seat(0)) == "goes on without you"
