"""What has happened in a game of 6 nimmt!, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Event, Plain
from nodealer.kernel import Seat

Names = Mapping[Seat, str]


def sentence(happened: Event, names: Names) -> str:
    """Say what has happened."""
    return _SENTENCES[happened.kind](happened, names)


def _dealt(happened: Event, _: Names) -> str:
    starts = _joined(_texts(happened, "cards"))
    return f"Round {happened.get('round')} is dealt; the stacks begin with {starts}."


def _played(happened: Event, names: Names) -> str:
    pairs = zip(_names(happened, names), _texts(happened, "cards"), strict=True)
    return f"All cards are open: {_joined([f'{card} of {name}' for name, card in pairs])}."


def _placed(happened: Event, names: Names) -> str:
    card, stack = happened.get("card"), happened.get("stack")
    return f"The {card} of {_name(happened, names)} goes to stack {stack}."


def _taken(happened: Event, names: Names) -> str:
    cards, bulls = _texts(happened, "cards"), _number(happened.get("bulls"), "bull head")
    return (
        f"{_name(happened, names)} takes stack {happened.get('stack')},"
        f" {_joined(cards)} with {bulls}, and leaves the {happened.get('card')} there."
    )


def _below(happened: Event, names: Names) -> str:
    card, name = happened.get("card"), _name(happened, names)
    return f"The {card} of {name} is lower than all stacks: {name} has to take one of them."


def _dropped(happened: Event, names: Names) -> str:
    card, name = happened.get("card"), _name(happened, names)
    return f"The {card} of {name} is lower than all stacks, and is taken out of the game."


def _standings(happened: Event, names: Names) -> str:
    gone = happened.get("left")
    assert isinstance(gone, tuple)
    seats = happened.get("seats")
    assert isinstance(seats, tuple)
    told = [
        f"{name} {score}{' (has left)' if seat in gone else ''}"
        for seat, name, score in zip(
            seats, _names(happened, names), _texts(happened, "scores"), strict=True
        )
    ]
    return f"Bull heads after round {happened.get('round')}: {', '.join(told)}."


def _tied(happened: Event, names: Names) -> str:
    return f"{_joined(_names(happened, names))} have the fewest alike, so another round is played."


def _left(happened: Event, names: Names) -> str:
    gone = _names(happened, names)
    return f"{_joined(gone)} {'has' if len(gone) == 1 else 'have'} left the game."


def _voided(_: Event, __: Names) -> str:
    return "The round does not count and is dealt again."


def _won(happened: Event, names: Names) -> str:
    winners, bulls = _names(happened, names), _number(happened.get("score"), "bull head")
    if len(winners) == 1:
        return f"{winners[0]} wins with {bulls}."
    return f"{_joined(winners)} share the first place with {bulls} each."


_SENTENCES: Final[Mapping[str, Callable[[Event, Names], str]]] = MappingProxyType(
    {
        "below": _below,
        "dealt": _dealt,
        "dropped": _dropped,
        "left": _left,
        "placed": _placed,
        "played": _played,
        "standings": _standings,
        "taken": _taken,
        "tied": _tied,
        "voided": _voided,
        "won": _won,
    }
)


def _name(happened: Event, names: Names) -> str:
    seat = happened.get("seat")
    assert isinstance(seat, int)
    return names[Seat(seat)]


def _names(happened: Event, names: Names) -> list[str]:
    seats = happened.get("seats")
    assert isinstance(seats, tuple)
    return [names[Seat(seat)] for seat in seats if isinstance(seat, int)]


def _texts(happened: Event, field: str) -> list[str]:
    values = happened.get(field)
    assert isinstance(values, tuple)
    return [str(value) for value in values]


def _number(count: Plain, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _joined(words: Sequence[str]) -> str:
    return " and ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])
