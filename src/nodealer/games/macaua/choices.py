"""All that a seat may do in its turn, as a list.

Several cards of one rank can be played in every order: whoever plays picks the cards one by one,
and the last one is the new top card. The list has each order; a hand with all four aces has a few
hundred actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from nodealer.games.api import Action, Turn, View, action
from nodealer.games.macaua.cards import SUITS, rank_of
from nodealer.games.macaua.legality import ACE, Burden, Settings, Situation
from nodealer.kernel import SlotId

Card = tuple[SlotId, str]


def legal(view: View) -> tuple[Action, ...]:
    """Return all that the viewer may do now."""
    if not view.has_turn:
        return ()
    assert isinstance(view.duty, Turn)
    others = (kind for kind in view.duty.kinds if _is_open(kind, view))
    return (*_plays(view), *(action(kind) for kind in others))


def settings_of(view: View) -> Settings:
    """Return the options of the table."""
    return Settings.of(view.by_name("options"))


def situation_in(view: View) -> Situation:
    """Return what decides which cards may be played."""
    top = view.zone("discard")[-1].face
    suit = view.facts["suit"]
    assert top is not None, "the top card is open"
    assert suit is None or isinstance(suit, str)
    return Situation(Burden(view.facts["burden"]), top, suit, settings_of(view))


def _is_open(kind: str, view: View) -> bool:
    if kind == "draw":
        return view.facts["available"] != 0
    if kind == "pass":
        return view.facts["available"] == 0
    return kind != "play"


def _plays(view: View) -> Iterator[Action]:
    situation = situation_in(view)
    hand = [(card.slot, card.face) for card in view.zone("hand", view.viewer) if card.face]
    by_rank: dict[str, list[Card]] = {}
    for card in hand:
        by_rank.setdefault(rank_of(card[1]), []).append(card)
    for rank, cards in by_rank.items():
        for count in range(1, len(cards) + 1):
            for chosen in permutations(cards, count):
                if situation.allows([face for _, face in chosen]):
                    yield from _variants(situation, rank, chosen, len(hand) - count)


def _variants(
    situation: Situation, rank: str, chosen: Sequence[Card], left: int
) -> Iterator[Action]:
    slots = tuple(slot for slot, _ in chosen)
    suits = SUITS if rank == ACE and left else (None,)
    flags = (True, False) if situation.settings.call and left == 1 else (False,)
    for suit in suits:
        for flag in flags:
            yield action("play", cards=slots, suit=suit, macaua=flag)
