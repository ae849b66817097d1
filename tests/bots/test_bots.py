"""Bots see what a person sees; the sensible one of Macaua wins."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, cast

import pytest

from high_card.rules import GAME as HIGH_CARD
from nodealer.bots import Bot, ChanceBot, Score, contest
from nodealer.cards import Board
from nodealer.games.api import Action, Choice, Plain, SeenCard, SeenZone, Turn, View
from nodealer.games.base import AnyGame
from nodealer.games.dealer import PlainDealer
from nodealer.games.encoding import encode_state
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.bot import SENSIBLE_BOT
from nodealer.games.macaua.state import State
from nodealer.games.pack import Pack
from nodealer.games.registry import resolve
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance
from tests.games.positions import playing, position

VARIANTS = ("free_counter", "four_skips", "red_joker_ten", "seven_stops", "call")


def macaua(seed: str, games: int, *options: str) -> Score:
    """Let the sensible bot play against chance."""
    resolved = resolve(MACAUA, 2, dict.fromkeys(options, True))
    return contest(MACAUA, [SENSIBLE_BOT, ChanceBot()], resolved, games, seed)


def test_it_wins_with_all_options(is_full: bool) -> None:
    assert macaua("variants", 1000 if is_full else 60, *VARIANTS).percent(0) >= 60


def test_it_wins_against_many() -> None:
    bots: list[Bot] = [SENSIBLE_BOT, *[ChanceBot()] * 4]
    score = contest(MACAUA, bots, resolve(MACAUA, 5, {}), 40, "many")
    assert score.percent(0) >= 30
    assert sum(score.wins) == 40


CHOICES = [
    # hands, top card, options, what a sensible seat plays
    (["QH 5H", "9C"], "7H", ("call",), ("QH 5H", True)),
    (["QH QC 8C", "9C 9D 9S 8D"], "7H", (), ("QH QC", False)),
    (["AC QH", "9C 9D 9S 8D"], "7H", (), ("QH", False)),
    (["2H 9H 5C 6C", "9C"], "7H", (), ("2H", False)),
]


@pytest.mark.parametrize(("hands", "top", "options", "wanted"), CHOICES)
def test_what_is_sensible(
    hands: list[str], top: str, options: tuple[str, ...], wanted: tuple[str, bool]
) -> None:
    dealer = position(hands, top, options=options)
    seat = Seat(0)
    chosen = SENSIBLE_BOT.choose(dealer.view(seat), dealer.legal(seat), Chance(1))
    first = wanted[0] if not wanted[1] else ""
    if first:
        assert chosen == playing(dealer, first)
    else:
        assert chosen.get("macaua") is True


@dataclass
class Watcher:
    """Remembers what it was shown."""

    seen: list[tuple[View, Sequence[Action]]]

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        self.seen.append((view, legal))
        return chance.pick(legal)


def test_a_bot_sees_its_own_hand_alone() -> None:
    watcher = Watcher([])
    contest(MACAUA, [watcher, watcher], resolve(MACAUA, 2, {}), 5, "watch")
    assert len(watcher.seen) > 20
    for view, legal in watcher.seen:
        assert tuple(legal) == MACAUA.legal(view)
        for zone in view.zones:
            if zone.name == "stock" or (zone.name == "hand" and zone.seat != view.viewer):
                assert all(card.face is None for card in zone.cards)
            else:
                assert all(card.face for card in zone.cards)


def retold(view: View) -> View:
    """Return a view made from nothing but the text of another: no way leads back from it."""
    told = json.loads(json.dumps(encode_state(view)))
    zones = (
        SeenZone(
            zone["name"],
            zone["seat"],
            tuple(SeenCard(SlotId(card["slot"]), card["face"]) for card in zone["cards"]),
        )
        for zone in told["zones"]
    )
    return View(
        viewer=told["viewer"],
        seats=tuple(Seat(seat) for seat in told["seats"]),
        duty=_duty(told["duty"]),
        zones=tuple(zones),
        facts=MappingProxyType({name: frozen(value) for name, value in told["facts"].items()}),
    )


def _duty(told: dict[str, Any]) -> Turn | Choice:
    if told[""] == "Turn":
        return Turn(Seat(told["seat"]), tuple(told["kinds"]))
    asked, owing = (tuple(map(Seat, told[name])) for name in ("asked", "owing"))
    return Choice(told["purpose"], told["kind"], asked, owing)


def frozen(value: Any) -> Plain:  # noqa: ANN401 - whatever JSON holds
    """Return the tuples that JSON has made lists of."""
    return tuple(map(frozen, value)) if isinstance(value, list) else cast("Plain", value)


@dataclass
class Secluded:
    """Lets a bot play from the text of its view; what it may do is found from that as well."""

    bot: Bot
    game: AnyGame
    turns: int = 0

    def choose(self, view: View, legal: Sequence[Action], chance: Chance) -> Action:
        self.turns += 1
        text = retold(view)
        assert text == view
        assert self.game.legal(text) == tuple(legal)
        return self.bot.choose(text, self.game.legal(text), chance)


def secluded(game: AnyGame, bots: Sequence[Bot], *options: str, games: int = 12) -> list[Secluded]:
    """Show that bots play the same games when they have nothing but the text of their views."""
    resolved = resolve(game, len(bots), dict.fromkeys(options, True))
    alone = [Secluded(bot, game) for bot in bots]
    seen, told = (contest(game, players, resolved, games, "text") for players in (bots, alone))
    assert seen == told
    return alone


@pytest.mark.parametrize("options", [(), VARIANTS])
def test_a_bot_needs_nothing_but_the_text_of_its_view(options: tuple[str, ...]) -> None:
    alone = secluded(MACAUA, [SENSIBLE_BOT, ChanceBot(), SENSIBLE_BOT], *options)
    assert sum(bot.turns for bot in alone) > 200
    secluded(HIGH_CARD, [ChanceBot(), ChanceBot()])


def test_a_bot_that_looks_behind_its_view_finds_nothing() -> None:
    """No dealer, pack, state or game can be reached from what a bot is given."""
    watcher = Watcher([])
    contest(MACAUA, [watcher, watcher], resolve(MACAUA, 2, {}), 2, "behind")
    hidden = (PlainDealer, Pack, Board, State, type(MACAUA))
    for view, legal in watcher.seen:
        assert not [item for item in reachable((view, legal)) if isinstance(item, hidden)]


def reachable(root: object) -> list[object]:
    """Return all values that can be reached from one, short of types, modules and globals."""
    found: dict[int, object] = {}
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if id(item) in found or isinstance(item, type | ModuleType):
            continue
        found[id(item)] = item
        if isinstance(item, FunctionType):  # what it was made with, and not where it was written
            waiting.extend((item.__closure__, item.__defaults__))
        else:
            waiting.extend(gc.get_referents(item))
    return list(found.values())
