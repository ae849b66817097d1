"""The people of a lobby, in words: a friend, a friend with another name, somebody new.

Everybody is introduced once under each name. Whoever goes by the name of a friend and has another
key is told so loudly.
"""

from __future__ import annotations

from collections.abc import Iterable

from nodealer.home import Company, known_since, named
from nodealer.lobby import Attendee
from nodealer.store import (
    Changed,
    Friend,
    Known,
    Lookalike,
    Meeting,
    Renamed,
    shown,
    words_in,
    words_of,
)


class Introductions:
    """The people who were introduced to a player already."""

    def __init__(self, company: Company) -> None:
        """Introduce people to the player whose company this is."""
        self._company = company
        self._told: set[Attendee] = set()

    def of(self, people: Iterable[Attendee | None]) -> list[str]:
        """Return what is to be told of those among these who are new here."""
        lines: list[str] = []
        for one in self._company.others(people):
            if one not in self._told:
                self._told.add(one)
                lines += _lines(self._company.meet(one), one)
        return lines


def word_lines(
    company: Company, people: Iterable[Attendee | None], drawn: bytes | None
) -> list[str]:
    """Return the words of everybody, one's own first, and those that all with a seat have."""
    of_lobby = "none yet" if drawn is None else " ".join(words_in(drawn))
    others = [f"{shown(one.name, one.key)}: {_words(one.key)}" for one in company.others(people)]
    return [
        f"the words of this lobby, the same for all who have a seat: {of_lobby}",
        f"your own words: {_words(company.own)}",
        *others,
    ]


def confirmed_line(who: Attendee) -> str:
    """Return what is told when the words of somebody were compared."""
    return f"{shown(who.name, who.key)} is remembered, with the words compared"


def _lines(meeting: Meeting, who: Attendee) -> list[str]:
    name = shown(who.name, who.key)
    match meeting:
        case Known(friend):
            return [f"{name} is known to you: {_compared(friend)}"]
        case Renamed(friend):
            return [
                f"{name} is known to you under another name, {friend.name}: {_compared(friend)}",
            ]
        case Lookalike(friends):
            return [
                f"WARNING: {name} is not {named(friends)}, whom you know: the names look alike",
                f"the words of {name}: {_words(who.key)}",
            ]
        case Changed(friends):
            return [
                f"!!! WARNING: {name} HAS ANOTHER KEY than {named(friends)}, whom you know.",
                "!!! It is your friend on another machine, or somebody who wants to pass for it.",
                f"!!! Call your friend, and have these words read aloud: {_words(who.key)}",
            ]
        case _:
            return [f"{name} is new to you; to be sure who it is, compare: {_words(who.key)}"]


def _compared(friend: Friend) -> str:
    words = "" if friend.confirmed is not None else f": {_words(friend.key)}"
    return f"{known_since(friend)}{words}"


def _words(key: bytes) -> str:
    return " ".join(words_of(key))
