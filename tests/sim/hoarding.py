"""Papas with players who hoard wildcards, and play no trio but three of them.

Sensible players use their wildcards long before they have all three that there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodealer.games.api import Action, Bot, SensibleBot, View
from nodealer.games.papas import PAPAS, Papas
from nodealer.games.papas.cards import TRIO_CARDS, WILDCARD

HOARDED = 10_000


def _worths(view: View, legal: Sequence[Action]) -> list[float]:
    sensible = PAPAS.bot()
    assert isinstance(sensible, SensibleBot)
    return list(_hoarding(view, legal, sensible.worths(view, legal)))


def _hoarding(view: View, legal: Sequence[Action], worths: Sequence[float]) -> Iterator[float]:
    held = {card.slot: card.face for card in view.zone("hand", view.viewer)}
    for one, worth in zip(legal, worths, strict=True):
        named = [held.get(slot) for slot in (*one.slots("card"), *one.slots("cards"))]
        count = named.count(WILDCARD)
        if one.kind == "play-threesome":
            yield HOARDED if count == TRIO_CARDS else -1
        elif one.kind.startswith("discard") and count:
            yield -HOARDED
        else:
            yield HOARDED if one.get("name") == WILDCARD else worth


@dataclass(frozen=True, slots=True)
class HoardingPapas(Papas):
    """The rules of Papas, with other players."""

    def bot(self) -> Bot:
        """Return one who hoards."""
        return SensibleBot(_worths)


HOARDING = HoardingPapas()
