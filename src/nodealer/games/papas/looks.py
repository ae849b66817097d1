"""The looks of the cards of Papas: a picture each, with what of the card one decides by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.games.api import CardLook
from nodealer.games.papas import cards
from nodealer.games.papas.cards import CARDS, POTATOES

PICTURES: Final[Mapping[str, str]] = {
    cards.POTATO: "potato",
    cards.DUCHESSES: "duchesses",
    cards.FRIES: "fries",
    cards.WILDCARD: "any-potato",
    cards.NO_POH: "stop-hand",
    cards.TE_DIJE: "stop-shout",
    cards.PONY: "pony",
    cards.BUCK: "buck",
    cards.RUNAWAY: "runaways",
    cards.HARRY: "wizard",
    cards.POPE: "mitre",
    cards.AHEAD: "spyglass",
    cards.OF_THE_YEAR: "trophy",
    cards.DESTINY: "crystal-ball",
    cards.DAWAN: "hood",
    cards.JUMP: "jump",
    cards.PAPAGEDDON: "comet",
    cards.SPIDER: "spider",
}

LOOKS: Final[Mapping[str, CardLook]] = {
    face: {
        "kind": "picture",
        "picture": PICTURES[face],
        "title": card.name,
        **({"golden": POTATOES[face]} if face in POTATOES else {}),
        **({"value": card.value} if card.value else {}),
        **({"alarm": True} if card.is_alarm else {}),
        **({"targets": card.targets} if card.targets else {}),
    }
    for face, card in CARDS.items()
}
"""Three of a potato pay `golden` potatoes; an action card has its value and whom it is aimed at."""
