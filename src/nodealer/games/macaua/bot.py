"""A sensible player of Macaua: sheds many cards, keeps what always fits, leaves itself a way on.

It judges every action by the hand that it leaves. A card in hand costs; one that can go next, over
what would then lie on top, costs less; aces, jokers, twos and threes cost least, because they find
their way at any time or answer a challenge. A play that makes a seat with few cards draw is worth
more. It knows nothing but the view, and forgets nothing but what it has seen before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nodealer.games.api import Action, SensibleBot, View
from nodealer.games.macaua.cards import JOKER, rank_of
from nodealer.games.macaua.choices import settings_of
from nodealer.games.macaua.legality import (
    ACE,
    CHALLENGES,
    Burden,
    Settings,
    Situation,
    challenge_of,
    skips_of,
)
from nodealer.kernel import Seat

CARD_COST: Final = 10
"""Of a card that will not go next."""

READY_COST: Final = 7
"""Of a card that fits what would lie on top."""

RANK_COSTS: Final = {JOKER: 3, ACE: 4, "2": 6, "3": 6}
"""Of cards worth keeping."""

THREAT_CARDS: Final = 3
"""A seat that holds no more than this is about to win."""

THREAT_WORTH: Final = 4
"""Of every card that such a seat is made to draw, and of every turn that it misses."""

CALL_COST: Final = 50
"""Of not saying "macaua"."""


def _worths(view: View, legal: Sequence[Action]) -> list[int]:
    return [-_cost(view, chosen) for chosen in legal]


SENSIBLE_BOT: Final = SensibleBot(_worths)


def _cost(view: View, chosen: Action) -> int:
    held = {card.slot: card.face for card in view.zone("hand", view.viewer) if card.face}
    if chosen.kind != "play":
        return CARD_COST * (len(held) + _cards_drawn(view, chosen))
    settings = settings_of(view)
    played = [held.pop(slot) for slot in chosen.slots("cards")]
    left = list(held.values())
    suit = chosen.get("suit")
    after = Situation(Burden.NOTHING, played[-1], str(suit) if suit else None, settings)
    cost = sum(_keeping_cost(face, after) for face in left)
    if settings.call and len(left) == 1 and not chosen.get("macaua"):
        cost += CALL_COST
    return cost - _threat(view, played, settings)


def _keeping_cost(face: str, after: Situation) -> int:
    usual = READY_COST if after.allows_card(face) else CARD_COST
    return RANK_COSTS.get(rank_of(face), usual)


def _cards_drawn(view: View, chosen: Action) -> int:
    if chosen.kind == "take":
        penalty = view.facts["penalty"]
        assert isinstance(penalty, int)
        return penalty
    return 1 if chosen.kind == "draw" else 0


def _threat(view: View, played: Sequence[str], settings: Settings) -> int:
    """Return what it is worth that the next seat draws or misses turns."""
    burden = challenge_of(played, settings) + skips_of(played, settings)
    cards = len(view.zone("hand", _next_seat(view)))
    return THREAT_WORTH * burden if cards <= THREAT_CARDS else 0


def _next_seat(view: View) -> Seat:
    assert view.viewer is not None
    return view.seats[(view.seats.index(view.viewer) + 1) % len(view.seats)]


assert set(RANK_COSTS) == {*CHALLENGES, ACE}, "what answers a challenge, and what always fits"
