"""Fleets of games in which everything goes wrong: no checker finds anything, and all of it happens.

The ordinary run plays a few games of each kind; with `--full` it is a thousand at a table of four,
and a hundred at each other size.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

import pytest

from nodealer.games.api import Milestone
from nodealer.games.registry import game
from nodealer.lab.fleet.simulate_workers import played
from nodealer.lab.fleet.simulated_game import Played, Task
from nodealer.sim.counting import expected_names, game_name
from nodealer.sim.faults import ALL, FAULTS
from nodealer.sim.game import Order, plan_of, play
from nodealer.sim.repertoire import features_of
from tests.sim.hoarding import HOARDING

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

SIZES = {2: 100, 3: 100, 5: 100, 7: 100, 10: 100} if IS_FULL else {2: 2, 3: 1, 7: 1}

OF_FOUR = range(1000) if IS_FULL else (39, 42, 43, 45)
"""Seeds of games at tables of four; in these few every fault strikes."""

JOBS = os.cpu_count() or 1


Options = tuple[tuple[str, int | str | bool], ...]

MACAUA: tuple[str, Options] = ("macaua", ())

V1, V2 = ("66", (("variant", "v1"),)), ("66", (("variant", "v2"),))

TAKE5: tuple[str, Options] = ("take5", ())

PAPAS: tuple[str, Options] = ("papas", ())

CHAINED: tuple[str, Options] = ("papas", (("interrupt_chain", True),))

BRIEF: tuple[str, Options] = ("papas", (("max_turns", 8),))

SMALL: tuple[str, Options] = (
    "take5",
    (("deck_size", 24), ("stack_size", 2), ("turn_count", 4), ("win_score", 3)),
)

FULL_FLEETS = [
    *((game, seats, 200 if seats < 5 else 50) for game in (V1, V2) for seats in range(2, 6)),
    *((TAKE5, seats, 200 if seats < 5 else 50) for seats in range(2, 11)),
]
"""What has to be played of the other games: which, by how many seats, how often."""

FULL_PAPAS_FLEETS = [
    *((PAPAS, seats, 200 if seats < 5 else 50) for seats in range(2, 7)),
    (CHAINED, 4, 200),
    (BRIEF, 3, 50),
]
"""All that has to be played of Papas; some of what it comes to is too rare for a single fleet."""

HOARDING_GAMES = 20 if IS_FULL else 0
"""Only who hoards all wildcards ever plays three of them."""

PAPAS_FLEETS = FULL_PAPAS_FLEETS if IS_FULL else [(BRIEF, 2, 1)]

FLEETS = FULL_FLEETS if IS_FULL else [(V1, 3, 1), (V2, 2, 2), (SMALL, 3, 5)]


def fleet(
    seats: int,
    seeds: Iterable[int],
    faults: str = ALL,
    rules: tuple[str, Options] = MACAUA,
) -> list[Played]:
    name, options = rules
    tasks = [Task(name, seats, seed, options, None, faults, is_sharing=True) for seed in seeds]
    return list(played(tasks, jobs=JOBS if IS_FULL else 1))


def failures(fleet: Iterable[Played]) -> list[tuple[int, object]]:
    return [
        (one.task.seed, one.error if one.record is None else one.record.violations)
        for one in fleet
        if one.has_failed
    ]


def test_tables_of_four_and_all_that_happens_there() -> None:
    found = fleet(4, OF_FOUR)
    assert not failures(found)
    counts: Counter[str] = Counter()
    for one in found:
        assert one.record is not None
        counts.update(dict(one.record.counts))
    wanted = expected_names(ALL, 4, features_of(game("macaua"), 4, {}))
    if not IS_FULL:
        wanted = tuple(name for name in wanted if name.startswith(("fault", "table")))
    assert not [name for name in wanted if not counts[name]]


@pytest.mark.parametrize(("seats", "games"), SIZES.items())
def test_tables_of_other_sizes(seats: int, games: int) -> None:
    assert not failures(fleet(seats, range(games)))


@pytest.mark.parametrize("faults", [one for one in FAULTS if one != ALL])
def test_each_kind_of_fault_alone(faults: str) -> None:
    found = fleet(4 if IS_FULL else 3, range(60 if IS_FULL else 1), faults)
    assert not failures(found)


@pytest.mark.parametrize(("rules", "seats", "games"), FLEETS)
def test_other_games_and_what_they_come_to(
    rules: tuple[str, Options], seats: int, games: int
) -> None:
    counts = counted(rules, seats, games, game(rules[0]).milestones())
    assert any(name.startswith("game") for name in counts)


def counted(
    rules: tuple[str, Options], seats: int, games: int, milestones: Iterable[Milestone] = ()
) -> Counter[str]:
    """Return what a fleet comes to, and require what is to be expected of a long one."""
    found = fleet(seats, range(1, games + 1), rules=rules)
    assert not failures(found)
    counts: Counter[str] = Counter()
    for one in found:
        assert one.record is not None
        counts.update(dict(one.record.counts))
    features = features_of(game(rules[0]), seats, dict(rules[1]))
    orders = [Order(game(rules[0]), seats, one.task.seed, faults=ALL) for one in found]
    plans = [plan_of(order) for order in orders]
    wanted = expected_names(ALL, seats, features, milestones, plans) if IS_FULL else ()
    assert not [name for name in wanted if not counts[name]]
    return counts


def test_papas_comes_to_all_that_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    for rules, seats, games in PAPAS_FLEETS:
        counts += counted(rules, seats, games)
    monkeypatch.setattr("nodealer.sim.game.bot_of", lambda order: order.game.bot())
    for seed in range(HOARDING_GAMES):
        outcome = play(Order(HOARDING, 2, seed, {"max_turns": 90}))
        assert not outcome.violations
        counts += outcome.counts
    names = {game_name(one) for one in game("papas").milestones()}
    if not IS_FULL:
        names = {name for name in names if counts[name]} | {"game turns over"}
    assert not [name for name in names if not counts[name]]


def test_what_a_game_comes_to_is_counted() -> None:
    """Without faults a game of 66 has all that two seats come to, but seats that leave."""
    (one,) = fleet(2, [10], "none", V1)
    assert one.record is not None
    told = {name for name, _ in one.record.counts if name.startswith("game")}
    assert {"game claim equal", "game claim different", "game round stopped"} <= told
    assert "game seat left" not in told
