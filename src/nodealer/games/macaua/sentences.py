"""The happenings of a game of Macaua, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.games.api import Event
from nodealer.games.macaua.cards import SUIT_NAMES, name_of
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


def _dealt(happened: Event, names: SeatNames) -> str:
    top = name_of(str(happened.get("top")))
    return f"The cards are dealt, the {top} lies on top. {named_in(happened, names)} has the turn."


def _played(happened: Event, names: SeatNames) -> str:
    cards = happened.get("cards")
    assert isinstance(cards, tuple)
    text = f"{named_in(happened, names)} plays the {joined([name_of(str(card)) for card in cards])}"
    suit = happened.get("suit")
    if isinstance(suit, str):
        text += f" and asks for {SUIT_NAMES[suit]}"
    if happened.get("stopped"):
        text += f", which stops the challenge of {counted(happened.get('stopped'), 'card')}"
    if happened.get("macaua"):
        text += ', saying "macaua"'
    return f"{text}."


def _drew(happened: Event, names: SeatNames) -> str:
    name, count = named_in(happened, names), counted(happened.get("count"), "card")
    if happened.get("why") == "call":
        return f'{name} has forgotten to say "macaua" and draws {count}.'
    if happened.get("why") == "challenge":
        return f"{name} takes the challenge and draws {count}."
    return f"{name} draws {count}."


def _challenged(happened: Event, names: SeatNames) -> str:
    name, by = named_in(happened, names), named_in(happened, names, "by")
    if happened.get("cards"):
        return f"{by} challenges {name} to draw {counted(happened.get('cards'), 'card')}."
    return f"{by} makes {name} miss {counted(happened.get('turns'), 'turn')}."


def _skipped(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} will miss {counted(happened.get('turns'), 'turn')}."


def _reshuffled(happened: Event, _: SeatNames) -> str:
    return f"{counted(happened.get('count'), 'discard')} went back into the stock, shuffled."


def _won(happened: Event, names: SeatNames) -> str:
    winners = all_named_in(happened, names)
    if len(winners) == 1:
        return f"{winners[0]} wins."
    cards = counted(happened.get("cards"), "card")
    return f"{joined(winners)} share the first place with {cards} left each."


_SENTENCES: Final[Mapping[str, Sentence]] = {
    "challenged": _challenged,
    "dealt": _dealt,
    "drew": _drew,
    "lapsed": saying("Nobody is there to answer {seat}."),
    "left": left_sentence,
    "missed": saying("{seat} misses a turn."),
    "passed": saying("{seat} passes: there is nothing left to draw."),
    "played": _played,
    "redealt": saying(
        "All cards but the discards are shuffled and dealt again; every hand keeps its size."
    ),
    "reshuffled": _reshuffled,
    "skipped": _skipped,
    "stuck": saying("Everybody has passed, and the game ends."),
    "voided": saying("The game begins anew."),
    "won": _won,
}
