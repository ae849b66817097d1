"""The looks of the cards of 6 nimmt!: a number, and the bull heads that it has at this table."""

from __future__ import annotations

from collections.abc import Mapping

from nodealer.games.api import CardLook
from nodealer.games.take5.settings import Settings


def looks_of(settings: Settings) -> Mapping[str, CardLook]:
    """Return how the cards of a table with these options are drawn."""
    return {
        str(number): {"kind": "number", "number": number, "heads": heads}
        for number, heads in enumerate(settings.heads, 1)
    }
