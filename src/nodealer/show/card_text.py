"""Cards and values as people at a terminal read them.

A face is a word of its game. Those that are a rank and a suit (`QH`, `10S`) get the sign of the
suit beside the letter, so that neither a font without the sign nor an eye that confuses the signs
hides which suit it is; where the terminal has no such signs, the letter says it alone. All other
faces are shown as the words that they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodealer.games import Plain

SIGNS: Final[Mapping[str, str]] = MappingProxyType({"C": "♣", "D": "♦", "H": "♥", "S": "♠"})
SUITS: Final[Mapping[str, str]] = MappingProxyType(
    {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
)

RANKS: Final[Mapping[str, str]] = MappingProxyType(
    {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
)

HIDDEN: Final = "??"
"""A card whose face is not known."""

_RANK_AND_SUIT: Final = re.compile(r"(?:[2-9]|10|[AJQK])([CDHS])")


def suit_of(face: str | None) -> str | None:
    """Return the letter of the suit, if the face has one."""
    found = None if face is None else _RANK_AND_SUIT.fullmatch(face)
    return None if found is None else found[1]


def card_text(face: str | None, *, has_signs: bool) -> str:
    """Return a card as it is shown."""
    if face is None:
        return HIDDEN
    suit = suit_of(face)
    if suit is None:
        return face.replace("-", " ")
    return f"{face}{SIGNS[suit]}" if has_signs else face


def card_name(face: str) -> str:
    """Return a card as it is read out: its rank and suit in words, where it has them."""
    suit = suit_of(face)
    if suit is None:
        return card_text(face, has_signs=False)
    rank = face.removesuffix(suit)
    return f"{RANKS.get(rank, rank)} of {SUITS[suit]}"


def value_text(value: Plain, *, has_suits: bool) -> str:
    """Return a value of an action or a fact for people; letters are suits only in some games."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(value_text(item, has_suits=has_suits) for item in value)
    return SUITS.get(value, value) if isinstance(value, str) and has_suits else str(value)
