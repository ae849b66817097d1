"""The happenings of a game of 6 nimmt!, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.games.api import Event
from nodealer.games.phrases import (
    SeatNames,
    Sentence,
    all_named_in,
    counted,
    joined,
    left_sentence,
    named_in,
    saying,
)


def sentence(happened: Event, names: SeatNames) -> str:
    """Say what has happened."""
    return _SENTENCES[happened.kind](happened, names)


def _dealt(happened: Event, _: SeatNames) -> str:
    starts = joined(_texts(happened, "cards"))
    return f"Round {happened.get('round')} is dealt; the stacks begin with {starts}."


def _played(happened: Event, names: SeatNames) -> str:
    pairs = zip(all_named_in(happened, names), _texts(happened, "cards"), strict=True)
    return f"All cards are open: {joined([f'{card} of {name}' for name, card in pairs])}."


def _taken(happened: Event, names: SeatNames) -> str:
    cards, bulls = _texts(happened, "cards"), counted(happened.get("bulls"), "bull head")
    return (
        f"{named_in(happened, names)} takes stack {happened.get('stack')},"
        f" {joined(cards)} with {bulls}, and leaves the {happened.get('card')} there."
    )


def _standings(happened: Event, names: SeatNames) -> str:
    gone = happened.get("left")
    assert isinstance(gone, tuple)
    seats = happened.get("seats")
    assert isinstance(seats, tuple)
    told = [
        f"{name} {score}{' (has left)' if seat in gone else ''}"
        for seat, name, score in zip(
            seats, all_named_in(happened, names), _texts(happened, "scores"), strict=True
        )
    ]
    return f"Bull heads after round {happened.get('round')}: {', '.join(told)}."


def _tied(happened: Event, names: SeatNames) -> str:
    tied = joined(all_named_in(happened, names))
    return f"{tied} have the fewest alike, so another round is played."


def _won(happened: Event, names: SeatNames) -> str:
    winners, bulls = all_named_in(happened, names), counted(happened.get("score"), "bull head")
    if len(winners) == 1:
        return f"{winners[0]} wins with {bulls}."
    return f"{joined(winners)} share the first place with {bulls} each."


_SENTENCES: Final[Mapping[str, Sentence]] = {
    "below": saying(
        "The {card} of {seat} is lower than all stacks: {seat} has to take one of them."
    ),
    "dealt": _dealt,
    "dropped": saying(
        "The {card} of {seat} is lower than all stacks, and is taken out of the game."
    ),
    "left": left_sentence,
    "placed": saying("The {card} of {seat} goes to stack {stack}."),
    "played": _played,
    "standings": _standings,
    "taken": _taken,
    "tied": _tied,
    "voided": saying("The round does not count and is dealt again."),
    "won": _won,
}


def _texts(happened: Event, field: str) -> list[str]:
    values = happened.get(field)
    assert isinstance(values, tuple)
    return [str(value) for value in values]
