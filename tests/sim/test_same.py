"""The same seed gives the same game, whoever shares what, and a game of others is simulated too."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.sim.faults import ALL
from nodealer.sim.game import Order, play
from nodealer.verify import Verdict
from tests.sim.games import CALM_PLAN, IN_MACAUA, details, macaua, named

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"


@pytest.mark.parametrize("seed", [2, 5, 6] if IS_FULL else [6])
def test_what_is_shared_changes_nothing(seed: int) -> None:
    """Lies, crashes with a second game, and everything at once."""
    shared = play(macaua(3, seed, ALL))
    alone = play(macaua(3, seed, ALL, is_sharing=False))
    again = play(macaua(3, seed, ALL))
    assert shared.transcript == alone.transcript == again.transcript
    assert shared.counts == alone.counts == again.counts
    assert not details(alone)


LISTENING = [one.name for one in IN_MACAUA if one.seen is not None]
"""Behaviours that strike because of what came in."""


@pytest.mark.parametrize("name", LISTENING if IS_FULL else ["accomplice", "copied key"])
def test_who_lies_because_of_what_it_hears_lies_whoever_shares_what(name: str) -> None:
    order = macaua(max(3, named(name).least_seats), plan=CALM_PLAN, behaviour=named(name))
    shared, alone = play(order), play(replace(order, is_sharing=False))
    assert shared.transcript == alone.transcript
    assert shared.counts == alone.counts


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_of_others_is_simulated(seats: int) -> None:
    for seed in range(12 if IS_FULL else 2):
        outcome = play(Order(HIGH_CARD, seats, seed, faults=ALL))
        assert not details(outcome)
    calm = play(Order(HIGH_CARD, seats, 1))
    assert calm.report.verdict is Verdict.COMPLETE
    assert calm.standing is not None
