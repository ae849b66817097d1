"""The cards that may be played: pure questions about faces, without slots, seats or turns.

`Situation` is all that counts for that. `apply` asks it from the board and `legal` from a view, so
both always answer alike.

    what lies on the turn     what may be played
    nothing                   jokers and aces always; others if they fit the top card
    a challenge               2, 3 and jokers that fit (2 and 3 always under `free_counter`);
                              with `seven_stops` also sevens that fit
    a skip                    4

A card fits if it has the declared suit or, where none is declared, the suit or rank of the top
card. Jokers fit on everything, and everything fits on a joker, and on an ace for which no suit was
declared. Of several cards of one rank it is enough that one may be played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from nodealer.games.api import Plain
from nodealer.games.macaua.cards import JOKER, RED_JOKER, rank_of, suit_of

ACE: Final = "A"
SKIPPER: Final = "4"
STOPPER: Final = "7"

CHALLENGES: Final[Mapping[str, int]] = {"2": 2, "3": 3, JOKER: 5}
"""How many cards a challenge of this rank makes the next seat draw."""

RED_JOKER_RAISED: Final = 10


class Burden(Enum):
    """The burden on the turn: what the seat before has left for it."""

    NOTHING = "nothing"
    CHALLENGE = "challenge"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a table, under their own names."""

    first: str
    free_counter: bool
    four_skips: bool
    red_joker_ten: bool
    seven_stops: bool
    call: bool

    @classmethod
    def of(cls, options: Mapping[str, Plain]) -> Settings:
        """Return what these options say; all of them are there (`registry.resolve`)."""
        return cls(
            first=str(options["first"]),
            free_counter=bool(options["free_counter"]),
            four_skips=bool(options["four_skips"]),
            red_joker_ten=bool(options["red_joker_ten"]),
            seven_stops=bool(options["seven_stops"]),
            call=bool(options["call"]),
        )


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation that decides which cards may be played."""

    burden: Burden
    top: str
    suit: str | None
    settings: Settings

    def allows(self, faces: Sequence[str]) -> bool:
        """Whether these cards may be played together."""
        return len({rank_of(face) for face in faces}) == 1 and any(map(self.allows_card, faces))

    def allows_card(self, face: str) -> bool:
        """Whether this card may be played, alone or with others of its rank."""
        rank = rank_of(face)
        match self.burden:
            case Burden.NOTHING:
                return rank == ACE or self._fits(face)
            case Burden.CHALLENGE if rank in CHALLENGES:
                return self.settings.free_counter or self._fits(face)
            case Burden.CHALLENGE:
                return rank == STOPPER and self.settings.seven_stops and self._fits(face)
            case Burden.SKIP:
                return rank == SKIPPER
        assert_never(self.burden)

    def _fits(self, face: str) -> bool:
        if rank_of(face) == JOKER:
            return True
        if self.suit is not None:
            return suit_of(face) == self.suit
        if rank_of(self.top) in (JOKER, ACE):
            # An ace without a declared suit is the start card: whoever plays one has to declare.
            return True
        return suit_of(face) == suit_of(self.top) or rank_of(face) == rank_of(self.top)


def challenge_of(faces: Sequence[str], settings: Settings) -> int:
    """Return how many cards a play challenges the next seat to draw."""
    return sum(_challenge_of_card(face, settings) for face in faces)


def skips_of(faces: Sequence[str], settings: Settings) -> int:
    """Return how many turns a play makes the next seat miss."""
    return sum(rank_of(face) == SKIPPER for face in faces) if settings.four_skips else 0


def _challenge_of_card(face: str, settings: Settings) -> int:
    if face == RED_JOKER and settings.red_joker_ten:
        return RED_JOKER_RAISED
    return CHALLENGES.get(rank_of(face), 0)
