"""The looks of the cards of Macaua: French suits and ranks, and two jokers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.games.api import CardLook
from nodealer.games.macaua.cards import BLACK_JOKER, RANKS, RED_JOKER, SUIT_NAMES

LOOKS: Final[Mapping[str, CardLook]] = {
    rank + letter: {"kind": "french", "suit": suit, "rank": rank}
    for letter, suit in SUIT_NAMES.items()
    for rank in RANKS
} | {
    BLACK_JOKER: {"kind": "joker", "ink": "black"},
    RED_JOKER: {"kind": "joker", "ink": "red"},
}
