"""The words for the terms of an offer: what each is called, what its value means to the player.

Whoever shows an offer, in lines or on a page, takes the words from here; which terms there are, and
what of them has changed, `offers` says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodealer.games import Plain
from nodealer.home.offers import OfferedTerm, TermKind, rules_here
from nodealer.home.people import Company, standing_in
from nodealer.lobby import Attendee
from nodealer.show import in_words
from nodealer.store import shown

POLICIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "continue": "the others play on, with the cards as they lie",
        "redeal": "the others play on; what does not lie open is shuffled and dealt anew",
        "void": "the round does not count, and is dealt anew to the others",
    }
)
"""What becomes of a round when a seat leaves or is left out, by the names that charters use."""

LABELS: Final[Mapping[TermKind, str]] = MappingProxyType(
    {
        TermKind.GAME: "game",
        TermKind.OPTION: "option {}",
        TermKind.SEATS: "seats",
        TermKind.SEAT: "seat {}",
        TermKind.CLOCK: "clock",
        TermKind.ACT: "for a turn",
        TermKind.ANSWER: "to answer",
        TermKind.REJOIN: "to come back",
        TermKind.LONGEST: "at the longest",
        TermKind.POLICY: "when one leaves",
    }
)

NOTES: Final[Mapping[TermKind, str]] = MappingProxyType(
    {
        TermKind.ANSWER: ", for what programs do by themselves",
        TermKind.REJOIN: ", for whoever is missed",
        TermKind.LONGEST: ", when rounds of votes have failed",
    }
)
"""What is explained where an offer is told whole."""

NOBODY: Final[Mapping[TermKind, str]] = MappingProxyType(
    {TermKind.SEAT: "free", TermKind.CLOCK: "none of the usual ones"}
)
"""The words for nothing."""

_SIMPLE: Final = re.compile(r"[A-Za-z0-9_.:+-]+")
"""A text that cannot be taken for more than one value."""


def term_label(one: OfferedTerm) -> str:
    """Return how a term is called."""
    return LABELS[one.kind].format(one.which)


def term_value(one: OfferedTerm, company: Company, host: bytes) -> str:
    """Return what a term says, to the player whose company this is; `host` is a key."""
    match one:
        case OfferedTerm(TermKind.GAME, (str() as game, int() as version)):
            return _game(game, version)
        case OfferedTerm(TermKind.SEAT, Attendee() as who):
            is_host = ", the host" if who.key == host else ""
            program = ", played by a program" if who.is_program else ""
            return f"{shown(who.name, who.key)}{is_host}, {standing_in(company, who)}{program}"
        case OfferedTerm(TermKind.SEAT | TermKind.CLOCK, None):
            return NOBODY[one.kind]
        case OfferedTerm(TermKind.POLICY, str() as policy):
            words = POLICIES.get(policy, "what that is, this program does not know")
            return f"{option_value(policy)} ({words})"
        case OfferedTerm(
            TermKind.ACT | TermKind.ANSWER | TermKind.REJOIN | TermKind.LONGEST, int() as ticks
        ):
            return in_words(ticks)
        case _:
            return option_value(one.value)


def option_value(value: Plain | Attendee) -> str:
    """Return the value of an option as it is typed."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    text = str(value)
    return text if _SIMPLE.fullmatch(text) else json.dumps(text)


def _game(game: str, version: int) -> str:
    name, newest = f"{option_value(game)}, version {version}", rules_here(game)
    if newest is None:
        return f"{name}; you do not have this game"
    is_here = rules_here(game, version) is not None
    return name if is_here else f"{name}; you have version {newest.version}"
