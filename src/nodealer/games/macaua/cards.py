"""The 54 cards of Macaua, by name: rank and suit as in `10S` or `QH`, and the two jokers."""

from __future__ import annotations

from typing import Final

from nodealer.cards import Composition

SUITS: Final = ("C", "D", "H", "S")
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

JOKER: Final = "joker"
"""The rank of both jokers; they have no suit."""

BLACK_JOKER: Final = "black-joker"
RED_JOKER: Final = "red-joker"
JOKERS: Final = (BLACK_JOKER, RED_JOKER)

DECK: Final = Composition((*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS))

SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_NAMES: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def rank_of(face: str) -> str:
    """Return the rank of a card."""
    return JOKER if face in JOKERS else face[:-1]


def suit_of(face: str) -> str | None:
    """Return the suit of a card; jokers have none."""
    return None if face in JOKERS else face[-1]


def name_of(face: str) -> str:
    """Return the name of a card for people."""
    if face in JOKERS:
        return face.replace("-", " ")
    return f"{RANK_NAMES.get(face[:-1], face[:-1])} of {SUIT_NAMES[face[-1]]}"
