"""The tables of effects on the pages of the games say what the rules ask for, in this order.

Effects are hashed with the state, so whoever writes a second program from a page needs every one of
them. Games are played by chance, seats leave in the middle of everything, and each step that the
rules return is held against the row of its page: for the phase that it leads to, and the word of
the diagram by which it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from nodealer.bots import ChanceBot
from nodealer.cards import STOCK
from nodealer.games.api import Choice, Options, Over, Step
from nodealer.games.base import AnyGame
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Effect, Move, NewDeck, Reshuffle, Show
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua import state as macaua
from nodealer.games.papas import PAPAS
from nodealer.games.papas import state as papas
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six import state as sixty_six
from nodealer.games.take5 import TAKE5
from nodealer.games.take5 import state as take5
from nodealer.games.transitions import Transition
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.diagrams import SPECS

ACTIONS_MAX = 200

WORDLESS = {"setup", "leave"}
"""Ways that a rule may take without going over from one phase to another."""


@dataclass
class Pages:
    """A game, and what its page is compared with."""

    game: AnyGame
    state: type[Any]
    transitions: Sequence[Transition]
    tables: Sequence[Options]
    seats: Sequence[int]
    games: int
    left_in: frozenset[str] = frozenset()
    """Phases in which seats leave often."""
    rare: frozenset[tuple[str, str]] = frozenset()
    """Ways that take hundreds of games."""

    @property
    def ways(self) -> set[tuple[str, str]]:
        """Every word of the diagram with the phase that it leads to."""
        return {(row.trigger, row.target) for row in self.transitions}


DRAWING = {"call": True, "four_skips": True, "seven_stops": True, "red_joker_ten": True}
FEW = {"turn_count": 2, "stack_size": 2, "deck_size": 20, "win_score": 8}

PAGES = {
    "macaua": Pages(
        MACAUA,
        macaua.State,
        macaua.TRANSITIONS,
        ({}, DRAWING),
        (2, 9, 10, 3),
        70,
        frozenset({"reshuffle"}),
        frozenset(
            {
                ("take", "turn"),
                ("take", "over"),
                ("pass", "over"),
                ("dealt", "reshuffle"),
                ("dealt", "skip"),
                ("shown", "skip"),
            }
        ),
    ),
    "papas": Pages(
        PAPAS,
        papas.State,
        papas.TRANSITIONS,
        ({}, {"interrupt_chain": True, "max_turns": 9}),
        (2, 3, 5),
        90,
        frozenset({"ActionResolution-27"}),
        frozenset(
            {
                ("reshuffle", "PlayerTurn-2"),
                ("reshuffle", "ActionResolution-27"),
                ("reshuffle", "NextPlayer-90"),
            }
        ),
    ),
    "take5": Pages(
        TAKE5,
        take5.State,
        take5.TRANSITIONS,
        (FEW,),
        (2, 4, 6),
        110,
        frozenset({"awaiting-row-choice", "revealing"}),
    ),
    "66": Pages(
        SIXTY_SIX,
        sixty_six.State,
        [row for rows in sixty_six.TRANSITIONS.values() for row in rows],
        ({"variant": "v1"}, {"variant": "v2"}),
        (2, 3, 3),
        190,
        frozenset(),
        frozenset({("leave", "ROUND_SCORING")}),
    ),
}

PASSED_THROUGH = {
    ("placed", "round-end"),
    ("won", "EndScore-98"),
    ("uncontested", "ActionResolution-27"),
    *(
        (word, "NextPlayer-90")
        for word in ("dealt", "discarded", "drawn", "end-turn", "paid", "resolved")
    ),
}
"""Phases in which no step ends, or none that got there this way."""


# What a page says.


@dataclass(frozen=True)
class Row:
    """A row of a table of effects: for which phases and words, and what it says of them."""

    phases: tuple[str, ...]
    words: tuple[str, ...]
    items: tuple[str, ...]

    def is_for(self, word: str, phase: str) -> bool:
        """Say whether the row speaks of a way."""
        return phase in self.phases and (not self.words or word in self.words)

    def allows(self, effects: Iterable[Effect], seats: int) -> bool:
        """Say whether effects are those of the row, at a table with so many seats."""
        pattern = "".join(pattern_of(item, seats) for item in self.items)
        return re.fullmatch(pattern, "".join(f"{told(effect)};" for effect in effects)) is not None


def rows_of(game_id: str) -> list[Row]:
    """Return the table of effects of a page."""
    text = (SPECS / f"{game_id}.md").read_text(encoding="utf-8")
    (table,) = re.findall(
        r"^\| phase \| by \| effects \|\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return [
        Row(
            tuple(re.findall(r"`([^`]+)`", phases)),
            tuple(re.findall(r"`([^`]+)`", words)),
            () if effects == "–" else tuple(effects.split("; ")),
        )
        for phases, words, effects in cells
    ]


def pattern_of(item: str, seats: int) -> str:
    """Return the pattern of what an item of a row stands for."""
    forms, kind = [], ""
    for form in item.split(", or "):
        named = re.match(r"`(\w+)`", form)
        kind = named[1] if named else kind
        zone = re.search(r"to `([\w-]+)`", form)
        if zone:
            forms.append(f"{kind} {zone[1]}(-[A-D])?;")
        elif kind == "Show":
            forms.append(f"Show {'all' if 'to everybody' in form else 'some'};")
        else:
            forms.append(f"{kind};")
    either = f"({'|'.join(forms)})"
    if "each seat" in item:
        return f"{either}{{{seats}}}"
    is_left_out = re.search(r",? if ", item) and len(forms) == 1
    return f"{either}?" if is_left_out else either


def told(effect: Effect) -> str:
    """Return an effect in the words of the patterns."""
    match effect:
        case Move(to=zone) | NewDeck(into=zone) | Reshuffle(into=zone):
            return f"{type(effect).__name__} {zone.name}"
        case Show(seats=seats):
            return f"Show {'some' if seats else 'all'}"
        case _:
            return type(effect).__name__


# What the rules do.


@dataclass
class Watched:
    """A game whose steps are written down, each with the word by which its phase was reached."""

    game: AnyGame
    words: list[str]
    steps: list[tuple[str, str, tuple[Effect, ...], int]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a game has
        return getattr(self.game, name)

    def setup(self, *given: Any) -> Step[Any]:  # noqa: ANN401
        return self._noted("setup", self.game.setup(*given))

    def apply(self, *given: Any) -> Step[Any]:  # noqa: ANN401
        return self._noted("", self.game.apply(*given))

    def resume(self, *given: Any) -> Step[Any]:  # noqa: ANN401
        return self._noted("", self.game.resume(*given))

    def leave(self, *given: Any) -> Step[Any]:  # noqa: ANN401
        return self._noted("leave", self.game.leave(*given))

    def _noted(self, way: str, step: Step[Any]) -> Step[Any]:
        word = self.words[-1] if self.words else way
        self.words.clear()
        if word:
            seats = len(step.state.seats)
            self.steps.append((word, step.state.phase.value, step.effects, seats))
        else:
            assert not step.effects, "what has no word does nothing"
        return step


def play(
    watched: Watched, seats: int, options: Options, left_in: frozenset[str], chance: Chance
) -> None:
    """Play a game by chance; seats leave it, also in the middle of effects."""
    given = resolve(watched.game, seats, options)
    numbers = [Seat(seat) for seat in range(seats)]
    game: Any = watched
    dealer = PlainDealer(game, numbers, given, chance.branch("cards"))
    bot = ChanceBot()
    for _ in range(ACTIONS_MAX):
        is_likely = dealer.state.phase.value in left_in
        if len(dealer.seats) > 1 and chance.happens(25 if is_likely else 1):
            gone = chance.pick(dealer.seats)
            dealer.leave([gone], chance.pick(watched.game.policies))
        if dealer.underway and not dealer.is_asking:
            dealer.advance()
            continue
        due = dealer.view().duty
        if isinstance(due, Over):
            return
        assert due is not None
        seat = due.owing[0] if isinstance(due, Choice) else due.seat
        chosen = bot.choose(dealer.view(seat), dealer.legal(seat), chance)
        dealer.begin(seat, chosen)


@cache
def steps_of(game_id: str) -> tuple[tuple[str, str, tuple[Effect, ...], int], ...]:
    """Return the steps of many games."""
    pages = PAGES[game_id]
    words: list[str] = []
    watched = Watched(pages.game, words)
    with pytest.MonkeyPatch.context() as patch:
        moved = pages.state.moved

        def noted(state: Any, trigger: str, phase: Any) -> Any:  # noqa: ANN401
            words.append(trigger)
            return moved(state, trigger, phase)

        patch.setattr(pages.state, "moved", noted)
        for number in range(pages.games):
            chance = Chance("effects", game_id, number)
            options = pages.tables[number // 2 % len(pages.tables)]
            seats = pages.seats[number % len(pages.seats)]
            play(watched, seats, options, pages.left_in, chance)
    return tuple(watched.steps)


@pytest.mark.parametrize("game_id", PAGES)
def test_every_way_of_the_diagram_has_one_row(game_id: str) -> None:
    rows = rows_of(game_id)
    for word, phase in PAGES[game_id].ways - PASSED_THROUGH:
        found = [row for row in rows if row.is_for(word, phase)]
        assert len(found) == 1, (word, phase)


@pytest.mark.parametrize("game_id", PAGES)
def test_the_rules_ask_for_the_effects_of_their_page(game_id: str) -> None:
    rows = rows_of(game_id)
    for word, phase, effects, seats in steps_of(game_id):
        (row,) = [row for row in rows if row.is_for(word, phase)]
        assert row.allows(effects, seats), (word, phase, [told(one) for one in effects])


@pytest.mark.parametrize("game_id", PAGES)
def test_the_games_come_to_every_way(game_id: str) -> None:
    """Otherwise a wrong row could go unnoticed."""
    pages = PAGES[game_id]
    seen = {(word, phase) for word, phase, _, _ in steps_of(game_id)}
    assert pages.ways - seen - PASSED_THROUGH - pages.rare == set()


@pytest.mark.parametrize("game_id", PAGES)
def test_a_row_allows_nothing_else(game_id: str) -> None:
    rows = rows_of(game_id)
    for word, phase, effects, seats in steps_of(game_id)[:100]:
        (row,) = [row for row in rows if row.is_for(word, phase)]
        assert not row.allows((*effects, Move((), STOCK)), seats)
        backwards = tuple(reversed(effects))
        if [told(one) for one in backwards] != [told(one) for one in effects]:
            assert not row.allows(backwards, seats)
