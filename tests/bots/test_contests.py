"""Which bot plays, and how bots are held against one another."""

from __future__ import annotations

from fractions import Fraction

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.bots import ChanceBot, Score, bot_for, contest
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.bot import SENSIBLE_BOT
from nodealer.games.registry import resolve
from nodealer.kernel import Bug


def test_the_bot_of_a_game_is_the_one_that_it_comes_with_or_chance() -> None:
    assert bot_for(MACAUA) == SENSIBLE_BOT
    assert bot_for(HIGH_CARD) == ChanceBot()


def test_a_contest_is_the_same_every_time() -> None:
    options = resolve(HIGH_CARD, 2, {})
    first, again, other = (
        contest(HIGH_CARD, [ChanceBot()] * 2, options, 50, seed) for seed in ("a", "a", "b")
    )
    assert first == again
    assert first != other


def test_shared_first_places_are_parts_of_a_win() -> None:
    options = resolve(HIGH_CARD, 3, {})
    scores = [contest(HIGH_CARD, [ChanceBot()] * 3, options, 1, f"shared {n}") for n in range(20)]
    assert all(sum(score.wins) == 1 for score in scores)
    assert {score.wins for score in scores} >= {(Fraction(1, 3),) * 3}
    assert Score(4, (Fraction(3), Fraction(1))).percent(0) == 75.0


def test_a_game_without_an_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodealer.bots.contests.ACTIONS_MAX", 3)
    with pytest.raises(Bug):
        contest(MACAUA, [ChanceBot()] * 2, resolve(MACAUA, 2, {}), 1, "short")
