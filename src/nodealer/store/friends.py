"""The players that somebody knows: keys with names, and what to make of a name that shows up.

A friend is a key. Names are what friends call themselves, and prove nothing, so whoever shows up is
looked up by key first. The answer is a value; what is dangerous among the answers is a type of its
own, which whoever asks cannot overlook:

    Known        the key and its name
    Renamed      the key, under another name than before
    Stranger     neither key nor name
    Lookalike    another key, under a name that people take for that of a friend
    Changed      another key, under the very name of a friend: to be shouted

Nothing is remembered by looking. A friend of whom one has heard the words is *confirmed*.

Names are alike as at a table (`table.names`). Beyond that, letters of other alphabets that look
like Latin ones, digits that look like letters, and accents make a lookalike: a warning, no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias
from unicodedata import category, normalize

from nodealer.crypto import VerifyKey
from nodealer.store import database
from nodealer.store.database import transaction
from nodealer.store.layouts import FRIENDS
from nodealer.store.locks import Lock
from nodealer.store.trouble import told_of
from nodealer.table import folded, require_names


@dataclass(frozen=True, slots=True)
class Friend:
    """A key that is known, and the name that it had last."""

    key: bytes
    name: str
    met: int
    """When it was first remembered, in seconds since 1970; so are the others."""
    seen: int
    confirmed: int | None = None
    """When its words were compared."""


@dataclass(frozen=True, slots=True)
class Known:
    """A friend under the name that is remembered."""

    friend: Friend


@dataclass(frozen=True, slots=True)
class Renamed:
    """A friend who calls itself otherwise than before."""

    friend: Friend


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody of whom nothing is known."""


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A key that is not that of these friends, under a name that looks like theirs."""

    friends: tuple[Friend, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A key that is not that of these friends, under their name."""

    friends: tuple[Friend, ...]


Meeting: TypeAlias = Known | Renamed | Stranger | Lookalike | Changed

_LATIN_OF: Final = str.maketrans(
    "авекмнорстухѕіјһԁԛԝпгь" + "αβεζηικμνορτυχω" + "01358i",
    "abekmhopctyxsljhdqwnrb" + "abezhlkmvoptyxw" + "olesbl",
)
"""Small letters and digits that are taken for Latin ones: Cyrillic, Greek, and I for l."""


class Friends:
    """The book of a profile. Several processes may have it open."""

    __slots__ = ("_connection", "_path")

    def __init__(self, path: Path) -> None:
        """Open the book, or make it."""
        self._path = path
        if not path.exists():
            lock = Lock(path.with_name(f".{path.name}.lock"))
            try:
                if not path.exists():  # somebody else may have made it meanwhile
                    with database.beside(path, FRIENDS):
                        pass
            finally:
                lock.release()
        self._connection = database.opened(path, FRIENDS)

    def __repr__(self) -> str:
        return f"<friends in {self._path}>"

    def __iter__(self) -> Iterator[Friend]:
        """Yield all friends by name."""
        return iter(self._select("ORDER BY alike, name, key"))

    def meet(self, name: str, key: bytes) -> Meeting:
        """Return who this is, as far as it is known; nothing is remembered."""
        require_names([name])
        same = self._select("WHERE key = ?", key)
        if same and same[0].name == name:
            return Known(same[0])
        close = [one for one in self._select("WHERE alike = ?", alike(name)) if one.key != key]
        named = tuple(one for one in close if folded(one.name) == folded(name))
        if named:
            return Changed(named)
        if same:
            return Renamed(same[0])
        return Lookalike(tuple(close)) if close else Stranger()

    def remember(self, name: str, key: bytes, now: int) -> None:
        """Remember a key under the name that it has now."""
        require_names([name])
        VerifyKey(key)
        with told_of(self._path), transaction(self._connection):
            self._connection.execute(
                "INSERT INTO friends VALUES (?, ?, ?, ?, ?, NULL) ON CONFLICT (key) DO UPDATE"
                " SET name = excluded.name, alike = excluded.alike, seen = excluded.seen",
                (key, name, alike(name), now, now),
            )

    def confirm(self, key: bytes, now: int) -> None:
        """Remember that the words of a key were compared."""
        with told_of(self._path), transaction(self._connection):
            self._connection.execute("UPDATE friends SET confirmed = ? WHERE key = ?", (now, key))

    def forget(self, key: bytes) -> None:
        """Forget a key."""
        with told_of(self._path), transaction(self._connection):
            self._connection.execute("DELETE FROM friends WHERE key = ?", (key,))

    def restore(self, friend: Friend) -> None:
        """Take over what another book knew of a friend, unless this one knows it already."""
        fields = (friend.key, friend.name, alike(friend.name), friend.met, friend.seen)
        with told_of(self._path), transaction(self._connection):
            query = "INSERT OR IGNORE INTO friends VALUES (?, ?, ?, ?, ?, ?)"
            self._connection.execute(query, (*fields, friend.confirmed))

    def close(self) -> None:
        """Close the book."""
        self._connection.close()

    def _select(self, rest: str, *values: str | bytes) -> list[Friend]:
        query = f"SELECT key, name, met, seen, confirmed FROM friends {rest}"  # noqa: S608 - ours
        with told_of(self._path):
            return [Friend(*row) for row in self._connection.execute(query, values)]


def alike(name: str) -> str:
    """Return what is left of a name for somebody who only glances at it."""
    apart = normalize("NFKD", folded(name))
    kept = "".join(letter for letter in apart if category(letter)[0] in "LN")
    return kept.translate(_LATIN_OF) or folded(name)
