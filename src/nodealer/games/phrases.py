"""Parts of the sentences that games say: who, how many, and one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from nodealer.games.api import Event, Plain, View
from nodealer.kernel import Seat

SeatNames: TypeAlias = Mapping[Seat, str]
"""The names of all seats of the set-up."""

Sentence: TypeAlias = Callable[[Event, SeatNames], str]
"""Says what has happened."""


def saying(text: str) -> Sentence:
    """Return what says a text in which fields of the event stand in braces; its seat by name."""

    def say(happened: Event, names: SeatNames) -> str:
        fields = dict(happened.fields)
        if "seat" in fields:
            fields["seat"] = named_in(happened, names)
        return text.format_map(fields)

    return say


def named_in(happened: Event, names: SeatNames, field: str = "seat") -> str:
    """Return the name of the seat that an event is about."""
    seat = happened.get(field)
    assert isinstance(seat, int), "a field for a seat has one"
    return names[Seat(seat)]


def all_named_in(happened: Event, names: SeatNames) -> list[str]:
    """Return the names of the seats that an event is about."""
    seats = happened.get("seats")
    assert isinstance(seats, tuple), "a field for seats has several"
    return [names[Seat(seat)] for seat in seats if isinstance(seat, int)]


def counted(count: Plain, noun: str) -> str:
    """Return a number with its noun, such as `1 card` or `2 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def numbered(view: View, fact: str, names: SeatNames) -> str:
    """Return the numbers that a fact has for seats, behind their names; who has left is marked."""
    told = (
        f"{names[seat]} {number}{'' if seat in view.seats else ' (has left)'}"
        for seat, number in view.by_seat(fact).items()
    )
    return ", ".join(told)


def joined(words: Sequence[str]) -> str:
    """Return words one after the other, an `and` before the last."""
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def left_sentence(happened: Event, names: SeatNames) -> str:
    """Say who has left a game."""
    gone = all_named_in(happened, names)
    return f"{joined(gone)} {'has' if len(gone) == 1 else 'have'} left the game."
