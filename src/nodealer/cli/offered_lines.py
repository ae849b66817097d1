"""The offer of a lobby as people read it before they accept it: whole, then what changes.

What is agreed on, and what of it has changed, `home.offers` says; here each term has words of its
own. The first offer that a player sees is told whole. Of every later one it is told exactly which
terms are others than in the one that was told before.

Options that have their usual values are told together. What is usual, the rules of the game say; a
guest that does not have them is told so, and all values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from nodealer.cli.people_lines import standing_in
from nodealer.games import Plain
from nodealer.home import (
    Company,
    OfferedTerm,
    TermKind,
    changes_between,
    terms_offered,
    version_here,
)
from nodealer.lobby import Attendee, Offer, clock_warnings
from nodealer.show import in_words, wrapped
from nodealer.store import shown

COLUMNS: Final = 70
"""Of a line of 80; the program's name stands before each."""

LABEL_COLUMNS: Final = 17

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


class Offers:
    """The offers of a lobby that one player was told of."""

    def __init__(self, company: Company, host: bytes) -> None:
        """Tell a player whose company this is; `host` is the key of the host."""
        self._company = company
        self._host = host
        self._last: Offer | None = None

    def tell(self, offer: Offer) -> list[str]:
        """Return the whole offer if it is the first one, else what has changed since the last."""
        before, self._last = self._last, offer
        if before is None:
            return self.whole(offer)
        changes = [
            line
            for was, now in changes_between(before, offer)
            for line in _indented(self._change(was, now))
        ]
        if not changes:
            return ["the same is offered anew, and has to be accepted anew"]
        is_warned = before.clock == offer.clock
        return ["what is offered has changed:", *changes, *([] if is_warned else _warnings(offer))]

    def whole(self, offer: Offer) -> list[str]:
        """Return all that is offered."""
        game, *others = terms_offered(offer)
        options = [one for one in others if one.kind is TermKind.OPTION]
        rows = [(_label(game), self._text(game))]
        for label, is_usual in (("options", False), ("as usual", True)):
            told = [f"{o.which}={_value(o.value)}" for o in options if o.is_usual is is_usual]
            rows += [(label, ", ".join(told))] if told else []
        rows += [
            (_label(one), f"{self._text(one)}{NOTES.get(one.kind, '')}")
            for one in others
            if one.kind not in (TermKind.OPTION, TermKind.SEATS)  # each seat has a row
        ]
        lines = [line for label, text in rows for line in _row(label, text)]
        return ["this is offered:", *lines, *_warnings(offer)]

    def _change(self, was: OfferedTerm | None, now: OfferedTerm | None) -> str:
        old, new = ("none" if one is None else self._text(one) for one in (was, now))
        told = f"{old} -> {new}" if old != new else f"{old} -> ANOTHER that looks like it"
        one = was or now
        assert one is not None, "something has changed"
        return f"{_label(one)}: {told}"

    def _text(self, one: OfferedTerm) -> str:
        match one:
            case OfferedTerm(TermKind.GAME, (str() as game, int() as version)):
                return _game(game, version)
            case OfferedTerm(TermKind.SEAT, Attendee() as who):
                host = ", the host" if who.key == self._host else ""
                return f"{shown(who.name, who.key)}{host}, {standing_in(self._company, who)}"
            case OfferedTerm(TermKind.SEAT | TermKind.CLOCK, None):
                return NOBODY[one.kind]
            case OfferedTerm(TermKind.POLICY, str() as policy):
                words = POLICIES.get(policy, "what that is, this program does not know")
                return f"{_value(policy)} ({words})"
            case OfferedTerm(
                TermKind.ACT | TermKind.ANSWER | TermKind.REJOIN | TermKind.LONGEST, int() as ticks
            ):
                return in_words(ticks)
            case _:
                return _value(one.value)


def _label(one: OfferedTerm) -> str:
    return LABELS[one.kind].format(one.which)


def _game(game: str, version: int) -> str:
    name, here = f"{_value(game)}, version {version}", version_here(game)
    if here is None:
        return f"{name}; you do not have this game"
    return name if here == version else f"{name}; you have version {here}"


def _value(value: Plain | Attendee) -> str:
    """Return the value of an option as it is typed."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    text = str(value)
    return text if _SIMPLE.fullmatch(text) else json.dumps(text)


def _warnings(offer: Offer) -> list[str]:
    return [
        line
        for text in clock_warnings(offer.clock)
        for line in wrapped(f"WARNING, an unusual clock: {text}", COLUMNS)
    ]


def _row(label: str, text: str) -> Iterator[str]:
    first, *others = wrapped(text, COLUMNS - LABEL_COLUMNS - 2)
    yield f"  {label:<{LABEL_COLUMNS}}{first}"
    yield from (" " * (LABEL_COLUMNS + 2) + line for line in others)


def _indented(text: str) -> Iterator[str]:
    first, *others = wrapped(text, COLUMNS - 4)
    yield f"  {first}"
    yield from (f"    {line}" for line in others)
