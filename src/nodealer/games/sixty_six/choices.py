"""All that a seat may do in its turn, as a list, from what it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Final

from nodealer.games.api import Action, Turn, View, action
from nodealer.games.sixty_six.cards import POWERS, Power
from nodealer.kernel import SlotId


def legal(view: View) -> tuple[Action, ...]:
    """Return all that the viewer may do now."""
    if not view.has_turn:
        return ()
    assert isinstance(view.duty, Turn)
    return tuple(chosen for kind in view.duty.kinds for chosen in _CHOICES[kind](view, kind))


def own_cards(view: View) -> tuple[SlotId, ...]:
    """Return the hand of the viewer."""
    return tuple(card.slot for card in view.zone("hand", view.viewer))


def others_cards(view: View) -> tuple[SlotId, ...]:
    """Return the hands of all others, one after the other."""
    return tuple(
        card.slot for seat in view.seats if seat != view.viewer for card in view.zone("hand", seat)
    )


def discarded(view: View) -> str | None:
    """Return the discarded card, if there is one."""
    cards = view.zone("discard")
    return cards[-1].face if cards else None


def _simply(view: View, kind: str) -> Iterator[Action]:  # noqa: ARG001 - every choice
    yield action(kind)


def _if_discarded(view: View, kind: str) -> Iterator[Action]:
    if discarded(view) is not None:
        yield action(kind)


def _stop(view: View, kind: str) -> Iterator[Action]:
    if view.facts["stopper"] is None:
        yield action(kind)


def _own(view: View, kind: str) -> Iterator[Action]:
    return (action(kind, card=(slot,)) for slot in own_cards(view))


def _own_by_discarded(view: View, kind: str) -> Iterator[Action]:
    if discarded(view) is not None:
        yield from _own(view, kind)


def _anothers(view: View, kind: str) -> Iterator[Action]:
    return (action(kind, card=(slot,)) for slot in others_cards(view))


def _claims(view: View, kind: str) -> Iterator[Action]:
    hand = own_cards(view)
    for count in range(2, len(hand) + 1):
        yield from (action(kind, cards=slots) for slots in combinations(hand, count))


def _taken(view: View, kind: str) -> Iterator[Action]:
    (card,) = view.zone("taken", view.viewer)
    yield action(kind, card=(card.slot,))


def _peek_own(view: View, kind: str) -> Iterator[Action]:
    if _power(view) is Power.PEEK_OWN:
        yield from _own(view, kind)


def _peek_anothers(view: View, kind: str) -> Iterator[Action]:
    if _power(view) is Power.PEEK_ANOTHERS:
        yield from _anothers(view, kind)


def _exchanges(view: View, kind: str) -> Iterator[Action]:
    if _power(view) is Power.EXCHANGE:
        for mine in own_cards(view):
            for other in others_cards(view):
                yield action(kind, card=(mine,), other=(other,))


def _power(view: View) -> Power | None:
    return POWERS.get(discarded(view) or "")


_CHOICES: Final[Mapping[str, Callable[[View, str], Iterator[Action]]]] = {
    "start-game": _simply,
    "start-next-round": _simply,
    "take-card-from-deck": _simply,
    "take-discarded-card": _if_discarded,
    "replace-card-by-discarded": _own_by_discarded,
    "replace-card-from-deck": _own,
    "replace-cards-from-deck": _simply,
    "replace-cards-by-discarded": _if_discarded,
    "pick-own-card": _own,
    "pick-anothers-card": _anothers,
    "show-cards": _claims,
    "discard": _taken,
    "stop-round": _stop,
    "peek-own-card": _peek_own,
    "peek-anothers-card": _peek_anothers,
    "exchange-cards": _exchanges,
}
"""The actions of each kind."""
