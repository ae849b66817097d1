"""The options that are agreed before a game of Papas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodealer.games.api import Option, Plain

ENTERED: Final = "entered"
TURN_START: Final = "turn-start"

WINDOW_SECONDS_MAX: Final = 120

OPTIONS: Final = (
    Option(
        "window",
        "seconds to say no to a play, 0 for no limit",
        10,
        maximum=WINDOW_SECONDS_MAX,
        by_letters=0,
    ),
    Option("interrupt_chain", "an interrupt can be interrupted", default=False),
    Option("one_card", "when a last card may be changed", ENTERED, choices=(ENTERED, TURN_START)),
    Option("max_turns", "turns after which the game ends, 0 for no limit", 0, maximum=10_000),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a table, under their own names."""

    interrupt_chain: bool
    max_turns: int
    one_card: str
    window: int

    @classmethod
    def of(cls, options: Mapping[str, Plain]) -> Settings:
        """Return what these options say; all of them are there (`registry.resolve`)."""
        turns, window = options["max_turns"], options["window"]
        assert isinstance(turns, int), "a number of turns"
        assert isinstance(window, int), "a number of seconds"
        return cls(
            interrupt_chain=bool(options["interrupt_chain"]),
            max_turns=turns,
            one_card=str(options["one_card"]),
            window=window,
        )
