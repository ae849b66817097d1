"""The terms of an offer: what a player accepts with it, and what has changed since another one.

Everything that the charter will say is a term here. One that nobody is shown would be accepted
unseen, so what is shown and what is compared are the same list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum, auto
from typing import TypeAlias

from nodealer.games import AnyGame, Plain, registry
from nodealer.kernel import LocalError
from nodealer.lobby import Attendee, Offer, is_by_letters
from nodealer.node import CLOCKS


class TermKind(Enum):
    """The subjects on which players agree."""

    GAME = auto()
    """By its id and version."""
    OPTION = auto()
    SEATS = auto()
    """Their number."""
    SEAT = auto()
    """Who has it, or nobody."""
    CLOCK = auto()
    """The name of the four times that follow, if they have one."""
    ACT = auto()
    ANSWER = auto()
    REJOIN = auto()
    LONGEST = auto()
    POLICY = auto()


@dataclass(frozen=True, slots=True)
class OfferedTerm:
    """One thing that is agreed on; of options and seats there is one for each."""

    kind: TermKind
    value: Plain | Attendee
    which: str | int = ""
    is_usual: bool = field(default=False, compare=False)
    """Whether an option is as the rules that are here would have it."""


TermChange: TypeAlias = tuple[OfferedTerm | None, OfferedTerm | None]
"""A term before and after; nothing where there was or is none."""


def terms_offered(offer: Offer) -> tuple[OfferedTerm, ...]:
    """Return all that is agreed on by accepting an offer."""
    return tuple(_terms(offer))


def changes_between(before: Offer, after: Offer) -> list[TermChange]:
    """Return exactly the terms that are others than before."""
    was = {(one.kind, one.which): one for one in _terms(before)}
    now = {(one.kind, one.which): one for one in _terms(after)}
    return [
        (was.get(about), now.get(about))
        for about in {**was, **now}
        if not _are_same(was.get(about), now.get(about))
    ]


def rules_here(game: str, version: int | None = None) -> AnyGame | None:
    """Return the rules of a game in this version or the newest, where they are installed."""
    try:
        return registry.game(game, version)
    except LocalError:
        return None


def _terms(offer: Offer) -> Iterator[OfferedTerm]:
    rules, by_letters = rules_here(offer.game, offer.version), is_by_letters(offer.clock)
    options = () if rules is None else rules.options
    usual = {one.name: one.usual(by_letters=by_letters) for one in options}
    yield OfferedTerm(TermKind.GAME, (offer.game, offer.version))
    for name, value in offer.options:
        is_usual = name in usual and usual[name] == value
        yield OfferedTerm(TermKind.OPTION, value, name, is_usual)
    yield OfferedTerm(TermKind.SEATS, len(offer.seats))
    for number, who in enumerate(offer.seats):
        yield OfferedTerm(TermKind.SEAT, who, number)
    names = [name for name, known in CLOCKS.items() if known == offer.clock]
    yield OfferedTerm(TermKind.CLOCK, names[0] if names else None)
    for time in fields(offer.clock):
        yield OfferedTerm(TermKind[time.name.upper()], getattr(offer.clock, time.name))
    yield OfferedTerm(TermKind.POLICY, offer.policy)


def _are_same(one: OfferedTerm | None, other: OfferedTerm | None) -> bool:
    """Say whether two terms are one; to Python a truth value is a number, and not to a game."""
    if one is None or other is None:
        return False
    return one == other and type(one.value) is type(other.value)
