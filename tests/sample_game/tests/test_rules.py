"""The game keeps the rules of all games, and its own."""

from __future__ import annotations

from high_card.rules import GAME
from nodealer.bots import ChanceBot, contest
from nodealer.games import registry
from nodealer.games.api import Turn
from nodealer.games.conformance import check_game, check_rules
from nodealer.games.dealer import deal
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance


def test_it_keeps_the_rules_of_all_games() -> None:
    report = check_rules(GAME)
    assert report.games > 0
    assert report.left > 0


def test_one_game_in_particular() -> None:
    # A failure of the test above names a call like this one, which shows it again.
    assert check_game(GAME, 2, registry.resolve(GAME, 2, {}), "seed").games == 1


def test_the_highest_card_takes_the_trick() -> None:
    dealer = deal(GAME, [Seat(0), Seat(1)], registry.resolve(GAME, 2, {}), Chance("a deal"))
    for seat in dealer.seats:
        dealer.act(seat, dealer.legal(seat)[0])
    laid = [happened for happened in dealer.events if happened.kind == "laid"]
    highest = max(laid, key=lambda happened: int(str(happened.get("number"))))
    assert dealer.view().duty == Turn(Seat(int(str(highest.get("seat")))), ("lay",))


def test_bots_play_it_to_its_end() -> None:
    score = contest(GAME, [ChanceBot()] * 3, registry.resolve(GAME, 3, {"cards": 6}), 10, "bots")
    assert sum(score.wins) == 10
