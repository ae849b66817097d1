"""The game of barter keeps the rules of all games, on the plain dealer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from nodealer.game_tests import GameTests, KeptGame
from nodealer.games.base import AnyGame
from tests.games.barter import BARTER


class TestBarter(GameTests):
    """The tests of every game."""

    game: ClassVar[AnyGame] = BARTER
    games_checked: ClassVar[int] = 6
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "two_seats": KeptGame(2, 1),
        "one_leaves": KeptGame(3, 2, leaving=((3, 1, "void"),)),
    }
