"""The happenings of a game of Papas, for people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Event
from nodealer.games.papas.cards import name_of
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


def _played(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} plays {_cards(happened)}."


def _aimed(happened: Event, names: SeatNames) -> str:
    name, targets = named_in(happened, names), joined(all_named_in(happened, names))
    return f"{name} aims {_card(happened)} at {targets}."


def _interrupted(happened: Event, names: SeatNames) -> str:
    said = [
        f"{name} says {card}"
        for name, card in zip(all_named_in(happened, names), _names_of_cards(happened), strict=True)
    ]
    first, *others = said
    if not others:
        return f"{first}."
    return f"{first}, and that counts; {joined(others)} in vain."


def _cancelled(happened: Event, names: SeatNames) -> str:
    return f"{_cards(happened)} of {named_in(happened, names)} is cancelled."


def _paid(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} gets {_golden(happened)} for the trio."


def _carried_out(happened: Event, names: SeatNames) -> str:
    return f"{_card(happened)} of {named_in(happened, names)} is done."


def _turned(happened: Event, names: SeatNames) -> str:
    way = "forwards" if happened.get("direction") == 1 else "backwards"
    return f"{named_in(happened, names)} turns the direction: it goes {way} now."


def _restacked(happened: Event, names: SeatNames) -> str:
    whose = joined(all_named_in(happened, names))
    return f"{whose} shuffle their hands." if _several(happened) else f"{whose} shuffles the hand."


def _looked(happened: Event, names: SeatNames) -> str:
    name, target = named_in(happened, names), named_in(happened, names, "target")
    return f"{name} looks into the hand of {target}."


def _selected(happened: Event, names: SeatNames) -> str:
    name, target = named_in(happened, names), named_in(happened, names, "target")
    position = happened.get("position")
    assert isinstance(position, int), "a position is a number from 0; people count from 1"
    return f"{name} takes the card of {target} at position {position + 1}."


def _named(happened: Event, names: SeatNames) -> str:
    name, target = named_in(happened, names), named_in(happened, names, "target")
    return f"{name} asks {target} for {_card(happened)}."


def _claimed(happened: Event, names: SeatNames) -> str:
    has = "has" if happened.get("slots") else "proves to have no"
    return f"{named_in(happened, names)} {has} {_card(happened)}."


def _given(happened: Event, names: SeatNames) -> str:
    giver = named_in(happened, names, "giver")
    return f"{named_in(happened, names)} gets the card of {giver}."


def _exchanged(happened: Event, names: SeatNames) -> str:
    hands = joined(all_named_in(happened, names))
    return f"By the play of {named_in(happened, names)}, {hands} exchange their hands."


def _ran_away(happened: Event, names: SeatNames) -> str:
    whose = joined(all_named_in(happened, names))
    return f"A card of {whose}{' each' if _several(happened) else ''} runs away."


def _mixed(happened: Event, _: SeatNames) -> str:
    return f"The stock, {counted(happened.get('count'), 'card')} now, is shuffled."


def _hand_discarded(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} discards the whole hand: {_cards(happened)}."


def _nothing(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} has no cards, so nothing is taken."


def _robbed(happened: Event, names: SeatNames) -> str:
    name, target = named_in(happened, names), named_in(happened, names, "target")
    if happened.get("golden"):
        return f"{name} takes a golden potato from {target}."
    return f"{target} has no golden potato that {name} could take."


def _destroyed(happened: Event, names: SeatNames) -> str:
    name, target = named_in(happened, names), named_in(happened, names, "target")
    if happened.get("golden"):
        return f"{name} destroys a golden potato of {target}."
    return f"{target} has no golden potato that {name} could destroy."


def _gained(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} gets {_golden(happened)}."


def _drew(happened: Event, names: SeatNames) -> str:
    slots = happened.get("slots")
    assert isinstance(slots, tuple), "cards are drawn"
    return f"{named_in(happened, names)} draws {counted(len(slots), 'card')}."


def _reshuffled(happened: Event, _: SeatNames) -> str:
    return f"{counted(happened.get('count'), 'discard')} went back into the stock, shuffled."


def _changed(happened: Event, names: SeatNames) -> str:
    name = named_in(happened, names)
    return f"{name} discards the last card, {_card(happened)}, for new ones."


def _surplus(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} has {counted(happened.get('count'), 'card')} too many."


def _discarded(happened: Event, names: SeatNames) -> str:
    return f"{named_in(happened, names)} discards {_card(happened)}."


def _won(happened: Event, names: SeatNames) -> str:
    winners = all_named_in(happened, names)
    if len(winners) == 1:
        return f"{winners[0]} wins with {_golden(happened)}."
    return f"{joined(winners)} share the first place with {_golden(happened)} each."


def _golden(happened: Event) -> str:
    count = happened.get("golden")
    return f"{count} golden {'potato' if count == 1 else 'potatoes'}"


def _card(happened: Event) -> str:
    return name_of(str(happened.get("card")))


def _cards(happened: Event) -> str:
    return joined(_names_of_cards(happened))


def _names_of_cards(happened: Event) -> list[str]:
    cards = happened.get("cards")
    assert isinstance(cards, tuple), "cards are named"
    return [name_of(str(card)) for card in cards]


def _several(happened: Event) -> bool:
    seats = happened.get("seats")
    return isinstance(seats, tuple) and len(seats) > 1


_SENTENCES: Final[Mapping[str, Sentence]] = MappingProxyType(
    {
        "aimed": _aimed,
        "cancelled": _cancelled,
        "carried-out": _carried_out,
        "changed": _changed,
        "claimed": _claimed,
        "dealt": saying("The cards are dealt. {seat} has the turn."),
        "destroyed": _destroyed,
        "discarded": _discarded,
        "drew": _drew,
        "empty": saying("{seat} has no cards left: the turn ends with new ones."),
        "exchanged": _exchanged,
        "gained": _gained,
        "given": _given,
        "hand-discarded": _hand_discarded,
        "interrupted": _interrupted,
        "left": left_sentence,
        "looked": _looked,
        "marked": saying("{seat} will be skipped."),
        "mixed": _mixed,
        "named": _named,
        "nothing": _nothing,
        "paid": _paid,
        "played": _played,
        "ran-away": _ran_away,
        "redealt": saying(
            "All cards but the discards are shuffled and dealt again; every hand keeps its size."
        ),
        "reshuffled": _reshuffled,
        "restacked": _restacked,
        "robbed": _robbed,
        "selected": _selected,
        "skipped": saying("{seat} is skipped."),
        "surplus": _surplus,
        "turn": saying("Turn {number} is that of {seat}."),
        "turned": _turned,
        "voided": saying("The game begins anew."),
        "won": _won,
    }
)
