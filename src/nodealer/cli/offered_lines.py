"""The offer of a lobby as people read it before they accept it: whole, then what changes.

Everything that the charter will say stands here, each term in words of its own. The first offer
that a player sees is told whole. Of every later one it is told exactly which terms are others than
in the one that was told before. A term that nobody is told of would be accepted unseen, so what is
told and what is compared are the same list.

Options that have their usual values are told together. What is usual, the rules of the game say; a
guest that does not have them is told so, and all values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nodealer.cli.people_lines import standing_in
from nodealer.games import AnyGame, Plain, registry
from nodealer.home import Company
from nodealer.kernel import LocalError
from nodealer.ledger import Clock
from nodealer.lobby import Attendee, Offer, clock_warnings
from nodealer.node import CLOCKS
from nodealer.store import shown
from nodealer.ui import in_words, wrapped

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

_SIMPLE: Final = re.compile(r"[A-Za-z0-9_.:+-]+")
"""A text that cannot be taken for more than one value."""


@dataclass(frozen=True, slots=True)
class OfferedTerm:
    """One thing that is agreed on; a note explains it where it is told whole.

    What two terms say may look alike where it is not: `exact` tells them apart.
    """

    label: str
    text: str
    note: str = ""
    exact: str = ""


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
        changes = _changes(self._terms(before), self._terms(offer))
        if not changes:
            return ["the same is offered anew, and has to be accepted anew"]
        is_warned = before.clock == offer.clock
        return ["what is offered has changed:", *changes, *([] if is_warned else _warnings(offer))]

    def whole(self, offer: Offer) -> list[str]:
        """Return all that is offered."""
        usual = _usual_options(offer)
        parts = [
            OfferedTerm("game", _game(offer)),
            *_grouped(offer.options, usual),
            *self._seats(offer),
            *_times(offer.clock),
            _policy(offer),
        ]
        told = (f"{one.text}, {one.note}" if one.note else one.text for one in parts)
        lines = [
            line for one, text in zip(parts, told, strict=True) for line in _row(one.label, text)
        ]
        return ["this is offered:", *lines, *_warnings(offer)]

    def _terms(self, offer: Offer) -> list[OfferedTerm]:
        """Return every term by itself."""
        options = [
            OfferedTerm(f"option {name}", _value(value), exact=repr(value))
            for name, value in offer.options
        ]
        count = OfferedTerm("seats", str(len(offer.seats)))
        told = [OfferedTerm("game", _game(offer)), *options, count, *self._seats(offer)]
        return [*told, *_times(offer.clock), _policy(offer)]

    def _seats(self, offer: Offer) -> Iterator[OfferedTerm]:
        for number, one in enumerate(offer.seats):
            label = f"seat {number}"
            yield OfferedTerm(label, "free") if one is None else self._seat(label, one)

    def _seat(self, label: str, one: Attendee) -> OfferedTerm:
        host = ", the host" if one.key == self._host else ""
        told = f"{shown(one.name, one.key)}{host}, {standing_in(self._company, one)}"
        return OfferedTerm(label, told, exact=one.key.hex())


def _changes(before: list[OfferedTerm], after: list[OfferedTerm]) -> list[str]:
    was = {one.label: one for one in before}
    now = {one.label: one for one in after}
    labels = [*was, *(label for label in now if label not in was)]
    return [
        line
        for label in labels
        if was.get(label) != now.get(label)
        for line in _indented(f"{label}: {_change(was.get(label), now.get(label))}")
    ]


def _change(was: OfferedTerm | None, now: OfferedTerm | None) -> str:
    old = "none" if was is None else was.text
    new = "none" if now is None else now.text
    return f"{old} -> {new}" if old != new else f"{old} -> ANOTHER that looks like it"


def _warnings(offer: Offer) -> list[str]:
    return [
        line
        for text in clock_warnings(offer.clock)
        for line in wrapped(f"WARNING, an unusual clock: {text}", COLUMNS)
    ]


def _game(offer: Offer) -> str:
    name = f"{_value(offer.game)}, version {offer.version}"
    rules = _rules(offer)
    if rules is None:
        return f"{name}; you do not have this game"
    return name if rules.version == offer.version else f"{name}; you have version {rules.version}"


def _rules(offer: Offer) -> AnyGame | None:
    try:
        return registry.game(offer.game)
    except LocalError:
        return None


def _usual_options(offer: Offer) -> Mapping[str, Plain]:
    """Return the values that options have if nobody chooses others, as far as they are known."""
    rules = _rules(offer)
    if rules is None or rules.version != offer.version:
        return {}
    return {option.name: option.default for option in rules.options}


def _grouped(
    options: tuple[tuple[str, Plain], ...], usual: Mapping[str, Plain]
) -> Iterator[OfferedTerm]:
    """Yield the options: those that somebody has chosen, then those that are as usual."""
    for label, wanted in (("options", False), ("as usual", True)):
        told = [
            f"{name}={_value(value)}"
            for name, value in options
            if (name in usual and usual[name] == value) is wanted
        ]
        if told:
            yield OfferedTerm(label, ", ".join(told))


def _value(value: Plain) -> str:
    """Return the value of an option as it is typed."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    text = str(value)
    return text if _SIMPLE.fullmatch(text) else json.dumps(text)


def _times(clock: Clock) -> Iterator[OfferedTerm]:
    names = [name for name, known in CLOCKS.items() if known == clock]
    yield OfferedTerm("clock", names[0] if names else "none of the usual ones")
    yield OfferedTerm("for a turn", in_words(clock.act))
    yield OfferedTerm("to answer", in_words(clock.answer), "for what programs do by themselves")
    yield OfferedTerm("to come back", in_words(clock.rejoin), "for whoever is missed")
    yield OfferedTerm("at the longest", in_words(clock.longest), "when rounds of votes have failed")


def _policy(offer: Offer) -> OfferedTerm:
    words = POLICIES.get(offer.policy, "what that is, this program does not know")
    return OfferedTerm("when one leaves", f"{_value(offer.policy)} ({words})")


def _row(label: str, text: str) -> Iterator[str]:
    first, *others = wrapped(text, COLUMNS - LABEL_COLUMNS - 2)
    yield f"  {label:<{LABEL_COLUMNS}}{first}"
    yield from (" " * (LABEL_COLUMNS + 2) + line for line in others)


def _indented(text: str) -> Iterator[str]:
    first, *others = wrapped(text, COLUMNS - 4)
    yield f"  {first}"
    yield from (f"    {line}" for line in others)
