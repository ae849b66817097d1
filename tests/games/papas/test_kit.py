"""Papas has all that every game is tested for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from nodealer.game_tests import AnyDealer, GameTests, KeptGame
from nodealer.games.api import Action
from nodealer.games.papas import PAPAS

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

SHORT: dict[str, int | str | bool] = {"max_turns": 14}


class TestPapas(GameTests):
    game = PAPAS
    games_checked = 40 if IS_FULL else 5
    bot_games = 1000 if IS_FULL else 20
    long_facts = ("one_card", "max_turns", "window", "threshold")
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "two_seats": KeptGame(2, 1, SHORT),
        "interrupts": KeptGame(4, 4, {**SHORT, "interrupt_chain": True, "one_card": "turn-start"}),
        "leaving": KeptGame(4, 3, SHORT, ((9, 1, "redeal"), (23, 0, "void"))),
    }

    def shown(self, dealer: AnyDealer, chosen: Action) -> str:
        slots = (*chosen.slots("card"), *chosen.slots("cards"))
        faces = [dealer.pack.faces[slot] for slot in slots]
        if chosen.kind == "select-card":
            return f"select-card {slots[0]}"
        others = [str(value) for name, value in chosen.fields if name in ("name", "seats")]
        return " ".join([chosen.kind, *faces, *others])
