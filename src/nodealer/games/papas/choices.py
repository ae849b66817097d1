"""All that a seat may do, as a list: in its turn, and in the window in which others say no.

Of cards that are played, the list has each combination once, in the order in which they lie in the
hand. What may be said in the window follows from the hand alone; saying nothing is always among it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Action, Choice, SeenCard, Turn, View, action
from nodealer.games.papas.agreed import ENTERED
from nodealer.games.papas.cards import ACTION_CARDS, CARDS, TRIO_CARDS, trio_pays
from nodealer.games.papas.reactions import SKIP
from nodealer.kernel import Seat


def legal(view: View) -> tuple[Action, ...]:
    """Return all that the viewer may do now."""
    if view.owes_choice:
        return (*_interrupts(view), action(SKIP))
    if not view.has_turn:
        return ()
    assert isinstance(view.duty, Turn)
    return tuple(chosen for kind in view.duty.kinds for chosen in _LISTS[kind](view))


def playing_of(view: View) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
    """Return the faces of what was played and is not done yet, and at whom it is aimed."""
    faces, targets = view.facts["playing"], view.facts["targets"]
    assert isinstance(faces, tuple)
    assert isinstance(targets, tuple)
    return tuple(map(str, faces)), tuple(Seat(one) for one in targets if isinstance(one, int))


def own_cards(view: View) -> tuple[SeenCard, ...]:
    """Return the viewer's hand."""
    return view.zone("hand", view.viewer)


def _interrupts(view: View) -> Iterator[Action]:
    assert isinstance(view.duty, Choice), "the viewer is asked"
    for card in own_cards(view):
        if card.face is not None and card.face in view.duty.kinds:
            yield action(card.face, card=(card.slot,))


def _cards(view: View) -> Iterator[Action]:
    for card in own_cards(view):
        if card.face in ACTION_CARDS:
            yield action("play-card", card=(card.slot,))


def _trios(view: View) -> Iterator[Action]:
    for three in combinations(own_cards(view), TRIO_CARDS):
        if trio_pays([card.face or "" for card in three]):
            yield action("play-threesome", cards=tuple(card.slot for card in three))


def _end(_: View) -> Iterator[Action]:
    yield action("end-turn")


def _change(view: View) -> Iterator[Action]:
    held = own_cards(view)
    if len(held) == 1 and (view.facts["is_fresh"] or view.facts["one_card"] == ENTERED):
        yield action("discard-and-draw", card=(held[0].slot,))


def _targets(view: View) -> Iterator[Action]:
    (face,), _ = playing_of(view)
    count = CARDS[face].targets
    possible = [seat for seat in view.seats if count > 1 or seat != view.viewer]
    for seats in combinations(possible, count):
        yield action("select-targets", seats=seats)


def _positions(view: View) -> Iterator[Action]:
    _, (target,) = playing_of(view)
    for card in view.zone("hand", target):
        yield action("select-card", card=(card.slot,))


def _names(_: View) -> Iterator[Action]:
    for face in CARDS:
        yield action("select-card-name", name=face)


def _discards(view: View) -> Iterator[Action]:
    for card in own_cards(view):
        yield action("discard-card", card=(card.slot,))


_LISTS: Final[Mapping[str, Callable[[View], Iterator[Action]]]] = MappingProxyType(
    {
        "play-card": _cards,
        "play-threesome": _trios,
        "end-turn": _end,
        "discard-and-draw": _change,
        "select-targets": _targets,
        "select-card": _positions,
        "select-card-name": _names,
        "discard-card": _discards,
    }
)
