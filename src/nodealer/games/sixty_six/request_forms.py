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
from nodealer.games.seeds import ClientRefused, ClientRequest, Fault, require_fields, unknown
from nodealer.kernel import Seat, SlotId

ReadsCards: TypeAlias = Callable[[View, ClientRequest], Plain]
"""Reads the cards that a request names."""


@dataclass(frozen=True, slots=True)
class RequestForm:
    """A message of a client: the kinds of action that it can mean, its fields, its cards."""

    kinds: tuple[str, ...]
    fields: tuple[str, ...] = ()
    cards: tuple[tuple[str, ReadsCards], ...] = ()


def own(view: View, request: ClientRequest) -> Plain:
    """Return the card of the player's own hand that a request names."""
    assert view.viewer is not None, "a client has a seat"
    return (_card(view, view.viewer, _number_in(request, "cardIndex")),)


def own_cards(view: View, request: ClientRequest) -> Plain:
    """Return the cards of the player's own hand that a request names, in their order."""
    assert view.viewer is not None, "a client has a seat"
    places = _numbers_in(request, "cardIndexes")
    return tuple(_card(view, view.viewer, place) for place in places)


def anothers(player: str, place: str) -> ReadsCards:
    """Return what reads a card of somebody else's hand from these fields."""

    def of(view: View, request: ClientRequest) -> Plain:
        seat = _number_in(request, player)
        if seat not in view.seats or seat == view.viewer:
            raise ClientRefused(Fault.NOT_ALLOWED, f"{player} names another player of the game")
        return (_card(view, Seat(seat), _number_in(request, place)),)

    return of


def held(view: View, request: ClientRequest) -> Plain:  # noqa: ARG001 - every one
    """Return the card that the player has taken from the deck."""
    return tuple(card.slot for card in view.zone("taken", view.viewer))


def read_request(
    forms: Mapping[str, RequestForm], request: ClientRequest, view: View, legal: Sequence[Action]
) -> Action:
    """Return the action that a request means, or raise `ClientRefused`."""
    form = forms.get(request.name)
    if form is None:
        raise unknown(request)
    require_fields(request, form.fields)
    due = view.duty.kinds if isinstance(view.duty, Turn) and view.has_turn else ()
    kind = next((kind for kind in form.kinds if kind in due), None)
    if kind is None:
        raise ClientRefused(Fault.NOT_NOW, f"{request.name} is not what is waited for")
    chosen = action(kind, **{name: cards(view, request) for name, cards in form.cards})
    if chosen not in legal:
        raise ClientRefused(Fault.NOT_ALLOWED, f"the rules do not allow {request.name} now")
    return chosen


def allowed(forms: Mapping[str, RequestForm], legal: Sequence[Action]) -> list[str]:
    """Return the names of the requests that would be taken now, each once, in their order."""
    kinds = {chosen.kind for chosen in legal}
    found: dict[tuple[str, ...], str] = {}
    for name, form in forms.items():
        if kinds.intersection(form.kinds):
            found.setdefault(form.kinds, name)
    return list(found.values())


def _number_in(request: ClientRequest, name: str) -> int:
    """Return the number in a field; true and 1.0 are none."""
    value = request.fields[name]
    if type(value) is not int:
        raise ClientRefused(Fault.WRONG_FIELDS, f"{name} is a whole number")
    return value


def _numbers_in(request: ClientRequest, name: str) -> tuple[int, ...]:
    """Return the numbers of a list in a field, no two of them equal, ascending."""
    value = request.fields[name]
    if not isinstance(value, list):
        raise ClientRefused(Fault.WRONG_FIELDS, f"{name} is a list of whole numbers")
    found = tuple(item for item in value if type(item) is int)
    if len(found) != len(value) or len(set(found)) != len(found):
        raise ClientRefused(Fault.WRONG_FIELDS, f"{name} is a list of different whole numbers")
    return tuple(sorted(found))


def _card(view: View, seat: Seat, place: int) -> SlotId:
    lying = view.zone("hand", seat)
    if not 0 <= place < len(lying):
        raise ClientRefused(Fault.NOT_ALLOWED, f"player {seat} has no card {place}")
    return lying[place].slot
