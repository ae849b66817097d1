"""Every test of the kit fails for a game that is wrong in what it looks at."""

# ruff: noqa: ARG002 - the interface has more arguments than a small game needs

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import pytest

from high_card.rules import GAME, State
from nodealer.bots import ChanceBot
from nodealer.cards import Board
from nodealer.game_tests import GameTests, KeptGame
from nodealer.games.api import Action, Bot, Step, View, action, event
from nodealer.games.base import AnyGame
from nodealer.games.conformance import ConformanceError
from nodealer.kernel import PeerError, Seat
from nodealer.kernel.chance import Chance
from tests.games.broken_games import HighCard, Resulting


class Deaf(HighCard):
    """Goes on as if nobody had left."""

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        return Step(state)


class Obliging(HighCard):
    """Lets everybody leave, by any policy."""

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        return Step(replace(state, is_over=True))


class Lenient(HighCard):
    """Takes what it does not understand as nothing."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        if len(chosen.slots("card")) != 1:
            return Step(state)
        return super().apply(state, board, seat, chosen)


class Clueless:
    """A bot that plays another game."""

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        return action("take")


class WithCluelessBot(HighCard):
    """Comes with such a bot."""

    def bot(self) -> Bot:
        return Clueless()


class WithChanceBot(HighCard):
    """Comes with a bot that is no better than chance."""

    def bot(self) -> Bot:
        return ChanceBot()


class Hashing(HighCard):
    """Tells something else in every process."""

    def apply(self, state: State, board: Board, seat: Seat, chosen: Action) -> Step[State]:
        step = super().apply(state, board, seat, chosen)
        told = event("laid", seat=seat, number=hash("any text"))
        return replace(step, events=(told,))


def kit(rules: AnyGame, kept_games: Mapping[str, KeptGame] | None = None) -> GameTests:
    """Return the tests of a game."""

    class Tests(GameTests):
        game = rules
        games_checked = 2
        kept: ClassVar[Mapping[str, KeptGame]] = kept_games or {}

    return Tests()


WRONG: list[tuple[Callable[[], None], type[BaseException]]] = [
    (kit(Resulting()).test_it_keeps_the_rules_of_all_games, ConformanceError),
    (kit(Deaf()).test_seats_leave_at_every_point, AssertionError),
    (kit(Obliging()).test_who_cannot_leave_is_refused, AssertionError),
    (kit(Lenient()).test_whatever_is_sent_is_legal_or_refused, AssertionError),
    (kit(WithCluelessBot()).test_bots_play_it_to_its_end, PeerError),
    (kit(WithChanceBot()).test_its_bot_wins_against_chance, AssertionError),
    (kit(Hashing()).test_a_game_is_the_same_in_every_process, AssertionError),
    (kit(HighCard(), {"new": KeptGame(2, 1)}).test_games_are_as_they_were_written, AssertionError),
]


def name_of(value: object) -> str:
    """Return how a test of the kit is called."""
    return getattr(value, "__name__", "")


@pytest.mark.parametrize(("test", "failure"), WRONG, ids=name_of)
def test_what_is_wrong_is_noticed(test: Callable[[], None], failure: type[BaseException]) -> None:
    with pytest.raises(failure):
        test()


def test_all_tests_of_the_kit_are_tried() -> None:
    names = {name for name in vars(GameTests) if name.startswith("test_")}
    assert names == {test.__name__ for test, _ in WRONG}


@pytest.mark.parametrize("test", sorted(name for name in vars(GameTests) if "test_" in name))
def test_a_good_game_passes(test: str) -> None:
    if "written" not in test:
        getattr(kit(GAME), test)()
