"""Macaua has all that every game is tested for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from nodealer.game_tests import AnyDealer, GameTests, KeptGame
from nodealer.games.api import Action
from nodealer.games.macaua import MACAUA

SPOKEN = ("call", "four_skips", "free_counter", "red_joker_ten", "seven_stops")

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"


class TestMacaua(GameTests):
    game = MACAUA
    games_checked = 60 if IS_FULL else 5
    bot_games = 1000 if IS_FULL else 80
    long_facts = ("options",)
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "macaua_two_seats": KeptGame(2, 6),
        "macaua_three_seats": KeptGame(3, 11),
        "macaua_all_options": KeptGame(4, 21, dict.fromkeys(SPOKEN, True)),
        "macaua_leaving": KeptGame(4, 4, leaving=((5, 1, "redeal"), (9, 3, "void"))),
    }

    def shown(self, dealer: AnyDealer, chosen: Action) -> str:
        if chosen.kind != "play":
            return chosen.kind
        faces = "+".join(dealer.pack.faces[slot] for slot in chosen.slots("cards"))
        suit = f" asking {chosen.get('suit')}" if chosen.get("suit") else ""
        return f"play {faces}{suit}{' macaua' if chosen.get('macaua') else ''}"
