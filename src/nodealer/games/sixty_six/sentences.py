"""The happenings of a game of 66, for people. Places in a hand are counted from 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.games.api import Event, Plain
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
from nodealer.games.sixty_six.state import FROM_DECK
from nodealer.kernel import Seat

_SOURCES: Final = {True: "a card from the deck", False: "the discarded card"}


def sentence(happened: Event, names: SeatNames) -> str:
    """Say what has happened."""
    return _SENTENCES[happened.kind](happened, names)


def _took(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} takes {_source(happened)}."


def _replaced(happened: Event, names: SeatNames) -> str:
    cards, face = _cards(happened.get("places")), happened.get("face")
    source = _source(happened)
    return f"{named_in(happened, names)} replaces {cards} by {source} and discards {face}."


def _claimed(happened: Event, names: SeatNames) -> str:
    cards = _cards(happened.get("places"))
    return f"{named_in(happened, names)} shows {cards} to all others, as alike."


def _compared(happened: Event, names: SeatNames) -> str:
    cards = _cards(happened.get("places"))
    verdict = "are alike" if happened.get("equal") else "are not all alike"
    return f"{cards.capitalize()} of {named_in(happened, names)} {verdict}."


def _peeked(happened: Event, names: SeatNames) -> str:
    name, card = named_in(happened, names), f"card {_number(happened.get('place'))}"
    if happened.get("owner") == happened.get("seat"):
        return f"{name} looks at {card} of the own hand."
    return f"{name} looks at {card} of {named_in(happened, names, 'owner')}."


def _exchanged(happened: Event, names: SeatNames) -> str:
    mine, theirs = _number(happened.get("place")), _number(happened.get("other_place"))
    other = named_in(happened, names, "other")
    return f"{named_in(happened, names)} exchanges card {mine} for card {theirs} of {other}."


def _round_finished(happened: Event, names: SeatNames) -> str:
    winners = all_named_in(happened, names)
    won = "wins" if len(winners) == 1 else "win"
    points = dict(_pairs(happened.get("points")))
    totals = dict(_pairs(happened.get("totals")))
    lines = [f"{names[seat]} {points[seat]} (in total {totals[seat]})" for seat in points]
    number = happened.get("round")
    return f"{joined(winners)} {won} round {number}. Points: {', '.join(lines)}."


def _won(happened: Event, names: SeatNames) -> str:
    winners, number = all_named_in(happened, names), counted(happened.get("points"), "point")
    if len(winners) == 1:
        return f"{winners[0]} wins the game with {number}."
    return f"{joined(winners)} share the first place with {number} each."


_SENTENCES: Final[Mapping[str, Sentence]] = {
    "begins": saying("{seat} will begin the next round."),
    "claimed": _claimed,
    "compared": _compared,
    "dealt": saying("Round {round} is dealt. {seat} begins."),
    "discarded": saying("{seat} discards {face}."),
    "exchanged": _exchanged,
    "exhausted": saying("The deck is empty, and the round ends."),
    "halved": saying("{seat} has come to exactly the limit, and keeps half of it."),
    "left": left_sentence,
    "peeked": _peeked,
    "replaced": _replaced,
    "round-finished": _round_finished,
    "stopped": saying("{seat} stops the round: all others have one more turn."),
    "stopped-in-vain": saying(
        "{seat} has stopped without the lowest hand alone, which costs 5 points."
    ),
    "took": _took,
    "voided": saying("Round {round} does not count and is dealt again."),
    "won": _won,
}


def _source(happened: Event) -> str:
    return _SOURCES[happened.get("source") == FROM_DECK]


def _cards(places: Plain) -> str:
    assert isinstance(places, tuple)
    numbers = [_number(place) for place in places]
    return f"card {numbers[0]}" if len(numbers) == 1 else f"cards {joined(numbers)}"


def _number(place: Plain) -> str:
    assert isinstance(place, int)
    return str(place + 1)


def _pairs(pairs: Plain) -> list[tuple[Seat, int]]:
    assert isinstance(pairs, tuple)
    return [
        (Seat(pair[0]), pair[1])
        for pair in pairs
        if isinstance(pair, tuple) and isinstance(pair[0], int) and isinstance(pair[1], int)
    ]
