"""The sensible bot of 6 nimmt! wins against chance, and sees what a person sees."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nodealer.bots import Bot, ChanceBot, Score, contest
from nodealer.cards import Board
from nodealer.games.dealer import PlainDealer
from nodealer.games.pack import Pack
from nodealer.games.registry import resolve
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.bot import SENSIBLE_BOT
from nodealer.games.take5.state import State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.bots.test_bots import Watcher, reachable, secluded
from tests.games.take5.positions import play, playing, position


def against_chance(games: int, **options: int | str) -> Score:
    """Let the sensible bot play against chance."""
    resolved = resolve(TAKE5, 2, options)
    return contest(TAKE5, [SENSIBLE_BOT, ChanceBot()], resolved, games, "sensible")


def test_it_wins_with_other_options(is_full: bool) -> None:
    options: dict[str, int | str] = {
        "turn_count": 9,
        "stack_size": 6,
        "deck_size": 210,
        "bull_range": "3-7",
    }
    assert against_chance(200 if is_full else 15, **options).percent(0) >= 60


def test_it_wins_against_many() -> None:
    bots: list[Bot] = [SENSIBLE_BOT, *[ChanceBot()] * 4]
    score = contest(TAKE5, bots, resolve(TAKE5, 5, {}), 10, "many")
    assert score.percent(0) >= 40
    assert sum(score.wins) == 10


CARDS = [
    # hands of three seats, stacks, what a sensible first seat plays
    # right behind a stack that is not full: nobody can come in between
    ("41 59", ("20", "40", "60", "80"), "41"),
    # the sixth card costs five
    ("26 70", ("21 22 23 24 25", "40", "60", "80"), "70"),
    # a card below all stacks costs the cheapest of them, which is less than the full one
    ("5 66", ("20", "40", "61 62 63 64 65", "80"), "5"),
    ("5 66", ("20 22", "40 44", "61 62 63 64 65", "80 88"), "5"),
    ("5 66", ("11 22", "33 44", "61 62 63 64 65", "88 99"), "5"),
    # two others may come in between, and only then does the third take the stack
    ("31 59", ("20 21 22 23", "40", "50", "80"), "59"),
]


@pytest.mark.parametrize(("held", "stacks", "wanted"), CARDS)
def test_which_card_is_sensible(held: str, stacks: Sequence[str], wanted: str) -> None:
    dealer = position([held, "90 91", "92 93"], stacks)
    seat = Seat(0)
    chosen = SENSIBLE_BOT.choose(dealer.view(seat), dealer.legal(seat), Chance(1))
    assert chosen == playing(dealer, 0, wanted)


def test_the_cheapest_stack_is_taken() -> None:
    dealer = position(["5 2", "90 3"], ["55", "40", "61 62", "88"])
    play(dealer, "5", "90")
    seat = Seat(0)
    chosen = SENSIBLE_BOT.choose(dealer.view(seat), dealer.legal(seat), Chance(1))
    assert chosen.get("stack") == "C"


def test_a_bot_sees_its_own_hand_alone() -> None:
    watcher = Watcher([])
    contest(TAKE5, [watcher, watcher, watcher], resolve(TAKE5, 3, {"win_score": 10}), 3, "watch")
    assert len(watcher.seen) > 20
    for view, legal in watcher.seen:
        assert tuple(legal) == TAKE5.legal(view)
        for zone in view.zones:
            is_hidden = zone.name == "stock" or (zone.name == "hand" and zone.seat != view.viewer)
            assert all((card.face is None) == is_hidden for card in zone.cards)


def test_a_bot_needs_nothing_but_the_text_of_its_view() -> None:
    alone = secluded(TAKE5, [SENSIBLE_BOT, ChanceBot()], games=2)
    assert sum(bot.turns for bot in alone) > 200


def test_what_a_bot_is_given_leads_to_nothing_hidden() -> None:
    watcher = Watcher([])
    contest(TAKE5, [watcher, watcher], resolve(TAKE5, 2, {"max_rounds": 1}), 1, "behind")
    hidden = (PlainDealer, Pack, Board, State, type(TAKE5))
    for view, legal in watcher.seen:
        assert not [item for item in reachable((view, legal)) if isinstance(item, hidden)]
