"""The looks of the cards of 66: a number on a dial up to the highest, and the power that it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.games.api import CardLook
from nodealer.games.sixty_six.cards import DECK, POWERS, value_of

HIGHEST: Final = max(value_of(face) for face in DECK.distinct)

LOOKS: Final[Mapping[str, CardLook]] = {
    face: {
        "kind": "number",
        "number": value_of(face),
        "highest": HIGHEST,
        **({"power": POWERS[face].value} if face in POWERS else {}),
    }
    for face in DECK.distinct
}
