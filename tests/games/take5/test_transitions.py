"""Every row of the table of transitions happens in some game; what never could is not in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from nodealer.games.take5 import dealing
from nodealer.games.take5.settings import Settings
from nodealer.games.take5.state import TRANSITIONS, Phase, State
from nodealer.kernel import Bug, Seat
from tests.games.take5.positions import Dealer, begun, fresh, leave, play, position, take
from tests.games.take5.test_leaving import revealing
from tests.games.ways import ways_seen


def below(hands: Sequence[str] = ("5 2", "90 3", "91 4")) -> Dealer:
    """Return a game in which the first seat has to take a stack."""
    dealer = position(hands)
    play(dealer, *(held.split()[0] for held in hands))
    return dealer


HANDS = ["50", "90"]

EVERYTHING: list[Callable[[], object]] = [
    lambda: begun(2),
    lambda: play(position(["50 2", "90 3"]), "50", "90"),
    lambda: play(position(["6 7", "5 8"]), "6", "5"),
    lambda: take(below(), "A"),
    lambda: play(position(HANDS), *HANDS),
    # Whoever takes a stack makes place for the next card; only a card that is out does not.
    lambda: leave(below(["5 2", "6 3", "7 4"]), 0),
    lambda: play(position(HANDS, scores=[70, 0]), *HANDS),
    *[
        lambda seats=seats, advanced=advanced: leave(fresh(seats, advanced), 1)
        for seats in (2, 3)
        for advanced in (0, 1)
    ],
    *[
        lambda made=made, gone=gone, policy=policy: leave(made(), *gone, policy=policy)
        for made in (begun, revealing, below)
        for gone, policy in (
            ((0,), "continue"),
            ((1,), "continue"),
            ((1,), "void"),
            ((0, 1), "void"),
        )
    ],
]


def test_every_transition_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = (None, "setup", fresh(2, 0).state.phase.value)
    seen = ways_seen(monkeypatch, State, dealing)
    for happening in EVERYTHING:
        happening()
    assert {(row.source, row.trigger, row.target) for row in TRANSITIONS} == {setup, *seen}


def test_a_way_that_the_table_does_not_know_is_a_bug() -> None:
    settings = Settings(10, 5, 66, 104, "1-7", "", 0)
    state = State(Phase.CHOOSING, (Seat(0), Seat(1)), settings, ())
    assert state.moved("chosen", Phase.REVEALING).phase is Phase.REVEALING
    with pytest.raises(Bug):
        state.moved("chosen", Phase.GAME_OVER)
