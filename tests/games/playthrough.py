"""Games as text: every decision with all that the interface says of it, to be read and kept.

What is kept of a game stands in its book; `books` has all of them, and writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nodealer.bots import ChanceBot, bot_for
from nodealer.games.api import Action, Choice, Options, Over, View
from nodealer.games.base import AnyGame
from nodealer.games.dealer import PlainDealer
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance

SPECS = Path(__file__).resolve().parents[2] / "specs" / "games"

DRAWN = re.compile(r"(?<=```mermaid\n).*?(?=```)", re.DOTALL)
"""The diagrams of a page."""

NAMES = {Seat(number): name for number, name in enumerate(["North", "East", "South", "West"])}

LEGAL_SHOWN_MAX = 12

LONG = ("options", "bulls")
"""Facts that stay the same for a whole game, and are in its options."""

Dealer = PlainDealer[Any]


@dataclass(frozen=True)
class Script:
    """A game to be written down, and who leaves it before which decision by which policy."""

    seats: int
    seed: int
    options: Options = field(default_factory=dict)
    leaving: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class Book:
    """What is kept of a game: its page has these diagrams, its folder a file for each script."""

    rules: AnyGame
    folder: Path
    diagrams: tuple[str, ...]
    scripts: Mapping[str, Script]
    shown: Callable[[Dealer, Action], str]
    """Says what an action is, as short as people would."""

    @property
    def page(self) -> Path:
        """Where the decided points of the game are written down."""
        return SPECS / f"{self.rules.id}.md"

    def written(self, script: Script) -> str:
        """Return a game as text."""
        return "\n".join(_lines(self, script)) + "\n"

    def rewrite(self) -> None:
        """Write all files anew."""
        diagrams = iter(self.diagrams)
        self.page.write_text(DRAWN.sub(lambda _: next(diagrams), self.page.read_text()))
        self.folder.mkdir(exist_ok=True)
        for name, script in self.scripts.items():
            (self.folder / f"{name}.txt").write_text(self.written(script))


def _lines(book: Book, script: Script) -> Iterator[str]:
    rules = book.rules
    options = resolve(rules, script.seats, script.options)
    chance = Chance("playthrough", script.seed)
    seats = [Seat(number) for number in range(script.seats)]
    dealer = PlainDealer(rules, seats, options, chance.branch("cards"))
    leaving = {number: (seat, policy) for number, seat, policy in script.leaving}
    yield f"game: {rules.id} {rules.version}"
    yield f"options: {', '.join(f'{name}={value}' for name, value in options.items())}"
    dealer.settle()
    number = told = 0
    while True:
        yield from (f"> {rules.sentence(event, NAMES)}" for event in dealer.events[told:])
        told = len(dealer.events)
        due = dealer.view().duty
        assert due is not None
        if isinstance(due, Over):
            break
        number += 1
        if number in leaving:
            seat, policy = leaving.pop(number)
            yield f"\n## {NAMES[Seat(seat)]} leaves ({policy})"
            dealer.leave([Seat(seat)], policy)
            dealer.settle()
            continue
        who = due.owing[-1] if isinstance(due, Choice) else due.seat
        bot = ChanceBot() if who % 2 else bot_for(rules)
        chosen = bot.choose(dealer.view(who), dealer.legal(who), chance)
        yield f"\n## decision {number}: {NAMES[who]}"
        yield from _position(book, dealer, who)
        yield f"chosen: {book.shown(dealer, chosen)}"
        dealer.act(who, chosen)
    yield from _end(dealer)


def _position(book: Book, dealer: Dealer, seat: Seat) -> Iterator[str]:
    view, legal = dealer.view(seat), dealer.legal(seat)
    yield from _zones(view)
    facts = {name: value for name, value in view.facts.items() if value and name not in LONG}
    yield "facts: " + ", ".join(f"{name}={value}" for name, value in facts.items())
    if isinstance(view.duty, Choice):
        yield f"still to choose: {', '.join(NAMES[one] for one in view.duty.owing)}"
    shown = [book.shown(dealer, chosen) for chosen in legal[:LEGAL_SHOWN_MAX]]
    more = len(legal) - len(shown)
    yield f"legal ({len(legal)}): " + "; ".join(shown) + (f"; and {more} more" if more else "")


def _zones(view: View) -> Iterator[str]:
    for zone in view.zones:
        name = zone.name if zone.seat is None else f"{zone.name} of {NAMES[zone.seat]}"
        if zone.name == "stock":
            yield f"{name}: {len(zone.cards)} cards"
        else:
            yield f"{name}: {' '.join(card.face or '??' for card in zone.cards)}"


def _end(dealer: Dealer) -> Iterator[str]:
    standing = dealer.result()
    assert standing is not None
    yield f"places: {' | '.join(' '.join(NAMES[s] for s in place) for place in standing.places)}"
    if standing.points:
        points = (f"{NAMES[seat]} {points}" for seat, points in standing.points.items())
        yield f"points: {' '.join(points)}"
