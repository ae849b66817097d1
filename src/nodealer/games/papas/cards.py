"""The 103 cards of Papas by face, what each is worth, and which three of them make a trio.

A face is what the card is called in the game's own words, in small letters with hyphens; cards of
one face are one and the same card. Nothing here knows of slots, seats or turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.cards import Composition

POTATO: Final = "potato"
DUCHESSES: Final = "duchesses-potatoes"
FRIES: Final = "french-fries"
WILDCARD: Final = "wildcard"
NO_POH: Final = "no-poh"
TE_DIJE: Final = "te-dije-que-no-poh"
PONY: Final = "get-off-the-pony"
BUCK: Final = "lend-me-a-buck"
RUNAWAY: Final = "runaway-potatoes"
HARRY: Final = "harry-potato"
POPE: Final = "pope-potato"
AHEAD: Final = "look-ahead"
OF_THE_YEAR: Final = "potato-of-the-year"
DESTINY: Final = "potato-of-destiny"
DAWAN: Final = "potato-dawan"
JUMP: Final = "jump-to-the-side"
PAPAGEDDON: Final = "papageddon"
SPIDER: Final = "spider-potato"


@dataclass(frozen=True, slots=True)
class PapasCard:
    """The kind of card: its name, how many there are, its value, and how many seats it is aimed at.

    An alarm card that is carried out ends the turn.
    """

    name: str
    copies: int
    value: int = 0
    is_alarm: bool = False
    targets: int = 0


CARDS: Final[Mapping[str, PapasCard]] = MappingProxyType(
    {
        POTATO: PapasCard("Potato", 16),
        DUCHESSES: PapasCard("Duchesses potatoes", 12),
        FRIES: PapasCard("French fries", 5),
        WILDCARD: PapasCard("Wildcard", 3),
        NO_POH: PapasCard("No poh", 10),
        TE_DIJE: PapasCard("Te dije que no poh", 3),
        PONY: PapasCard("Get off the pony", 5, 2, is_alarm=True, targets=1),
        BUCK: PapasCard("Lend me a buck", 10, 1, targets=1),
        RUNAWAY: PapasCard("Runaway potatoes", 3, 3),
        HARRY: PapasCard("Harry Potato", 10, 1, is_alarm=True),
        POPE: PapasCard("Pope Potato", 3, 3, targets=1),
        AHEAD: PapasCard("Look ahead", 3, 3, is_alarm=True, targets=1),
        OF_THE_YEAR: PapasCard("The potato of the year", 5, 2),
        DESTINY: PapasCard("Potato of destiny", 3, 3, targets=1),
        DAWAN: PapasCard("Potato Dawan", 3, 3, targets=1),
        JUMP: PapasCard("Jump to the side", 3, 3, is_alarm=True),
        PAPAGEDDON: PapasCard("Papageddon", 3, 3, is_alarm=True),
        SPIDER: PapasCard("Spider potato", 3, 3, targets=2),
    }
)
"""All faces, in the order in which they enter the first shuffle."""

DECK: Final = Composition.of({face: card.copies for face, card in CARDS.items()})

POTATOES: Final[Mapping[str, int]] = MappingProxyType({POTATO: 1, DUCHESSES: 2, FRIES: 3})
"""What three of a name pay in golden potatoes, wildcards in the place of up to two of them."""

VALUE_OF_A_TRIO: Final = 3
VALUES_PAY: Final = 1
"""Three cards of this value, whatever they are, pay so many golden potatoes."""

INTERRUPTS: Final = (NO_POH, TE_DIJE)

NEVER_ALONE: Final = (*POTATOES, WILDCARD, *INTERRUPTS)
"""What cannot be played as a single card."""

ACTION_CARDS: Final = tuple(face for face in CARDS if face not in NEVER_ALONE)

TRIO_CARDS: Final = 3


def name_of(face: str) -> str:
    """Return the name of a card for people."""
    return CARDS[face].name


def trio_pays(faces: Sequence[str]) -> int:
    """Return what three cards pay as a trio in golden potatoes, or 0 if they are none."""
    if len(faces) != TRIO_CARDS:
        return 0
    real = {face for face in faces if face != WILDCARD} or {FRIES}
    if len(real) == 1 and real <= POTATOES.keys():
        return POTATOES[min(real)]
    is_alike = all(CARDS[face].value == VALUE_OF_A_TRIO for face in faces)
    return VALUES_PAY if is_alike else 0


def answers(said: str, against: Sequence[str]) -> bool:
    """Whether an interrupt may be said against what was played, be it an interrupt itself."""
    return said == TE_DIJE or (len(against) == 1 and against[0] != TE_DIJE)
