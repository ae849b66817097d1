"""The game keeps the rules of all games, and its own."""

from __future__ import annotations

from high_card.rules import GAME
from nodealer.game_tests import GameTests
from nodealer.games import Turn, deal, resolve
from nodealer.kernel import Chance, Seat


class TestRules(GameTests):
    """All that every game is tested for."""

    game = GAME


def test_the_highest_card_takes_the_trick() -> None:
    dealer = deal(GAME, [Seat(0), Seat(1)], resolve(GAME, 2, {}), Chance("a deal"))
    for seat in dealer.seats:
        dealer.act(seat, dealer.legal(seat)[0])
    laid = [happened for happened in dealer.events if happened.kind == "laid"]
    highest = max(laid, key=lambda happened: int(str(happened.get("number"))))
    assert dealer.view().duty == Turn(Seat(int(str(highest.get("seat")))), ("lay",))
