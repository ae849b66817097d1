"""What has happened in a game of Macaua, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Event, Plain
from nodealer.games.macaua.cards import SUIT_NAMES, name_of
from nodealer.kernel import Seat

Names = Mapping[Seat, str]


def sentence(happened: Event, names: Names) -> str:
    """Say what has happened."""
    return _SENTENCES[happened.kind](happened, names)


def _dealt(happened: Event, names: Names) -> str:
    top = name_of(str(happened.get("top")))
    return f"The cards are dealt, the {top} lies on top. {_name(happened, names)} has the turn."


def _played(happened: Event, names: Names) -> str:
    cards = happened.get("cards")
    assert isinstance(cards, tuple)
    text = f"{_name(happened, names)} plays the {_joined([name_of(str(card)) for card in cards])}"
    suit = happened.get("suit")
    if isinstance(suit, str):
        text += f" and asks for {SUIT_NAMES[suit]}"
    if happened.get("stopped"):
        text += f", which stops the challenge of {_number(happened.get('stopped'), 'card')}"
    if happened.get("macaua"):
        text += ', saying "macaua"'
    return f"{text}."


def _drew(happened: Event, names: Names) -> str:
    name, count = _name(happened, names), _number(happened.get("count"), "card")
    if happened.get("why") == "call":
        return f'{name} has forgotten to say "macaua" and draws {count}.'
    if happened.get("why") == "challenge":
        return f"{name} takes the challenge and draws {count}."
    return f"{name} draws {count}."


def _challenged(happened: Event, names: Names) -> str:
    name, by = _name(happened, names), _name(happened, names, "by")
    if happened.get("cards"):
        return f"{by} challenges {name} to draw {_number(happened.get('cards'), 'card')}."
    return f"{by} makes {name} miss {_number(happened.get('turns'), 'turn')}."


def _skipped(happened: Event, names: Names) -> str:
    return f"{_name(happened, names)} will miss {_number(happened.get('turns'), 'turn')}."


def _missed(happened: Event, names: Names) -> str:
    return f"{_name(happened, names)} misses a turn."


def _lapsed(happened: Event, names: Names) -> str:
    return f"Nobody is there to answer {_name(happened, names)}."


def _passed(happened: Event, names: Names) -> str:
    return f"{_name(happened, names)} passes: there is nothing left to draw."


def _stuck(_: Event, __: Names) -> str:
    return "Everybody has passed, and the game ends."


def _reshuffled(happened: Event, _: Names) -> str:
    return f"{_number(happened.get('count'), 'discard')} went back into the stock, shuffled."


def _left(happened: Event, names: Names) -> str:
    gone = _names(happened, names)
    return f"{_joined(gone)} {'has' if len(gone) == 1 else 'have'} left the game."


def _redealt(_: Event, __: Names) -> str:
    return "All cards but the discards are shuffled and dealt again; every hand keeps its size."


def _voided(_: Event, __: Names) -> str:
    return "The game begins anew."


def _won(happened: Event, names: Names) -> str:
    winners = _names(happened, names)
    if len(winners) == 1:
        return f"{winners[0]} wins."
    cards = _number(happened.get("cards"), "card")
    return f"{_joined(winners)} share the first place with {cards} left each."


_SENTENCES: Final[Mapping[str, Callable[[Event, Names], str]]] = MappingProxyType(
    {
        "challenged": _challenged,
        "dealt": _dealt,
        "drew": _drew,
        "lapsed": _lapsed,
        "left": _left,
        "missed": _missed,
        "passed": _passed,
        "played": _played,
        "redealt": _redealt,
        "reshuffled": _reshuffled,
        "skipped": _skipped,
        "stuck": _stuck,
        "voided": _voided,
        "won": _won,
    }
)


def _name(happened: Event, names: Names, field: str = "seat") -> str:
    seat = happened.get(field)
    assert isinstance(seat, int)
    return names[Seat(seat)]


def _names(happened: Event, names: Names) -> list[str]:
    seats = happened.get("seats")
    assert isinstance(seats, tuple)
    return [names[Seat(seat)] for seat in seats if isinstance(seat, int)]


def _number(count: Plain, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _joined(words: Sequence[str]) -> str:
    return " and ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])
