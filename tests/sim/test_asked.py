"""Simulated games in which players choose, verdicts are proven and notices are taken.

Every behaviour of liars there comes to its end, and everything else goes wrong as in other games.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import pytest

from nodealer.games.effects import EFFECTS, Acks, Choose, Compare, NewDeck, Reshuffle, Show
from nodealer.kernel import Seat
from nodealer.ledger import Contribution, write
from nodealer.ledger.messages import Contributed
from nodealer.ledger.ready import Outgoing
from nodealer.sim.counting import KEEP, counted_in, expected_names
from nodealer.sim.faults import ALL, FAULTS
from nodealer.sim.game import Order, PlayedGame, play
from nodealer.sim.lies import BEHAVIOURS, behaviours_at
from nodealer.sim.lies.owed import OWED
from nodealer.sim.lying import Behaviour
from nodealer.sim.repertoire import features_of
from nodealer.table import position_of
from nodealer.verify import Verdict
from tests.games.pairs import PAIRS
from tests.sim.games import CALM_PLAN, EVERY, details, named, played
from tests.sim.test_behaviours import ENDS, strikes

LISTED = [one for effect in (Compare, Acks, Choose) for one in OWED[effect]]
NAMES = [one.name for one in LISTED]


def pairs(seats: int, seed: int, behaviour: Behaviour, cards: int = 2) -> PlayedGame:
    """Return what came of a game in which nothing goes wrong but that somebody lies."""
    options = {"cards": cards}
    order = Order(PAIRS, seats, seed, options, plan=CALM_PLAN, behaviour=behaviour)
    return play(order)


@pytest.mark.parametrize("behaviour", LISTED, ids=NAMES)
def test_a_behaviour_comes_to_its_end(behaviour: Behaviour, is_full: bool) -> None:
    struck = 0
    games = product(range(behaviour.least_seats, 6 if is_full else 4), range(6 if is_full else 2))
    for seats, seed in games:
        if struck and not is_full:
            break  # one game in which it strikes is enough of a sample
        outcome = pairs(seats, seed, behaviour)
        assert not details(outcome)
        if strikes(outcome):
            struck += 1
            ENDS[behaviour.end](behaviour, outcome)
    assert struck


@pytest.mark.parametrize(("seed", "kind"), [(1, b"deck/equal"), (2, b"deck/not-equal")])
def test_each_verdict_can_be_turned_and_names_who_turns_it(seed: int, kind: bytes) -> None:
    (behaviour,) = (one for one in LISTED if one.name == "wrong verdict")
    outcome = pairs(2, seed, behaviour)
    (cheat,) = outcome.report.cheats
    lie = cheat.messages[0]
    assert isinstance(lie, Contribution)
    assert kind in lie.payloads[0][1]
    assert cheat.code == "E5"


def test_who_is_asked_once_more_for_a_lie_says_it_again() -> None:
    """What it would have said otherwise never leaves, or it were named for saying two things."""
    (behaviour,) = (one for one in LISTED if one.name == "wrong verdict")
    outcome = pairs(2, 1, behaviour)
    (liar,) = outcome.world.liars.values()
    (cheat,) = outcome.report.cheats
    lie = cheat.messages[0]
    assert isinstance(lie, Contribution)
    honest = Contributed(liar.ledger.own.contributions[lie.parent])
    assert liar.leaving(Outgoing(honest, Seat(1))) == [(Seat(1), write(Contributed(lie)))]
    assert honest.contribution != lie


@pytest.mark.parametrize("name", ["two choices", "other choice"])
def test_who_has_one_card_cannot_choose_another(name: str) -> None:
    (behaviour,) = (one for one in LISTED if one.name == name)
    outcome = pairs(3, 0, behaviour, cards=1)
    assert not details(outcome)
    assert strikes(outcome) == behaviour.liars - 1
    assert outcome.report.verdict is Verdict.COMPLETE
    assert outcome.report.culprit is None


@pytest.mark.parametrize("name", ["silent instead of acting", "wrong state", "bad mask", "leaving"])
def test_so_do_those_of_every_game(name: str) -> None:
    outcomes = [pairs(3, seed, named(name)) for seed in range(4)]
    assert not any(map(details, outcomes))
    assert any(map(strikes, outcomes))


def test_behaviours_are_those_that_a_game_allows() -> None:
    """Nobody throws a coin in the game of pairs, and no action of a turn names a card."""
    possible = behaviours_at(4, features_of(PAIRS, 4, {}))
    general = [one for one in BEHAVIOURS if one.needs is None]
    assert possible == (*general, *OWED[NewDeck], *OWED[Show], *LISTED)
    everything = [*BEHAVIOURS, *(one for effect in EFFECTS for one in OWED[effect])]
    assert list(EVERY) == everything
    assert len({one.name for one in EVERY}) == len(EVERY)


FIRST = {"all": 5, "crash": 1, "partition": 1, "lossy": 1, "byzantine": 1, "none": 1}


@pytest.mark.parametrize("faults", FAULTS)
def test_everything_else_goes_wrong_too(faults: str, is_full: bool) -> None:
    counts: Counter[str] = Counter()
    for policy in PAIRS.policies:
        for seed in range(60 if is_full else FIRST[faults]):
            outcome = play(Order(PAIRS, 3, seed, policy=policy, faults=faults))
            assert not details(outcome)
            counts.update(outcome.counts)
    assert counts["table choice"]
    assert counts["table notice"]
    if is_full:
        # Games of pairs are short: the network hardly ever parts while a seal is on its way.
        wanted = set(expected_names(faults, 3, features_of(PAIRS, 3, {}))) - {KEEP}
        assert not [name for name in wanted if name.startswith("table") and not counts[name]]


def test_both_verdicts_are_counted() -> None:
    counts: Counter[str] = Counter()
    for seed in range(4):
        counts.update(play(Order(PAIRS, 3, seed)).counts)
    assert counts["table alike"]
    assert counts["table unlike"]
    assert counts["table choice"] == counts["table notice"] == 8


def test_an_effect_counts_once_it_is_done() -> None:
    """A reshuffle takes two steps; after the first of them it may still be broken off."""
    links = list(played(2, 1).tip.downwards())
    ((before, after),) = (
        (under, over)
        for over, under in pairwise(links)
        if position_of(under).program.step == "mask"
        and isinstance(position_of(under).program.head, Reshuffle)
    )
    assert counted_in(before)["table reshuffle"] == 0
    assert counted_in(after)["table reshuffle"] == 1


def test_shared_memory_changes_nothing_about_a_game() -> None:
    ends = {
        play(Order(PAIRS, 3, 7, faults=ALL, is_sharing=shared)).tip.id for shared in (True, False)
    }
    assert len(ends) == 1
