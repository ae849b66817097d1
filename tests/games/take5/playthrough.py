"""Games of 6 nimmt! as text: every decision with all that the interface says of it.

    PYTHONPATH=src:. python -m tests.games.take5.playthrough --rewrite

writes the files under `playthroughs/` anew, and the state diagram in the page of the game; whoever
changes the rules reads the difference.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nodealer.bots import ChanceBot, bot_for
from nodealer.games.api import Action, Choice, Over, View
from nodealer.games.dealer import PlainDealer
from nodealer.games.diagram import mermaid
from nodealer.games.registry import resolve
from nodealer.games.take5 import TAKE5
from nodealer.games.take5.state import TRANSITIONS, Phase, State
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.playthrough import DRAWN, NAMES

PLACE = Path(__file__).with_name("playthroughs")

SPEC = Path(__file__).resolve().parents[3] / "specs" / "games" / "take5.md"


@dataclass(frozen=True)
class Script:
    """A game to be written down, and who leaves it before which decision."""

    seats: int
    seed: int
    options: dict[str, int | str | bool] = field(default_factory=dict)
    leaving: tuple[tuple[int, int, str], ...] = ()


SHORT: dict[str, int | str | bool] = {"turn_count": 4, "win_score": 12, "stack_size": 3}

SCRIPTS = {
    "two_seats": Script(2, 1, {"max_rounds": 1}),
    "other_cards": Script(
        3, 4, {**SHORT, "deck_size": 16, "bull_range": "2-5", "bulls": "2,3,4,5," * 3 + "2,3,4,5"}
    ),
    "leaving": Script(4, 3, {**SHORT, "win_score": 8}, ((3, 1, "continue"), (13, 0, "void"))),
}


def written(script: Script) -> str:
    """Return a game as text."""
    return "\n".join(_lines(script)) + "\n"


def diagram() -> str:
    """Return the state diagram of the game, as its table of transitions says."""
    return mermaid(TRANSITIONS, [Phase.GAME_OVER.value])


def rewrite() -> None:
    """Write all files anew."""
    page = DRAWN.sub(lambda found: f"{found[1]}{diagram()}{found[3]}", SPEC.read_text())
    SPEC.write_text(page)
    PLACE.mkdir(exist_ok=True)
    for name, script in SCRIPTS.items():
        (PLACE / f"{name}.txt").write_text(written(script))


def _lines(script: Script) -> Iterator[str]:
    options = resolve(TAKE5, script.seats, script.options)
    chance = Chance("playthrough", "take5", script.seed)
    seats = [Seat(number) for number in range(script.seats)]
    dealer: PlainDealer[State] = PlainDealer(TAKE5, seats, options, chance.branch("cards"))
    leaving = {number: (seat, policy) for number, seat, policy in script.leaving}
    yield f"game: {TAKE5.id} {TAKE5.version}"
    yield f"options: {', '.join(f'{name}={value}' for name, value in options.items())}"
    dealer.settle()
    number = told = 0
    while True:
        yield from (f"> {TAKE5.sentence(event, NAMES)}" for event in dealer.events[told:])
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
        bot = ChanceBot() if who % 2 else bot_for(TAKE5)
        chosen = bot.choose(dealer.view(who), dealer.legal(who), chance)
        yield f"\n## decision {number}: {NAMES[who]}"
        yield from _position(dealer, who)
        yield f"chosen: {_shown(dealer, chosen)}"
        dealer.act(who, chosen)
    standing = dealer.result()
    assert standing is not None
    yield f"places: {' | '.join(' '.join(NAMES[s] for s in place) for place in standing.places)}"


def _position(dealer: PlainDealer[State], seat: Seat) -> Iterator[str]:
    view = dealer.view(seat)
    yield from _zones(view)
    facts = {name: value for name, value in view.facts.items() if name not in ("options", "bulls")}
    yield "facts: " + ", ".join(f"{name}={value}" for name, value in facts.items() if value)
    if isinstance(view.duty, Choice):
        yield f"still to choose: {', '.join(NAMES[one] for one in view.duty.owing)}"
    yield "legal: " + "; ".join(_shown(dealer, one) for one in dealer.legal(seat))


def _zones(view: View) -> Iterator[str]:
    for zone in view.zones:
        name = zone.name if zone.seat is None else f"{zone.name} of {NAMES[zone.seat]}"
        if zone.name == "stock":
            yield f"{name}: {len(zone.cards)} cards"
        else:
            yield f"{name}: {' '.join(card.face or '??' for card in zone.cards)}"


def _shown(dealer: PlainDealer[State], chosen: Action) -> str:
    if chosen.kind == "take":
        return f"take {chosen.get('stack')}"
    return f"play {' '.join(dealer.pack.faces[slot] for slot in chosen.slots('card'))}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--rewrite"]:
        raise SystemExit(__doc__)
    rewrite()
