"""Every row of the table of transitions happens in some game; what never could is not in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from nodealer.games.dealer import PlainDealer
from nodealer.games.macaua import MACAUA, dealing
from nodealer.games.macaua.cards import DECK
from nodealer.games.macaua.state import TRANSITIONS, State
from nodealer.games.registry import resolve
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from tests.games.positions import Dealer, act, play, position
from tests.games.test_macaua_leaving import leave_by_position
from tests.games.test_macaua_second import play_both
from tests.games.ways import ways_seen

SKIPS = ("four_skips", "call")


def fresh(seats: int, advanced: int) -> Dealer:
    """Return a game in the middle of its first deal."""
    numbers = [Seat(number) for number in range(seats)]
    dealer: Dealer = PlainDealer(MACAUA, numbers, resolve(MACAUA, seats, {}), Chance("fresh"))
    for _ in range(advanced):
        dealer.advance()
    return dealer


def begun(dealer: Dealer, kind: str) -> Dealer:
    """Return a game in which a seat has acted, and nothing is drawn yet."""
    seat = dealer.state.on_turn
    dealer.begin(seat, next(chosen for chosen in dealer.legal(seat) if chosen.kind == kind))
    return dealer


def left(dealer: Dealer, *seats: int) -> None:
    """Leave seats out and carry out what follows."""
    dealer.leave([Seat(seat) for seat in seats], "redeal")
    dealer.settle()


def whole(hands: Sequence[str], stock: str, challenge: int) -> Dealer:
    """Return a position in which all other cards lie in the discards, a 2 on top."""
    away = {*" ".join(hands).split(), *stock.split(), "2H"}
    under = " ".join(face for face in DECK.faces if face not in away)
    return position(hands, f"{under} 2H", stock, challenge=challenge)


THREE = ["9C 8C", "9D", "8S 8H"]

RARE: list[Callable[[], object]] = [
    # challenge: taken where there is nothing to draw
    lambda: act(position(THREE, "2H", "", challenge=2), "take"),
    lambda: act(position(THREE[:2], "2H", "", challenge=2, passed=(Seat(1),)), "take"),
    # play into a draw: "macaua" is forgotten
    lambda: play(position(["2C 9S", "9D 8D"], "6H 2H", "5C", ("call",), challenge=2), "2C"),
    lambda: play(position(["4C 9S", "9D 8D"], "6H 4H", options=SKIPS, skip=1), "4C"),
    lambda: play(position(["4C 9S", "9D 8D"], "6H 4H", "5C", SKIPS, skip=1), "4C"),
    lambda: play(position(["4C", "9D 8D"], "6H 4H", options=SKIPS, skip=1), "4C"),
    # a skip that would come back
    lambda: play(
        position(["4C 9S 8D", "9D"], "4H", options=SKIPS, skip=1, misses=((Seat(1), 2),)), "4C"
    ),
    # seats leave
    lambda: left(fresh(3, 0), 1),
    lambda: left(fresh(2, 0), 1),
    lambda: left(fresh(3, 1), 1),
    lambda: left(fresh(2, 1), 1),
    lambda: leave_by_position(position(THREE, "4H", "KC", SKIPS, skip=1), 2),
    lambda: left(position(THREE[:2], "4H", "KC", SKIPS, skip=1), 1),
    lambda: left(begun(whole(THREE, "KC", 30), "take"), 2),
    lambda: left(begun(whole(THREE, "KC", 2), "take"), 2),
    lambda: left(begun(whole(THREE[:2], "KC", 30), "take"), 1),
    lambda: left(begun(whole(THREE, "KC", 3), "take"), 0, 1),
]


def test_every_transition_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = (None, "setup", fresh(2, 0).state.phase.value)
    seen = ways_seen(monkeypatch, State, dealing)
    play_both(60)
    for rare in RARE:
        rare()
    assert {(row.source, row.trigger, row.target) for row in TRANSITIONS} == {setup, *seen}
