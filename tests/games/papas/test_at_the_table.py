"""Papas with keys and proofs comes to the same as over open cards, whoever leaves and whenever."""

from __future__ import annotations

import os

import pytest

from nodealer.games.papas import PAPAS
from nodealer.kernel.chance import Chance
from nodealer.ledger import Closed
from tests.support.rehearsal import rehearsal
from tests.table.test_carrying import play
from tests.table.twin import Twin

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

MORE = [(3, True), (5, True), (6, False)] if IS_FULL else []

SHORT: dict[str, int | str | bool] = {"max_turns": 12}


@pytest.mark.parametrize(("seats", "chained"), [(2, False), (4, True), *MORE])
def test_a_game_goes_as_with_a_dealer(seats: int, chained: bool, is_full: bool) -> None:
    options = {**SHORT, "interrupt_chain": chained}
    for number in range(10 if is_full else 1):
        twin = Twin(rehearsal(seats, PAPAS, options=options, salt=("papas", number)))
        play(twin, 5000, Chance(seats))
        assert isinstance(twin.table.duty, Closed)


@pytest.mark.parametrize("policy", PAPAS.policies)
@pytest.mark.parametrize("seats", [3])
def test_it_does_so_when_seats_leave(seats: int, policy: str, is_full: bool) -> None:
    for number in range(20 if is_full else 1):
        made = rehearsal(
            seats, PAPAS, policy=policy, options=SHORT, salt=("leaving papas", seats, number)
        )
        twin = Twin(made)
        play(twin, 5000, Chance("leaving", seats, number), leaving_percent=2)
        assert isinstance(made.duty, Closed)
