"""The conformance kit finds what is wrong with games, and nothing wrong with good ones."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import combinations, product

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.cards import Board
from nodealer.games.api import Option, Options, Plain, action
from nodealer.games.base import AnyGame
from nodealer.games.conformance import ConformanceError, check_game, check_rules
from nodealer.games.conformance.damage import damaged
from nodealer.games.conformance.failure import Trial
from nodealer.games.conformance.tables import option_rows, option_tables, values_tried
from nodealer.games.registry import resolve
from nodealer.games.take5 import TAKE5
from nodealer.kernel import LocalError
from tests.games.broken_choices import BROKEN_CHOICES
from tests.games.broken_games import BROKEN, Choosy
from tests.games.sealed import SEALED


def name_of(value: object) -> str:
    """Return how a broken game is called in the list of tests."""
    return value if isinstance(value, str) else type(value).__name__


@pytest.mark.parametrize(("game", "rule"), [*BROKEN, *BROKEN_CHOICES], ids=name_of)
def test_a_broken_game_is_noticed(game: AnyGame, rule: str) -> None:
    with pytest.raises(ConformanceError, match=rule):
        check_rules(game, rounds=4, actions_max=200)


def test_a_failure_says_how_to_see_it_again() -> None:
    game = next(game for game, _ in BROKEN if type(game).__name__ == "Resulting")
    with pytest.raises(ConformanceError) as caught:
        check_rules(game)
    found = re.search(
        r"check_game\(game, seats=(\d+), options=(.*), seed='(.*)'\)", str(caught.value)
    )
    assert found
    assert "1. seat 0: lay card=(" in str(caught.value)
    with pytest.raises(ConformanceError) as again:
        check_game(game, int(found[1]), {"cards": 3}, found[3])
    assert str(again.value) == str(caught.value)


def test_a_failure_inside_of_another_check_stays_what_it_is() -> None:
    trial = Trial(HIGH_CARD, 2, {}, "seed")
    with pytest.raises(ConformanceError, match="one is two: 1"), trial.expecting("all is well"):
        trial.require([], "one is two", "1")
    with pytest.raises(ConformanceError, match="all is well: Key"), trial.expecting("all is well"):
        raise KeyError


def test_the_sample_game_keeps_the_rules() -> None:
    report = check_rules(HIGH_CARD, rounds=1)
    assert report.games == 5 * 3


def test_a_game_of_choices_keeps_the_rules() -> None:
    report = check_rules(SEALED, rounds=1)
    assert report.games == 5 * 3


def test_all_pairs_of_option_values_are_tried() -> None:
    options = [
        Option("a", "", default=False),
        Option("b", "", default=False),
        Option("c", "", "x", choices=("x", "y", "z")),
        Option("d", "", 3, minimum=1, maximum=9),
    ]
    rows = option_rows(options)
    assert rows[0] == {"a": False, "b": False, "c": "x", "d": 3}
    assert {(row["c"], row["d"]) for row in rows} == {(c, d) for c in "xyz" for d in (1, 3, 9)}
    assert {(row["a"], row["b"]) for row in rows} == {(a, b) for a in (0, 1) for b in (0, 1)}
    assert len(rows) < 14


def test_options_that_do_not_go_together_are_left_out() -> None:
    assert [options["cards"] for options in option_tables(Choosy(), 2)] == [3, 1, 6]
    assert [options["cards"] for options in option_tables(Choosy(), 3)] == [3, 1]


def test_every_field_of_an_action_is_damaged() -> None:
    chosen = action("lay", card=(1,), count=3, name="ab", flag=True)
    spoilt = {repr(wrong) for wrong in damaged(HIGH_CARD, Board(), chosen)}
    changes: list[tuple[str, Plain]] = [
        ("count", 4),
        ("count", -3),
        ("name", "a"),
        ("name", "AB"),
        ("flag", False),
    ]
    for name, near in changes:
        assert repr(action("lay", **(dict(chosen.fields) | {name: near}))) in spoilt


@pytest.mark.parametrize("seats", [2, 9])
def test_all_pairs_are_tried_that_some_table_has(seats: int) -> None:
    """Most values of 6 nimmt! go together with few others; the kit still finds such tables."""
    values = [values_tried(option) for option in TAKE5.options]
    names = [option.name for option in TAKE5.options]
    possible: set[object] = set()
    for row in product(*values):
        with suppress(LocalError):
            possible |= pairs_of(resolve(TAKE5, seats, dict(zip(names, row, strict=True))))
    tried = [pairs_of(options) for options in option_tables(TAKE5, seats)]
    assert set().union(*tried) == possible
    assert len(tried) < 30


def pairs_of(options: Options) -> set[object]:
    """Return the pairs of values that meet in these options."""
    return set(combinations(sorted(options.items()), 2))


@pytest.mark.parametrize("count", [0, 1])
def test_few_options_are_tried_one_by_one(count: int) -> None:
    assert len(option_rows([Option("a", "", default=False)][:count])) == 1 + count
