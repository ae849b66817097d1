"""The people of a lobby, as far as this player knows them.

Everybody who turns up is looked up among the friends, once under each name, and what is known is
told: a friend, a friend with another name, somebody new whose words can be compared. Whoever goes
by the name of a friend and has another key is told so loudly, and stands in the way of the game
until the player has compared the words (`confirm NAME`), or has said beforehand that it is known
(`--new-key`).

Nobody is remembered by being looked at. Whoever was confirmed is remembered at once, and the others
when a table is founded with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nodealer.home.clock import day_of, now_seconds
from nodealer.lobby.messages import Sitting
from nodealer.lobby.terms import taken_by
from nodealer.store.friends import Changed, Friend, Friends, Known, Lookalike, Meeting, Renamed
from nodealer.store.words import shown, words_of
from nodealer.verify import joined


class Company:
    """Who is in a lobby beside the player, and what is known of them."""

    def __init__(self, friends: Friends, own: bytes, *, takes_new_keys: bool = False) -> None:
        """Look people up in a book of friends; `own` is the key of the player."""
        self._friends = friends
        self._own = own
        self._takes_new_keys = takes_new_keys
        self._told: set[Sitting] = set()
        self._confirmed: set[bytes] = set()

    def introduce(self, people: Iterable[Sitting | None]) -> list[str]:
        """Return what is to be told of those among these who are new here."""
        lines: list[str] = []
        for one in self._others(people):
            if one not in self._told:
                self._told.add(one)
                lines += _lines(self._friends.meet(one.name, one.key), one)
        return lines

    def standing(self, one: Sitting) -> str:
        """Return in a few words who somebody is to the player."""
        if one.key == self._own:
            return "you"
        match self._friends.meet(one.name, one.key):
            case Known(_):
                return "known to you"
            case Renamed(friend, _):
                return f"known to you as {friend.name}"
            case Lookalike(_, _, friends):
                return f"new to you, and NOT {_named(friends)}"
            case Changed(_, _, friends):
                return f"ANOTHER KEY than {_named(friends)}"
            case _:
                return "new to you"

    def suspects(self, people: Iterable[Sitting | None]) -> list[Sitting]:
        """Return who goes by the name of a friend, has another key, and is not confirmed."""
        if self._takes_new_keys:
            return []
        return [
            one
            for one in self._others(people)
            if one.key not in self._confirmed
            and isinstance(self._friends.meet(one.name, one.key), Changed)
        ]

    def words(self, people: Iterable[Sitting | None]) -> list[str]:
        """Return the words of everybody, one's own first."""
        lines = [f"your own words: {_words(self._own)}"]
        return lines + [
            f"{shown(one.name, one.key)}: {_words(one.key)}" for one in self._others(people)
        ]

    def confirm(self, people: Iterable[Sitting | None], name: str) -> list[str]:
        """Remember that the player has compared the words of somebody."""
        who = taken_by(name, self._others(people))
        if who is None:
            return [f"there is nobody called {name!r} here"]
        now = now_seconds()
        self._friends.remember(who.name, who.key, now)
        self._friends.confirm(who.key, now)
        self._confirmed.add(who.key)
        return [f"{shown(who.name, who.key)} is remembered, with the words compared"]

    def remember(self, people: Iterable[Sitting | None]) -> None:
        """Remember everybody with whom a table was founded."""
        for one in self._others(people):
            self._friends.remember(one.name, one.key, now_seconds())

    def _others(self, people: Iterable[Sitting | None]) -> list[Sitting]:
        return [one for one in people if one is not None and one.key != self._own]


def _lines(meeting: Meeting, who: Sitting) -> list[str]:
    name = shown(who.name, who.key)
    match meeting:
        case Known(friend):
            return [f"{name} is known to you: {_compared(friend)}"]
        case Renamed(friend, _):
            return [
                f"{name} is known to you under another name, {friend.name}: {_compared(friend)}",
            ]
        case Lookalike(_, _, friends):
            return [
                f"WARNING: {name} is not {_named(friends)}, whom you know: the names look alike",
                f"the words of {name}: {_words(who.key)}",
            ]
        case Changed(_, _, friends):
            return [
                f"!!! WARNING: {name} HAS ANOTHER KEY than {_named(friends)}, whom you know.",
                "!!! It is your friend on another machine, or somebody who wants to pass for it.",
                f"!!! Call your friend, and have these words read aloud: {_words(who.key)}",
            ]
        case _:
            return [f"{name} is new to you; to be sure who it is, compare: {_words(who.key)}"]


def _compared(friend: Friend) -> str:
    if friend.confirmed is None:
        return f"met on {day_of(friend.met)}, words not compared yet: {_words(friend.key)}"
    return f"words compared on {day_of(friend.confirmed)}"


def _named(friends: Sequence[Friend]) -> str:
    return joined([shown(one.name, one.key) for one in friends])


def _words(key: bytes) -> str:
    return " ".join(words_of(key))
