"""Requests of a client of 66, read as actions of its player.

A request names cards by who holds them and at which place; an action names slots. Which fields a
request has, and which of them name which cards of the action, is a table; what the player may do
now is the game's own list, and nothing else is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from nodealer.games.api import Action, Plain, Turn, View, action
from nodealer.kernel import Seat, SlotId
from nodealer.seat.saying import (
    Fault,
    Refused,
    Said,
    number_in,
    numbers_in,
    require_fields,
    unknown,
)

Cards: TypeAlias = Callable[[View, Said], Plain]
"""Reads the cards that a request names."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message of a client: the kinds of action that it can mean, its fields, its cards."""

    kinds: tuple[str, ...]
    fields: tuple[str, ...] = ()
    cards: tuple[tuple[str, Cards], ...] = ()


def own(view: View, said: Said) -> Plain:
    """Return the card of the player's own hand that a request names."""
    assert view.viewer is not None, "a client has a seat"
    return (_card(view, view.viewer, number_in(said, "cardIndex")),)


def own_cards(view: View, said: Said) -> Plain:
    """Return the cards of the player's own hand that a request names, in their order."""
    assert view.viewer is not None, "a client has a seat"
    places = numbers_in(said, "cardIndexes")
    return tuple(_card(view, view.viewer, place) for place in places)


def anothers(player: str, place: str) -> Cards:
    """Return what reads a card of somebody else's hand from these fields."""

    def of(view: View, said: Said) -> Plain:
        seat = number_in(said, player)
        if seat not in view.seats or seat == view.viewer:
            raise Refused(Fault.NOT_ALLOWED, f"{player} names another player of the game")
        return (_card(view, Seat(seat), number_in(said, place)),)

    return of


def held(view: View, said: Said) -> Plain:  # noqa: ARG001 - every one
    """Return the card that the player has taken from the deck."""
    return tuple(card.slot for card in view.zone("taken", view.viewer))


def read_request(
    requests: Mapping[str, Request], said: Said, view: View, legal: Sequence[Action]
) -> Action:
    """Return the action that a request means, or raise `Refused`."""
    request = requests.get(said.name)
    if request is None:
        raise unknown(said)
    require_fields(said, request.fields)
    due = view.duty.kinds if isinstance(view.duty, Turn) and view.has_turn else ()
    kind = next((kind for kind in request.kinds if kind in due), None)
    if kind is None:
        raise Refused(Fault.NOT_NOW, f"{said.name} is not what is waited for")
    chosen = action(kind, **{name: cards(view, said) for name, cards in request.cards})
    if chosen not in legal:
        raise Refused(Fault.NOT_ALLOWED, f"the rules do not allow {said.name} now")
    return chosen


def allowed(requests: Mapping[str, Request], legal: Sequence[Action]) -> list[str]:
    """Return the names of the requests that would be taken now, each once, in their order."""
    kinds = {chosen.kind for chosen in legal}
    found: dict[tuple[str, ...], str] = {}
    for name, request in requests.items():
        if kinds.intersection(request.kinds):
            found.setdefault(request.kinds, name)
    return list(found.values())


def _card(view: View, seat: Seat, place: int) -> SlotId:
    lying = view.zone("hand", seat)
    if not 0 <= place < len(lying):
        raise Refused(Fault.NOT_ALLOWED, f"player {seat} has no card {place}")
    return lying[place].slot
