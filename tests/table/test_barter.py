"""Table and plain dealer come to the same where hands are restacked, given and taken back."""

from __future__ import annotations

import pytest

from nodealer.kernel.chance import Chance
from nodealer.ledger import Closed
from tests.games.barter import BARTER
from tests.support.rehearsal import rehearsal
from tests.table.test_carrying import play
from tests.table.twin import Twin


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_game_goes_as_with_a_dealer(seats: int, is_full: bool) -> None:
    for number in range(6 if is_full else 1):
        twin = Twin(rehearsal(seats, BARTER, options={"turns": 12}, salt=("barter", number)))
        play(twin, 1000, Chance(seats))
        assert isinstance(twin.table.duty, Closed)


@pytest.mark.parametrize("seed", range(4))
def test_it_does_so_when_seats_leave(seed: int, is_full: bool) -> None:
    for number in range(20 if is_full else 1):
        made = rehearsal(2 + seed, BARTER, options={"turns": 12}, salt=("leaving", seed, number))
        twin = Twin(made)
        play(twin, 2000, Chance("leaving", seed, number), leaving_percent=8)
        assert isinstance(made.duty, Closed)
