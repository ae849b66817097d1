"""The sensible bot of 66 wins against chance, and remembers nothing that its seat was not shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from nodealer.bots import Bot, ChanceBot, Score, bot_for, contest
from nodealer.games.api import Action, View
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.bot import SENSIBLE_BOT
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.bots.test_bots import reachable, retold
from tests.games.sixty_six.positions import Dealer, act, acting, on_turn, position, slot_at

BOTH = pytest.mark.parametrize("variant", ["v1", "v2"])


def against_chance(variant: str, seats: int, games: int) -> Score:
    """Let the sensible bot play against chance."""
    bots: list[Bot] = [SENSIBLE_BOT, *[ChanceBot()] * (seats - 1)]
    options = resolve(SIXTY_SIX, seats, {"variant": variant})
    return contest(SIXTY_SIX, bots, options, games, "sensible")


@BOTH
def test_it_wins_sixty_of_a_hundred_games(variant: str, is_full: bool) -> None:
    assert against_chance(variant, 2, 1000 if is_full else 100).percent(0) >= 60


@BOTH
@pytest.mark.parametrize(("seats", "least"), [(3, 50), (5, 40)])
def test_it_wins_against_many(variant: str, seats: int, least: int) -> None:
    assert against_chance(variant, seats, 40).percent(0) >= least


def test_it_is_the_one_that_the_game_comes_with() -> None:
    assert bot_for(SIXTY_SIX) == SENSIBLE_BOT


THREE = ["3 4 8 9", "10 0 13 13", "5 6 7 8"]
FULL = "1 2 3 4"

TAKE, LAY = ("take-card-from-deck",), ("discard",)

CHOICES: list[tuple[str, list[str], str, str, list[tuple[Any, ...]], tuple[Any, ...]]] = [
    # variant, hands, discards, stock, what was done, what a sensible seat does then
    ("v1", ["12 4 8 9", "9 9"], "0", FULL, [], ("replace-card-by-discarded", 0)),
    ("v1", ["1 2 8 9", "9 9"], "12", FULL, [], TAKE),
    ("v1", ["12 12 8 9", "9 9"], "9", FULL, [], ("show-cards", 0, 1)),
    ("v1", ["12 12", "9 9"], "1", FULL, [("show-cards", 0, 1)], ("replace-cards-by-discarded",)),
    ("v1", ["12 12", "9 9"], "12", FULL, [("show-cards", 0, 1)], ("replace-cards-from-deck",)),
    (
        "v1",
        ["12 2", "1 9"],
        "",
        "11",
        [TAKE, LAY],
        ("exchange-cards", 0, (1, 0)),
    ),
    (
        "v1",
        ["12 2 3", "1 9"],
        "",
        "7",
        [TAKE, LAY],
        ("peek-own-card", 2),
    ),
    ("v1", ["1 2", "9 9 9 9"], "12", FULL, [], ("stop-round",)),
    ("v2", ["1 2", "9 9 9 9"], "12", FULL, [], ("stop-round",)),
    ("v2", ["12 4 8 9", "9 9"], "0", FULL, [], ("take-discarded-card",)),
    ("v2", ["12 4 8 9", "9 9"], "0", FULL, [("take-discarded-card",)], ("pick-own-card", 0)),
    ("v2", ["9 9 8 9", "9 9"], "6", FULL, [("take-discarded-card",)], ("show-cards", 0, 1)),
    ("v2", ["12 4 8 9", "9 9"], "", "0 1", [TAKE], ("pick-own-card", 0)),
    ("v2", ["1 0", "9 9"], "", "13 1", [TAKE], LAY),
    ("v2", ["1 0 5", "9 9"], "", "7 1", [TAKE], LAY),
    (
        "v2",
        ["1 0 5", "9 9"],
        "",
        "7 1",
        [TAKE, LAY],
        ("pick-own-card", 2),
    ),
    ("v2", ["9 2", "9 9"], "", "11 1", [TAKE], LAY),
    (
        "v2",
        ["12 2", "1 9"],
        "",
        "11",
        [TAKE, LAY],
        ("pick-own-card", 0),
    ),
]


@pytest.mark.parametrize(("variant", "hands", "discards", "stock", "done", "wanted"), CHOICES)
def test_what_is_sensible(
    variant: str,
    hands: list[str],
    discards: str,
    stock: str,
    done: list[tuple[Any, ...]],
    wanted: tuple[Any, ...],
) -> None:
    dealer = position(variant, hands, discards, stock)
    for one in done:
        act(dealer, *one)
    assert choice(dealer) == acting(dealer, *wanted)


def choice(dealer: Dealer) -> Action:
    """Return what the bot does."""
    seat = on_turn(dealer)
    return SENSIBLE_BOT.choose(dealer.view(seat), dealer.legal(seat), Chance(1))


@BOTH
def test_it_looks_at_what_it_does_not_know(variant: str) -> None:
    dealer = position(variant, ["1 2", "9 9 8 8"], "", "9 1")
    act(dealer, *TAKE)
    act(dealer, *LAY)
    dealer.pack = dealer.pack.shown([slot_at(dealer, 1, place) for place in (0, 1, 2)], [Seat(0)])
    kind = "peek-anothers-card" if variant == "v1" else "pick-anothers-card"
    assert choice(dealer) == acting(dealer, kind, (1, 3))


class Watcher:
    """Plays as the bot does, from nothing but the text of its view."""

    def __init__(self) -> None:
        self.turns = 0

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        self.turns += 1
        text = retold(view)
        assert text == view
        assert SIXTY_SIX.legal(text) == tuple(legal)
        return SENSIBLE_BOT.choose(text, SIXTY_SIX.legal(text), chance)


@BOTH
def test_it_needs_nothing_but_the_text_of_its_view(variant: str) -> None:
    options = resolve(SIXTY_SIX, 3, {"variant": variant})
    watchers = [Watcher() for _ in range(3)]
    alone = contest(SIXTY_SIX, watchers, options, 4, "text")
    assert alone == contest(SIXTY_SIX, [SENSIBLE_BOT] * 3, options, 4, "text")
    assert sum(one.turns for one in watchers) > 200


def test_it_keeps_nothing_from_one_turn_to_the_next() -> None:
    """All that it remembers is in its seat's notebook, which shows what the seat was shown."""
    assert not [item for item in reachable(SENSIBLE_BOT) if isinstance(item, View | list | dict)]
