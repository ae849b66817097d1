"""The milestones of games of Papas, and which events tell of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from nodealer.games.api import Event, Milestone, Plain
from nodealer.games.papas.cards import (
    ACTION_CARDS,
    DUCHESSES,
    FRIES,
    INTERRUPTS,
    POTATO,
    WILDCARD,
    name_of,
)
from nodealer.games.papas.resolving import STEALS

When = Callable[[Event], bool]

KINDS_OF_TRIO: Final[Mapping[str, Callable[[set[str]], bool]]] = {
    "potatoes": lambda faces: faces - {WILDCARD} == {POTATO},
    "duchesses potatoes": lambda faces: faces - {WILDCARD} == {DUCHESSES},
    "french fries": lambda faces: faces - {WILDCARD} == {FRIES},
    "wildcards": lambda faces: faces == {WILDCARD},
    "cards of value 3": lambda faces: faces <= set(ACTION_CARDS),
}


def _is(name: str, *values: Plain) -> When:
    return lambda happened: happened.get(name) in values


def _has(name: str) -> When:
    return lambda happened: bool(happened.get(name))


def _cards(happened: Event) -> tuple[str, ...]:
    cards = happened.get("cards")
    assert isinstance(cards, tuple), "cards are named"
    return tuple(map(str, cards))


def _alone(face: str) -> When:
    return lambda happened: _cards(happened) == (face,)


def _counts(face: str) -> When:
    return lambda happened: _cards(happened)[0] == face


def _pays(fits: Callable[[set[str]], bool]) -> When:
    return lambda happened: fits(set(_cards(happened)))


def _of_several(happened: Event) -> bool:
    return len(_cards(happened)) > 1


def _seen_before(happened: Event) -> bool:
    return bool(happened.get("seen")) and happened.get("card") in STEALS


def _among(happened: Event) -> bool:
    seats = happened.get("seats")
    return isinstance(seats, tuple) and happened.get("seat") in seats


def _among_others(happened: Event) -> bool:
    return not _among(happened)


def _nothing_to_give(happened: Event) -> bool:
    return not happened.get("slots")


MILESTONES: Final = (
    *(
        Milestone(f"{name_of(face)} carried out", "carried-out", _is("card", face))
        for face in ACTION_CARDS
    ),
    *(Milestone(f"{name_of(face)} cancelled", "cancelled", _alone(face)) for face in ACTION_CARDS),
    *(Milestone(f"{name_of(face)} said", "interrupted", _counts(face)) for face in INTERRUPTS),
    Milestone("two interrupts at once", "interrupted", _of_several, least_seats=3),
    *(
        Milestone(f"trio of {name} paid", "paid", _pays(fits), is_rare=name == "wildcards")
        for name, fits in KINDS_OF_TRIO.items()
    ),
    Milestone("trio cancelled", "cancelled", _of_several),
    Milestone("claim given", "claimed", _has("slots")),
    Milestone("claim denied", "claimed", _nothing_to_give),
    Milestone("steal from a hand seen before", "restacked", _seen_before),
    Milestone("hand exchanged for another", "exchanged", _among),
    Milestone("hands of others exchanged", "exchanged", _among_others, least_seats=3),
    Milestone("empty hand drawn up", "empty"),
    Milestone("last card changed", "changed"),
    Milestone("several cards discarded", "discarded", _has("owed")),
    Milestone("discards reshuffled", "reshuffled"),
    Milestone("direction turned back", "turned", _is("direction", 1)),
    Milestone("turn skipped", "skipped"),
    Milestone("threshold reached", "won", _is("why", "threshold")),
    Milestone("turns over", "won", _is("why", "turns"), is_rare=True),
    Milestone("left alone", "won", _is("why", "alone"), is_rare=True),
    Milestone("seat left", "left", is_after_leaving=True),
)
"""Turns are over only where the option says so; there are three wildcards among 103 cards."""
