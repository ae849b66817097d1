"""The cards that a deck is made of, by name.

A face is a short text such as `QH` or `potato`; what it means is the game's business. A
composition is the ordered list of the faces of one deck, duplicates included: the order is the
one in which the deck enters its first shuffle, so all peers must build it alike. Cards of equal
face are one and the same to the rules and to the cryptography.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nodealer.kernel import CARDS_MAX, FACE_NAME_BYTES_MAX, LocalError, Reason


@dataclass(frozen=True, slots=True)
class Composition:
    """The faces of a deck, in the order in which it enters the first shuffle."""

    faces: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse decks that are empty or too large, and names that cannot be framed or shown."""
        if not 0 < len(self.faces) <= CARDS_MAX:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"a deck of {len(self.faces)} cards")
        for name in self.distinct:
            if not name.isprintable() or not 0 < len(name.encode()) <= FACE_NAME_BYTES_MAX:
                raise LocalError(Reason.LOCAL_ARGUMENT, f"face name {name!r}")

    @classmethod
    def of(cls, copies: Mapping[str, int]) -> Composition:
        """Build a deck from the number of copies of each face."""
        if min(copies.values(), default=0) < 0:
            raise LocalError(Reason.LOCAL_ARGUMENT, "fewer than no copies of a face")
        return cls(tuple(name for name, count in copies.items() for _ in range(count)))

    @property
    def distinct(self) -> tuple[str, ...]:
        """Each face once, in order of first appearance."""
        return tuple(dict.fromkeys(self.faces))

    def without(self, removed: Iterable[str]) -> Composition:
        """Return the deck without these cards, one copy for each mention."""
        leaving = Counter(removed)
        kept = []
        for name in self.faces:
            if leaving[name] > 0:
                leaving[name] -= 1
            else:
                kept.append(name)
        missing = +leaving
        if missing:
            raise LocalError(Reason.DECK_FACE_UNKNOWN, ", ".join(sorted(missing)))
        return Composition(tuple(kept))
