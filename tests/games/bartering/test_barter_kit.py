"""The game of barter keeps the rules of all games, on the plain dealer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pytest

from nodealer.game_tests import GameTests, KeptGame
from nodealer.games.api import Action, View, action
from nodealer.games.base import AnyGame
from nodealer.games.conformance import ConformanceError, check_game
from tests.games.barter import BARTER, Barter


class TestBarter(GameTests):
    """The tests of every game."""

    game: ClassVar[AnyGame] = BARTER
    games_checked: ClassVar[int] = 6
    kept: ClassVar[Mapping[str, KeptGame]] = {
        "two_seats": KeptGame(2, 1),
        "one_leaves": KeptGame(3, 2, leaving=((3, 1, "void"),)),
    }


class Insisting(Barter):
    """Whoever holds a card to object by has to."""

    def legal(self, view: View) -> tuple[Action, ...]:
        listed = super().legal(view)
        objections = tuple(one for one in listed if one.kind == "object")
        return objections or listed


class Guessing(Barter):
    """Who has two cards of a face may object by any, which the others cannot see."""

    def legal(self, view: View) -> tuple[Action, ...]:
        if not view.owes_choice:
            return super().legal(view)
        cards = view.zone("hand", view.viewer)
        faces = [card.face for card in cards if card.face is not None]
        is_pair = len(set(faces)) < len(faces)
        objections = [action("object", card=(card.slot,)) for card in cards if is_pair]
        return (*objections, action("agree"))


@pytest.mark.parametrize(
    ("game", "rule"),
    [(Insisting(), "the default can be said"), (Guessing(), "a legal action is accepted")],
)
def test_what_is_wrong_about_a_question_is_noticed(game: AnyGame, rule: str) -> None:
    assert any(rule in noticed_in(game, str(seed)) for seed in range(20))


def noticed_in(game: AnyGame, seed: str) -> str:
    """Return what is found wrong about a game, if anything is."""
    try:
        check_game(game, 3, {"cards": 3, "turns": 12}, seed)
    except ConformanceError as noticed:
        return str(noticed)
    return ""
