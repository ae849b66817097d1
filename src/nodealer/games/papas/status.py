"""The standing of a game of Papas beside its cards, and what a card is, for people."""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.games.api import Choice, View
from nodealer.games.papas.cards import CARDS, name_of
from nodealer.games.papas.choices import playing_of
from nodealer.games.papas.state import seats_after
from nodealer.games.phrases import SeatNames, counted, joined, numbered
from nodealer.kernel import Seat


def status(view: View, names: SeatNames) -> tuple[str, ...]:
    """Say who has how much, which way it goes, what is under way, and who is asked how long."""
    return (
        _golden(view, names),
        *_direction(view, names),
        *_play(view, names),
        *_asked(view, names),
        *_seen(view, names),
        *_end(view),
    )


def remark(word: str) -> str:
    """Say which value a card has, and whether it is an alarm card."""
    card = CARDS.get(word)
    if card is None:
        return ""
    return f"value {card.value}{', alarm' if card.is_alarm else ''}"


def _golden(view: View, names: SeatNames) -> str:
    return f"golden potatoes, until {view.facts['threshold']}: {numbered(view, 'golden', names)}"


def _direction(view: View, names: SeatNames) -> Iterator[str]:
    turn, direction, skipped = (view.facts[name] for name in ("turn", "direction", "skipped"))
    if not isinstance(turn, int) or Seat(turn) not in view.seats or len(view.seats) == 1:
        return
    assert isinstance(direction, int), "it goes one way or the other"
    coming = seats_after(Seat(turn), view.seats, direction)[0]
    way = "forwards" if direction == 1 else "backwards"
    yield f"it goes {way}, after {names[Seat(turn)]} comes {names[coming]}"
    if isinstance(skipped, int):
        yield f"{names[Seat(skipped)]} is skipped"


def _play(view: View, names: SeatNames) -> Iterator[str]:
    faces, targets = playing_of(view)
    turn, said = view.facts["turn"], view.facts["said"]
    if not faces or not isinstance(turn, int):
        return
    aimed = f", aimed at {joined([names[seat] for seat in targets])}" if targets else ""
    yield f"{names[Seat(turn)]} has played {joined([name_of(face) for face in faces])}{aimed}"
    assert isinstance(said, tuple), "what was said is a list"
    for answer in said[-1:]:
        assert isinstance(answer, tuple), "somebody has said something"
        yield f"{names[Seat(int(str(answer[0])))]} has said {name_of(str(answer[1]))}"


def _asked(view: View, names: SeatNames) -> Iterator[str]:
    if isinstance(view.duty, Choice):
        window = view.duty.window
        limit = f"{counted(window, 'second')} to answer" if window else "no limit to answer"
        yield f"asked: {joined([names[seat] for seat in view.duty.asked])}, {limit}"


def _seen(view: View, names: SeatNames) -> Iterator[str]:
    seen = view.facts["seen"]
    if isinstance(seen, tuple) and seen:
        whose = joined([names[Seat(seat)] for seat in seen if isinstance(seat, int)])
        yield f"others know cards in the hand of {whose}"


def _end(view: View) -> Iterator[str]:
    if view.facts["max_turns"]:
        yield f"turn {view.facts['turns']} of {view.facts['max_turns']}"
