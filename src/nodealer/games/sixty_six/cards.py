"""The 52 cards of 66: values without suits, and what some of them let their player do."""

from __future__ import annotations

from enum import Enum
from typing import Final

from nodealer.cards import Composition

DECK: Final = Composition.of({"0": 2, **{str(value): 4 for value in range(1, 13)}, "13": 2})

HAND_CARDS: Final = 4
"""So many cards lie before everybody at the beginning of a round."""

SEEN_CARDS: Final = 2
"""And so many of these, the first ones, their owner sees."""


class Power(Enum):
    """The duty of whoever discards a card from the deck."""

    PEEK_OWN = "peek-own"
    PEEK_ANOTHERS = "peek-anothers"
    EXCHANGE = "exchange"


POWERS: Final = {
    "7": Power.PEEK_OWN,
    "8": Power.PEEK_OWN,
    "9": Power.PEEK_ANOTHERS,
    "10": Power.PEEK_ANOTHERS,
    "11": Power.EXCHANGE,
    "12": Power.EXCHANGE,
}
"""The cards that have a power; all others are plain."""


def value_of(face: str) -> int:
    """Return the points of a card."""
    return int(face)
