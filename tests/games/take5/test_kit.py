"""6 nimmt! has all that every game is tested for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from nodealer.game_tests import AnyDealer, GameTests, KeptGame
from nodealer.games.api import Action, Options
from nodealer.games.take5 import TAKE5

SHORT: dict[str, int | str | bool] = {"turn_count": 4, "win_score": 12, "stack_size": 3}

BULLS: dict[str, int | str | bool] = {"bull_range": "2-5", "bulls": "2,3,4,5," * 3 + "2,3,4,5"}

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

WIN_SCORE_MAX = next(option.maximum for option in TAKE5.options if option.name == "win_score")


class TestTake5(GameTests):
    game = TAKE5
    games_checked = 40 if IS_FULL else 4
    bot_games = 1000 if IS_FULL else 24
    long_facts = ("options", "bulls")
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "two_seats": KeptGame(2, 1, {"max_rounds": 1}),
        "other_cards": KeptGame(3, 4, {**SHORT, **BULLS, "deck_size": 16}),
        "leaving": KeptGame(4, 3, {**SHORT, "win_score": 8}, ((3, 1, "continue"), (13, 0, "void"))),
    }

    def is_tried(self, options: Options) -> bool:
        """Leave out games of hundreds of rounds."""
        return options["turn_count"] != 1 and options["win_score"] != WIN_SCORE_MAX

    def shown(self, dealer: AnyDealer, chosen: Action) -> str:
        if chosen.kind == "take":
            return f"take {chosen.get('stack')}"
        return f"play {' '.join(dealer.pack.faces[slot] for slot in chosen.slots('card'))}"
