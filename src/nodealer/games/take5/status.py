"""The standing of a round of 6 nimmt!, and the bull heads of cards and stacks, for people."""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.games.api import View
from nodealer.games.phrases import SeatNames, numbered
from nodealer.games.take5.placing import taken
from nodealer.games.take5.settings import STACK_NAMES
from nodealer.games.take5.stacks import stack


def status(view: View, names: SeatNames) -> tuple[str, ...]:
    """Say which turn it is, who has how many bull heads, and which cards are still to be placed."""
    return (*_turn(view), "in brackets: bull heads", *_waiting(view, names), _scores(view, names))


def remark(view: View, word: str) -> str:
    """Say how many bull heads a card has, a stack, or what the viewer has taken in this round."""
    zones = {text: stack(name) for name in STACK_NAMES for text in (name, stack(name).name)}
    if view.viewer is not None:
        zones["taken"] = taken(view.viewer)
    zone = zones.get(word)
    faces = [word] if zone is None else [card.face for card in view.zone(zone.name, zone.seat)]
    heads = view.facts["bulls"]
    assert isinstance(heads, tuple), "every card has bull heads"
    by_face = {str(number): count for number, count in enumerate(heads, 1)}
    bulls = (by_face.get(face or "") for face in faces)
    return str(sum(count for count in bulls if isinstance(count, int)) or "")


def _turn(view: View) -> Iterator[str]:
    options, turn = view.by_name("options"), view.facts["turn"]
    last = f" of {options['max_rounds']}" if options["max_rounds"] else ""
    of_round = f", turn {turn} of {options['turn_count']}" if turn else ""
    yield f"round {view.facts['round']}{last}{of_round}"


def _scores(view: View, names: SeatNames) -> str:
    limit = view.by_name("options")["win_score"]
    return f"bull heads, until {limit}: {numbered(view, 'scores', names)}"


def _waiting(view: View, names: SeatNames) -> Iterator[str]:
    """Say whose cards are open and not yet placed."""
    told = [f"{face} of {names[seat]}" for seat, face in view.by_seat("waiting").items()]
    if told:
        yield f"to be placed: {', '.join(told)}"
