"""Tables that many tests start from: decks of several sizes, each mixed once.

A fleet's decks are values, so a mixed deck is made once and every test gets a fleet of its own that
starts from it. Decks hold duplicates, as those of the games do.
"""

from __future__ import annotations

from functools import lru_cache

from nodealer.cards import Composition
from nodealer.kernel import Seat
from tests.support.fleet import Fleet, mixed

P, Q, R, S = map(Seat, range(4))

TEN = Composition.of({"7": 4, "8": 3, "9": 2, "joker": 1})
FOURS = Composition.of({"A": 4, "B": 4, "C": 4, "D": 4})
POKER = Composition.of({**{str(rank): 4 for rank in range(1, 14)}, "joker": 2})
DOUBLE = Composition.of({f"{suit}{rank}": 2 for suit in "shdc" for rank in range(1, 14)})
LONG = Composition.of({str(number): 2 for number in range(1, 106)})

DECKS = {len(deck.faces): deck for deck in (TEN, FOURS, POKER, DOUBLE, LONG)}


@lru_cache(maxsize=64)
def _mixed(seats: int, cards: int) -> Fleet:
    return mixed(seats, DECKS[cards], salt=("table", cards))


def table(seats: int, cards: int = 10) -> Fleet:
    """Return a fleet whose deck of so many cards was just mixed."""
    made = _mixed(seats, cards)
    return Fleet(made.deck, made.rings, made.height)
