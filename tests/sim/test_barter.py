"""Simulated games in which hands are restacked, given and taken back, whatever else goes wrong.

Every behaviour of liars there comes to its end, and what is done to hands is counted.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from nodealer.games.effects import Ask, Claim, Give, Reshuffle, Restack
from nodealer.sim.counting import KEEP, expected_names
from nodealer.sim.faults import FAULTS
from nodealer.sim.game import Order, PlayedGame, play
from nodealer.sim.lies import behaviours_at
from nodealer.sim.lies.owed import OWED
from nodealer.sim.lying import Behaviour
from nodealer.sim.repertoire import features_of
from tests.games.barter import BARTER
from tests.sim.games import CALM_PLAN, details
from tests.sim.test_behaviours import ENDS, strikes

LISTED = [one for effect in (Restack, Give, Claim, Ask, Reshuffle) for one in OWED[effect]]
NAMES = [one.name for one in LISTED]


def barter(seats: int, seed: int, behaviour: Behaviour) -> PlayedGame:
    """Return what came of a game in which nothing goes wrong but that somebody lies."""
    options = {"cards": 2, "turns": 12}
    order = Order(BARTER, seats, seed, options, plan=CALM_PLAN, behaviour=behaviour)
    return play(order)


@pytest.mark.parametrize("behaviour", LISTED, ids=NAMES)
def test_a_behaviour_comes_to_its_end(behaviour: Behaviour, is_full: bool) -> None:
    struck = 0
    games = product(range(behaviour.least_seats, 7 if is_full else 4), range(6 if is_full else 2))
    for seats, seed in games:
        if struck and not is_full:
            break  # one game in which it strikes is enough of a sample
        outcome = barter(seats, seed, behaviour)
        assert not details(outcome)
        if strikes(outcome):
            struck += 1
            ENDS[behaviour.end](behaviour, outcome)
    assert struck


def test_a_game_that_takes_nothing_back_from_hands_has_nobody_who_lies_about_it() -> None:
    names = {one.name for one in behaviours_at(3, features_of(BARTER, 3, {"turns": 12}))}
    assert set(NAMES) <= names
    plain = {one.name for one in behaviours_at(3, (Reshuffle,))}
    assert not plain & set(NAMES)


FIRST = {"all": 4, "crash": 1, "partition": 1, "lossy": 1, "byzantine": 1, "none": 1}


@pytest.mark.parametrize("faults", FAULTS)
def test_everything_else_goes_wrong_too(faults: str, is_full: bool) -> None:
    counts: Counter[str] = Counter()
    for seed in range(60 if is_full else FIRST[faults]):
        seats = 2 + seed % (5 if is_full else 3)
        outcome = play(Order(BARTER, seats, seed, {"turns": 12}, faults=faults))
        assert not details(outcome)
        counts.update(outcome.counts)
    assert counts["table restack"]
    if faults == "all" or is_full:
        assert counts["table gift"]
        assert counts["table answer"]
        assert counts["table claim"] + counts["table denial"]
    if is_full:
        wanted = set(expected_names(faults, 3, features_of(BARTER, 3, {"turns": 12}))) - {KEEP}
        assert not [name for name in wanted if name.startswith("table") and not counts[name]]
