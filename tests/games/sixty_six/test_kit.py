"""66 has all that every game is tested for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from nodealer.game_tests import PLAYER_NAMES, AnyDealer, GameTests, KeptGame
from nodealer.games.api import Action, Options
from nodealer.games.sixty_six import SIXTY_SIX, FirstSixtySix
from nodealer.games.sixty_six.rules import LIMIT_MAX
from nodealer.kernel import SlotId

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"


class TestSixtySix(GameTests):
    game: ClassVar[FirstSixtySix] = SIXTY_SIX
    games_checked = 60 if IS_FULL else 6
    bot_games = 200 if IS_FULL else 8
    long_facts = ("limit",)
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "limit_of_20": KeptGame(2, 5, {"limit": 20}),
    }

    def is_tried(self, options: Options) -> bool:
        return options["limit"] != LIMIT_MAX

    def shown(self, dealer: AnyDealer, chosen: Action) -> str:
        named = [_place(dealer, slot) for name, _ in chosen.fields for slot in chosen.slots(name)]
        return " ".join([chosen.kind, *named])


class TestFirstSixtySix(TestSixtySix):
    game = FirstSixtySix()
    games_checked = 60 if IS_FULL else 2
    bot_games = 200 if IS_FULL else 4
    playthroughs = "playthroughs_of_version_1"
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "v1_two_seats": KeptGame(2, 2, {"variant": "v1"}),
        "v1_three_seats": KeptGame(3, 1, {"variant": "v1"}),
        "v2_two_seats": KeptGame(2, 3, {"variant": "v2"}),
        "v2_leaving": KeptGame(4, 4, {"variant": "v2"}, ((7, 1, "void"), (24, 3, "void"))),
    }

    def is_tried(self, options: Options) -> bool:  # noqa: ARG002 - all are short enough
        return True


def _place(dealer: AnyDealer, slot: SlotId) -> str:
    zone = dealer.board.layout.where(slot)
    assert zone.seat is not None
    if zone.name == "taken":
        return "taken"
    return f"{PLAYER_NAMES[zone.seat]}.{dealer.board.at(zone).index(slot)}"
