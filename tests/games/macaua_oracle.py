"""A second opinion on what may be done in Macaua, written from the page of rules alone.

It shares nothing with the game: no code, no data, not even the order of its questions. It is slow
and plain. A position is given by faces, an action by its kind and what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

DECK = [
    f"{rank}{suit}"
    for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    for suit in "CDHS"
]
DECK += ["black-joker", "red-joker"]


@dataclass
class Position:
    """What the seat on turn has before it."""

    hand: list[str]
    top: str
    declared: str | None
    owed: int  # cards of a challenge
    misses_asked: int  # turns that 4s ask for
    drawable: int
    options: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Act:
    """Something that the seat could do."""

    kind: str
    faces: tuple[str, ...] = ()
    suit: str | None = None
    says_macaua: bool = False


def is_joker(face: str) -> bool:
    return "joker" in face


def number(face: str) -> str:
    return "joker" if is_joker(face) else face.rstrip("CDHS")


def colour(face: str) -> str:
    return "" if is_joker(face) else face[len(number(face)) :]


def goes_on(face: str, position: Position) -> bool:
    """Whether a card matches what lies there, be it a challenge or not."""
    if is_joker(face) or is_joker(position.top):
        return True
    if number(position.top) == "A":
        return position.declared is None or colour(face) == position.declared
    return colour(face) == colour(position.top) or number(face) == number(position.top)


def alone(face: str, position: Position) -> bool:
    """Whether a card could be played by itself."""
    if position.misses_asked:
        return number(face) == "4"
    if position.owed:
        if number(face) == "7":
            return position.options.get("seven_stops", False) and goes_on(face, position)
        if number(face) in ("2", "3", "joker"):
            return position.options.get("free_counter", False) or goes_on(face, position)
        return False
    return number(face) == "A" or goes_on(face, position)


def may(act: Act, position: Position) -> bool:  # noqa: PLR0911 - as the page: one reason each
    """Whether the rules allow it."""
    if act.kind != "play":
        if act.faces or act.suit or act.says_macaua:
            return False
        return {
            "draw": not position.owed and not position.misses_asked and position.drawable > 0,
            "pass": not position.owed and not position.misses_asked and position.drawable == 0,
            "take": position.owed > 0,
            "miss": position.misses_asked > 0,
        }[act.kind]
    rest = list(position.hand)
    for face in act.faces:
        if face not in rest:
            return False
        rest.remove(face)
    if not act.faces or len({number(face) for face in act.faces}) > 1:
        return False
    if not any(alone(face, position) for face in act.faces):
        return False
    if act.says_macaua and not (position.options.get("call") and len(rest) == 1):
        return False
    if number(act.faces[0]) == "A" and rest:
        return act.suit in ("C", "D", "H", "S")
    return act.suit is None


def everything(hand: Sequence[str]) -> list[Act]:
    """Return all that anybody could think of with such a hand, allowed or not."""
    acts = [Act(kind) for kind in ("draw", "take", "pass", "miss")]
    combinations = [
        faces
        for count in (1, 2, 3, 4)
        for faces in permutations(hand, count)
        if count < 3 or len({number(face) for face in faces}) == 1
    ]
    for faces in combinations:
        for suit in (None, "C", "D", "H", "S"):
            acts += [Act("play", faces, suit, says_macaua=says) for says in (False, True)]
    return acts
