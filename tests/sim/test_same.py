"""The same seed gives the same game, whoever shares what, and a game of others is simulated too."""

from __future__ import annotations

import os

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.sim.faults import ALL
from nodealer.sim.game import Order, play
from nodealer.verify import Verdict
from tests.sim.games import details, macaua

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"


@pytest.mark.parametrize("seed", [2, 5, 6] if IS_FULL else [5])
def test_what_is_shared_changes_nothing(seed: int) -> None:
    """Lies, crashes with a second game, and everything at once."""
    shared = play(macaua(3, seed, ALL))
    alone = play(macaua(3, seed, ALL, is_sharing=False))
    again = play(macaua(3, seed, ALL))
    assert shared.transcript == alone.transcript == again.transcript
    assert shared.counts == alone.counts == again.counts
    assert not details(alone)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_of_others_is_simulated(seats: int) -> None:
    for seed in range(12 if IS_FULL else 4):
        outcome = play(Order(HIGH_CARD, seats, seed, faults=ALL))
        assert not details(outcome)
    calm = play(Order(HIGH_CARD, seats, 1))
    assert calm.report.verdict is Verdict.COMPLETE
    assert calm.standing is not None
