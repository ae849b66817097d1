"""The standing of a game of Macaua beside its cards, for people."""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.games.api import Turn, View
from nodealer.games.macaua.cards import SUIT_NAMES
from nodealer.games.phrases import SeatNames, counted
from nodealer.kernel import Seat


def status(view: View, names: SeatNames) -> tuple[str, ...]:
    """Say what lies on the turn, which suit is asked for, and who will miss turns or has passed."""
    return (*_burden(view, names), *_suit(view), *_misses(view, names), *_end(view, names))


def _burden(view: View, names: SeatNames) -> Iterator[str]:
    challenger, cards = view.facts["challenger"], view.facts["challenge"]
    if not isinstance(challenger, int):
        return
    # While cards are drawn, nobody has the turn.
    whom = f" {names[view.duty.seat]}" if isinstance(view.duty, Turn) else ""
    if not cards:
        yield f"{names[Seat(challenger)]} makes{whom} miss {counted(view.facts['skip'], 'turn')}"
        return
    there = view.facts["penalty"]
    only = "" if there == cards else f", of which {there} can be drawn"
    yield f"{names[Seat(challenger)]} challenges{whom} to draw {counted(cards, 'card')}{only}"


def _suit(view: View) -> Iterator[str]:
    suit = view.facts["suit"]
    if isinstance(suit, str):
        yield f"{SUIT_NAMES[suit]} are asked for"


def _misses(view: View, names: SeatNames) -> Iterator[str]:
    told = [f"{names[seat]} {turns}" for seat, turns in view.by_seat("misses").items()]
    if told:
        yield f"turns still missed: {', '.join(told)}"


def _end(view: View, names: SeatNames) -> Iterator[str]:
    """Say that the cards run out, and who has passed for that reason."""
    passed = view.facts["passed"]
    if view.zone("discard") and view.facts["available"] == 0:
        yield "nothing is left to draw"
    if isinstance(passed, tuple) and passed:
        told = (names[Seat(seat)] for seat in passed if isinstance(seat, int))
        yield f"passed: {', '.join(told)}"
