"""Games as text: every position with all that the interface says of it, to be read and kept.

    PYTHONPATH=src:. python -m tests.games.playthrough --rewrite

writes the files under `playthroughs/` anew, and the state diagram in the page of Macaua; whoever
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
from nodealer.games.macaua import MACAUA
from nodealer.games.macaua.state import TRANSITIONS, Phase, State
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance

PLACE = Path(__file__).with_name("playthroughs")

SPEC = Path(__file__).resolve().parents[2] / "specs" / "games" / "macaua.md"

DRAWN = re.compile(r"(```mermaid\n)(.*?)(```)", re.DOTALL)

NAMES = {Seat(number): name for number, name in enumerate(["North", "East", "South", "West"])}

LEGAL_SHOWN_MAX = 12


@dataclass(frozen=True)
class Script:
    """A game to be written down, and who leaves it before which action."""

    seats: int
    options: tuple[str, ...]
    seed: int
    leaving: tuple[tuple[int, int, str], ...] = ()


SCRIPTS = {
    "macaua_two_seats": Script(2, (), 6),
    "macaua_three_seats": Script(3, (), 11),
    "macaua_all_options": Script(
        4, ("call", "four_skips", "free_counter", "red_joker_ten", "seven_stops"), 21
    ),
    "macaua_leaving": Script(4, (), 4, ((5, 1, "redeal"), (9, 3, "void"))),
}


def written(script: Script) -> str:
    """Return a game as text."""
    return "\n".join(_lines(script)) + "\n"


def diagram() -> str:
    """Return the state diagram of Macaua, as its table of transitions says."""
    return mermaid(TRANSITIONS, [Phase.OVER.value])


def rewrite() -> None:
    """Write all files anew."""
    page = DRAWN.sub(lambda found: f"{found[1]}{diagram()}{found[3]}", SPEC.read_text())
    SPEC.write_text(page)
    PLACE.mkdir(exist_ok=True)
    for name, script in SCRIPTS.items():
        (PLACE / f"{name}.txt").write_text(written(script))


def _lines(script: Script) -> Iterator[str]:
    options = resolve(MACAUA, script.seats, dict.fromkeys(script.options, True))
    chance = Chance("playthrough", script.seed)
    seats = [Seat(number) for number in range(script.seats)]
    dealer: PlainDealer[State] = PlainDealer(MACAUA, seats, options, chance.branch("cards"))
    bots: Sequence[Bot] = [bot_for(MACAUA), ChanceBot()]
    leaving = {number: (seat, policy) for number, seat, policy in script.leaving}
    yield f"game: {MACAUA.id} {MACAUA.version}"
    yield f"options: {', '.join(f'{name}={value}' for name, value in options.items())}"
    dealer.settle()
    number = told = 0
    while True:
        yield from (f"> {MACAUA.sentence(event, NAMES)}" for event in dealer.events[told:])
        told = len(dealer.events)
        duty = MACAUA.duty(dealer.state)
        if not isinstance(duty, Turn):
            break
        number += 1
        if number in leaving:
            seat, policy = leaving.pop(number)
            yield f"\n## {NAMES[Seat(seat)]} leaves ({policy})"
            dealer.leave([Seat(seat)], policy)
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


def _position(dealer: PlainDealer[State], duty: Turn, legal: Sequence[Action]) -> Iterator[str]:
    view = dealer.view(duty.seat)
    yield from _zones(view)
    facts = {name: value for name, value in view.facts.items() if name != "options" and value}
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
            yield f"{name}: {' '.join(card.face or '??' for card in zone.cards)}"


def _shown(dealer: PlainDealer[State], chosen: Action) -> str:
    if chosen.kind != "play":
        return chosen.kind
    faces = "+".join(dealer.pack.faces[slot] for slot in chosen.slots("cards"))
    suit = f" asking {chosen.get('suit')}" if chosen.get("suit") else ""
    return f"play {faces}{suit}{' macaua' if chosen.get('macaua') else ''}"


if __name__ == "__main__":
    if sys.argv[1:] != ["--rewrite"]:
        raise SystemExit(__doc__)
    rewrite()
