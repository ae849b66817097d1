"""Games of 66 as text: every position with all that the interface says of it, to be read and kept.

    PYTHONPATH=src:. python -m tests.games.sixty_six.playthrough --rewrite

writes the files under `playthroughs/` anew, and the state diagrams in the page of 66; whoever
changes the rules reads the difference.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nodealer.bots import ChanceBot, bot_for
from nodealer.games.api import Action, Bot, Turn, View
from nodealer.games.dealer import PlainDealer
from nodealer.games.diagram import mermaid
from nodealer.games.registry import resolve
from nodealer.games.sixty_six import SIXTY_SIX
from nodealer.games.sixty_six.state import TRANSITIONS, Phase, State
from nodealer.kernel import Seat, SlotId
from nodealer.kernel.chance import Chance

PLACE = Path(__file__).with_name("playthroughs")

SPEC = Path(__file__).resolve().parents[3] / "specs" / "games" / "66.md"

DRAWN = re.compile(r"(### (v\d)\n\n```mermaid\n)(.*?)(```)", re.DOTALL)

NAMES = {Seat(number): name for number, name in enumerate(["North", "East", "South", "West"])}

LEGAL_SHOWN_MAX = 12


@dataclass(frozen=True)
class Script:
    """A game to be written down, and who leaves it before which action."""

    seats: int
    variant: str
    seed: int
    leaving: tuple[tuple[int, int], ...] = ()


SCRIPTS = {
    "v1_two_seats": Script(2, "v1", 2),
    "v1_three_seats": Script(3, "v1", 1),
    "v2_two_seats": Script(2, "v2", 3),
    "v2_leaving": Script(4, "v2", 4, ((7, 1), (24, 3))),
}


def written(script: Script) -> str:
    """Return a game as text."""
    return "\n".join(_lines(script)) + "\n"


def diagram(variant: str) -> str:
    """Return the state diagram of a variant, as its table of transitions says."""
    return mermaid(TRANSITIONS[variant], [Phase.GAME_FINISHED.value])


def rewrite() -> None:
    """Write all files anew."""
    page = DRAWN.sub(lambda found: f"{found[1]}{diagram(found[2])}{found[4]}", SPEC.read_text())
    SPEC.write_text(page)
    PLACE.mkdir(exist_ok=True)
    for name, script in SCRIPTS.items():
        (PLACE / f"{name}.txt").write_text(written(script))


def _lines(script: Script) -> Iterator[str]:
    options = resolve(SIXTY_SIX, script.seats, {"variant": script.variant})
    chance = Chance("playthrough", script.seed)
    seats = [Seat(number) for number in range(script.seats)]
    dealer: PlainDealer[State] = PlainDealer(SIXTY_SIX, seats, options, chance.branch("cards"))
    bots: Sequence[Bot] = [bot_for(SIXTY_SIX), ChanceBot()]
    leaving = dict(script.leaving)
    yield f"game: {SIXTY_SIX.id} {SIXTY_SIX.version}"
    yield f"options: {', '.join(f'{name}={value}' for name, value in options.items())}"
    number = told = 0
    while True:
        yield from (f"> {SIXTY_SIX.sentence(event, NAMES)}" for event in dealer.events[told:])
        told = len(dealer.events)
        duty = SIXTY_SIX.duty(dealer.state)
        if not isinstance(duty, Turn):
            break
        number += 1
        if number in leaving:
            seat = Seat(leaving.pop(number))
            yield f"\n## {NAMES[seat]} leaves"
            dealer.leave([seat], "void")
            dealer.settle()
            continue
        legal = dealer.legal(duty.seat)
        chosen = bots[duty.seat % 2].choose(dealer.view(duty.seat), legal, chance)
        yield f"\n## action {number}: {NAMES[duty.seat]}"
        yield from _position(dealer, duty, legal)
        yield f"chosen: {_shown(dealer, chosen)}"
        dealer.act(duty.seat, chosen)
    standing = dealer.result()
    assert standing is not None
    yield f"places: {' | '.join(' '.join(NAMES[s] for s in place) for place in standing.places)}"
    yield f"points: {' '.join(f'{NAMES[s]} {points}' for s, points in standing.points.items())}"


def _position(dealer: PlainDealer[State], duty: Turn, legal: Sequence[Action]) -> Iterator[str]:
    view = dealer.view(duty.seat)
    yield from _zones(view)
    facts = {name: value for name, value in view.facts.items() if value not in (None, (), 0)}
    yield "facts: " + ", ".join(f"{name}={value}" for name, value in facts.items())
    shown = [_shown(dealer, chosen) for chosen in legal[:LEGAL_SHOWN_MAX]]
    more = len(legal) - len(shown)
    yield f"legal ({len(legal)}): " + "; ".join(shown) + (f"; and {more} more" if more else "")


def _zones(view: View) -> Iterator[str]:
    for zone in view.zones:
        name = zone.name if zone.seat is None else f"{zone.name} of {NAMES[zone.seat]}"
        if zone.name == "stock":
            yield f"{name}: {len(zone.cards)} cards"
        else:
            yield f"{name}: {' '.join(card.face or '?' for card in zone.cards)}"


def _shown(dealer: PlainDealer[State], chosen: Action) -> str:
    named = [_place(dealer, slot) for name, _ in chosen.fields for slot in chosen.slots(name)]
    return " ".join([chosen.kind, *named])


def _place(dealer: PlainDealer[State], slot: SlotId) -> str:
    zone = dealer.board.layout.where(slot)
    assert zone.seat is not None
    if zone.name == "taken":
        return "taken"
    return f"{NAMES[zone.seat]}.{dealer.board.at(zone).index(slot)}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--rewrite"]:
        raise SystemExit(__doc__)
    rewrite()
