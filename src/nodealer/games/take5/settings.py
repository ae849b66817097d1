"""The options of a table, and the cards that follow from them: faces, and the bull heads on each.

The deck has one card of every number from 1 to `deck_size`; a face is the number as text. How many
bull heads a card has is either written down for each card (`bulls`) or follows from its number, by
the first that fits: 55 has 7, a multiple of 11 has 5, of 10 has 3, of 5 has 2, every other card 1.
Fewer or more than `bull_range` allows become the least or the most that it allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from nodealer.cards import Composition
from nodealer.games.api import Option, Plain
from nodealer.kernel import CARDS_MAX, LocalError, Reason

STACK_NAMES: Final = ("A", "B", "C", "D")

FIFTY_FIVE: Final = 55
FIFTY_FIVE_BULLS: Final = 7
"""The one card that is worse than all others; its multiples are like other cards."""

MULTIPLES: Final = ((11, 5), (10, 3), (5, 2), (1, 1))
"""The bull heads of the multiples of a number; the first that fits counts."""

CARDS_LEAST: Final = 6
"""A card for each of two seats, and the four that begin the stacks."""

TURNS_MAX: Final = (CARDS_MAX - len(STACK_NAMES)) // 2
"""So many cards can two seats hold, at most."""

STACK_LEAST: Final = 2
"""If every card took the one before it, equal bull heads would make a tie without an end."""

BULLS_FORM: Final = r"([1-9][0-9]?(,[1-9][0-9]?){5,255})?"
RANGE_FORM: Final = r"[1-9][0-9]?-[1-9][0-9]?"

OPTIONS: Final = (
    Option("turn_count", "turns in a round", 10, minimum=1, maximum=TURNS_MAX),
    Option("stack_size", "cards in a full stack", 5, minimum=STACK_LEAST, maximum=20),
    Option("win_score", "bull heads that end the game", 66, minimum=1, maximum=200),
    Option("deck_size", "cards in the deck", 104, minimum=CARDS_LEAST, maximum=CARDS_MAX),
    Option(
        "bull_range",
        "least and most bull heads on a card",
        "1-7",
        pattern=RANGE_FORM,
        examples=("3-7",),
    ),
    Option(
        "bulls",
        "bull heads on each card, from card 1 on; empty for the usual ones",
        "",
        pattern=BULLS_FORM,
        examples=("1,1,2,3,5,7", ",".join(["1", "2", "3", "5"] * 26)),
    ),
    Option("max_rounds", "rounds after which the game ends, 0 for no limit", 0, maximum=1000),
)

BY_NAME: Final = tuple(sorted(OPTIONS, key=lambda option: option.name))


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a table, under their own names."""

    turn_count: int
    stack_size: int
    win_score: int
    deck_size: int
    bull_range: str
    bulls: str
    max_rounds: int

    @classmethod
    def of(cls, options: Mapping[str, Plain]) -> Settings:
        """Return what these options say; all of them are there (`registry.resolve`)."""
        return cls(
            turn_count=_number(options["turn_count"]),
            stack_size=_number(options["stack_size"]),
            win_score=_number(options["win_score"]),
            deck_size=_number(options["deck_size"]),
            bull_range=str(options["bull_range"]),
            bulls=str(options["bulls"]),
            max_rounds=_number(options["max_rounds"]),
        )

    @property
    def pairs(self) -> tuple[tuple[str, int | str], ...]:
        """The options as they stand in the facts: names and values, by name."""
        return tuple((option.name, getattr(self, option.name)) for option in BY_NAME)

    @property
    def deck(self) -> Composition:
        """The cards, in the order in which they enter the first shuffle."""
        return Composition(tuple(str(number) for number in range(1, self.deck_size + 1)))

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the most bull heads on a card."""
        least, _, most = self.bull_range.partition("-")
        return int(least), int(most)

    @property
    def heads(self) -> tuple[int, ...]:
        """How many bull heads each card has, in the order of the numbers."""
        return _heads(self.deck_size, self.bounds, self.bulls)

    def worth(self, faces: Iterable[str]) -> int:
        """Return the bull heads on all these cards."""
        heads = self.heads
        return sum(heads[int(face) - 1] for face in faces)


def require_settings(seats: int, settings: Settings) -> None:
    """Raise `local/argument` if these do not go together or with so many seats."""
    least, most = settings.bounds
    if least > most:
        raise _refused(f"bull_range {settings.bull_range} has no numbers")
    needed = seats * settings.turn_count + len(STACK_NAMES)
    if needed > settings.deck_size:
        raise _refused(
            f"{seats} seats with {settings.turn_count} cards each, and four on the table, take"
            f" {needed} cards; deck_size is {settings.deck_size}"
        )
    listed = _listed(settings.bulls)
    if listed and len(listed) != settings.deck_size:
        raise _refused(f"bulls names {len(listed)} cards; deck_size is {settings.deck_size}")
    if listed and not least <= min(listed) <= max(listed) <= most:
        raise _refused(f"bulls goes beyond bull_range {settings.bull_range}")


@lru_cache(maxsize=64)
def _heads(deck_size: int, bounds: tuple[int, int], bulls: str) -> tuple[int, ...]:
    least, most = bounds
    usual = tuple(_usual(number) for number in range(1, deck_size + 1))
    return _listed(bulls) or tuple(min(max(count, least), most) for count in usual)


def _usual(number: int) -> int:
    if number == FIFTY_FIVE:
        return FIFTY_FIVE_BULLS
    return next(count for divisor, count in MULTIPLES if number % divisor == 0)


def _listed(bulls: str) -> tuple[int, ...]:
    return tuple(int(text) for text in bulls.split(",")) if bulls else ()


def _number(value: Plain) -> int:
    assert isinstance(value, int), "a number is a number"
    return value


def _refused(detail: str) -> LocalError:
    return LocalError(Reason.LOCAL_ARGUMENT, detail)
