"""The people of a lobby, as far as this player knows them.

Everybody who turns up is looked up among the friends. Whoever goes by the name of a friend and has
another key stands in the way of the game until the player has compared the words, or has said
beforehand that it is known.

Nobody is remembered by being looked at. Whoever was confirmed is remembered at once, and the others
when a table is founded with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nodealer.home.clock import day_of, now_seconds
from nodealer.home.hindrances import NobodyError
from nodealer.lobby import Attendee, taken_by
from nodealer.store import Changed, Friend, Friends, Known, Lookalike, Meeting, Renamed, shown
from nodealer.verify import joined


class Company:
    """The people in a lobby beside the player, and what is known of them."""

    def __init__(self, friends: Friends, own: bytes, *, takes_new_keys: bool = False) -> None:
        """Look people up in a book of friends; `own` is the key of the player."""
        self.own = own
        self._friends = friends
        self._takes_new_keys = takes_new_keys
        self._confirmed: set[bytes] = set()

    def friends(self) -> tuple[Friend, ...]:
        """Return everybody whom the player knows."""
        return tuple(self._friends)

    def meet(self, one: Attendee) -> Meeting:
        """Return what is known of somebody."""
        return self._friends.meet(one.name, one.key)

    def others(self, people: Iterable[Attendee | None]) -> list[Attendee]:
        """Return everybody among these but the player."""
        return [one for one in people if one is not None and one.key != self.own]

    def suspects(self, people: Iterable[Attendee | None]) -> list[Attendee]:
        """Return who goes by the name of a friend, has another key, and is not confirmed."""
        if self._takes_new_keys:
            return []
        return [
            one
            for one in self.others(people)
            if one.key not in self._confirmed and isinstance(self.meet(one), Changed)
        ]

    def confirm(self, people: Iterable[Attendee | None], name: str) -> Attendee:
        """Remember that the player has compared the words of somebody, who is returned."""
        who = taken_by(name, self.others(people))
        if who is None:
            raise NobodyError(name)
        now = now_seconds()
        self._friends.remember(who.name, who.key, now)
        self._friends.confirm(who.key, now)
        self._confirmed.add(who.key)
        return who

    def remember(self, people: Iterable[Attendee | None]) -> None:
        """Remember everybody with whom a table was founded, suspects left out.

        Who plays has confirmed them before; who watches is not asked.
        """
        others = self.others(people)
        suspects = self.suspects(others)
        for one in others:
            if one not in suspects:
                self._friends.remember(one.name, one.key, now_seconds())


def standing_in(company: Company, one: Attendee) -> str:
    """Return in a few words who somebody is to the player."""
    if one.key == company.own:
        return "you"
    match company.meet(one):
        case Known(_):
            return "known to you"
        case Renamed(friend):
            return f"known to you as {friend.name}"
        case Lookalike(friends):
            return f"new to you, and NOT {named(friends)}"
        case Changed(friends):
            return f"ANOTHER KEY than {named(friends)}"
        case _:
            return "new to you"


def known_since(friend: Friend) -> str:
    """Return when somebody was met, and whether the words were compared."""
    if friend.confirmed is None:
        return f"met on {day_of(friend.met)}, words not compared yet"
    return f"words compared on {day_of(friend.confirmed)}"


def named(friends: Sequence[Friend]) -> str:
    """Return what friends are called."""
    return joined([shown(one.name, one.key) for one in friends])
