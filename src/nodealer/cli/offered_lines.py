"""The offer of a lobby as people read it before they accept it: whole, then what changes.

What is agreed on, and what of it has changed, `home` says, and has the words for each term. The
first offer that a player sees is told whole. Of every later one it is told exactly which terms are
others than in the one that was told before.

Options that have their usual values are told together. What is usual, the rules of the game say; a
guest that does not have them is told so, and all values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nodealer.home import (
    NOTES,
    Company,
    OfferedTerm,
    TermKind,
    changes_between,
    option_value,
    term_label,
    term_value,
    terms_offered,
)
from nodealer.lobby import Offer, clock_warnings
from nodealer.show import wrapped

COLUMNS: Final = 70
"""Of a line of 80; the program's name stands before each."""

LABEL_COLUMNS: Final = 17


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
        rows = [(term_label(game), self._value(game))]
        for label, is_usual in (("options", False), ("as usual", True)):
            told = [f"{o.which}={option_value(o.value)}" for o in options if o.is_usual is is_usual]
            rows += [(label, ", ".join(told))] if told else []
        rows += [
            (term_label(one), f"{self._value(one)}{NOTES.get(one.kind, '')}")
            for one in others
            if one.kind not in (TermKind.OPTION, TermKind.SEATS)  # each seat has a row
        ]
        lines = [line for label, text in rows for line in _row(label, text)]
        return ["this is offered:", *lines, *_warnings(offer)]

    def _change(self, was: OfferedTerm | None, now: OfferedTerm | None) -> str:
        old, new = ("none" if one is None else self._value(one) for one in (was, now))
        told = f"{old} -> {new}" if old != new else f"{old} -> ANOTHER that looks like it"
        one = was or now
        assert one is not None, "something has changed"
        return f"{term_label(one)}: {told}"

    def _value(self, one: OfferedTerm) -> str:
        return term_value(one, self._company, self._host)


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
