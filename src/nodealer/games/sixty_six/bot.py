"""A sensible player of 66: keeps low cards, claims what it knows to be alike, stops when ahead.

It needs no memory of its own. A view has every card that its seat was ever shown, wherever that
lies now, and the seat's notebook is as honest as a memory can be: what was not shown is not in it.
A card that the seat does not know counts as much as the average of all cards that it has not seen.

Every action has a worth, in points that it saves; the best is chosen, by chance where several are
alike. What a card from the deck brings nobody knows before, so it has a worth of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodealer.games.api import Action, SensibleBot, View
from nodealer.games.sixty_six.cards import DECK, POWERS, Power, value_of
from nodealer.games.sixty_six.choices import discarded, others_cards, own_cards
from nodealer.games.sixty_six.state import BY_DISCARDED
from nodealer.kernel import Seat, SlotId

DECK_WORTH: Final = 2.0
"""Of a card from the deck, before it is seen: it can be discarded again."""

LOOK_WORTH: Final = 1.0
"""Of seeing a card that was not known."""

LEAD_WANTED: Final = 10.0
"""A seat that stops should be so much better than all others, who have a turn yet."""

NEVER: Final = -100.0
ALWAYS: Final = 100.0


def _worths(view: View, legal: Sequence[Action]) -> list[float]:
    """Return the points that each action saves, as far as its seat can tell."""
    mind = _Mind.of(view)
    return [_WORTHS[chosen.kind](mind, chosen) for chosen in legal]


SENSIBLE_BOT: Final = SensibleBot(_worths)


@dataclass(frozen=True, slots=True)
class _Mind:
    """The thoughts of a seat about its view: the faces it knows, what to expect of others."""

    view: View
    known: Mapping[SlotId, str]
    average: float

    @classmethod
    def of(cls, view: View) -> _Mind:
        """Return what a view tells."""
        cards = [card for zone in view.zones for card in zone.cards]
        known = {card.slot: card.face for card in cards if card.face is not None}
        unseen = (Counter(DECK.faces) - Counter(known.values())).elements()
        values = [value_of(face) for face in unseen]
        return cls(view, known, sum(values) / max(1, len(values)))

    def value(self, slot: SlotId) -> float:
        """Return what a card costs, as far as it is known."""
        return value_of(self.known[slot]) if slot in self.known else self.average

    def sum_of(self, seat: Seat | None) -> float:
        """Return what a hand costs, as far as it is known."""
        return sum(self.value(card.slot) for card in self.view.zone("hand", seat))

    def is_alike(self, slots: Sequence[SlotId]) -> bool:
        """Whether cards are known, and known to be alike."""
        return len({self.known.get(slot, slot) for slot in slots}) == 1

    def incoming(self) -> float:
        """Return what the card costs that would come into the hand."""
        taken = self.view.zone("taken", self.view.viewer)
        if taken:
            return self.value(taken[0].slot)
        top = discarded(self.view)
        if top is None:
            return self.average
        if self.view.facts["source"] == BY_DISCARDED:
            return value_of(top)
        return min(self.average, value_of(top))


def _nothing(mind: _Mind, chosen: Action) -> float:  # noqa: ARG001 - every worth
    return 0.0


def _take_from_deck(mind: _Mind, chosen: Action) -> float:  # noqa: ARG001 - every worth
    return DECK_WORTH


def _take_discarded(mind: _Mind, chosen: Action) -> float:  # noqa: ARG001 - every worth
    """Return the worth of the discarded card where it saves most: for a card, or a pair."""
    top = value_of(discarded(mind.view) or "")
    own = own_cards(mind.view)
    pairs = [
        mind.value(one) + mind.value(other)
        for one in own
        for other in own
        if one < other and mind.is_alike((one, other))
    ]
    return max([*(mind.value(slot) for slot in own), *pairs]) - top


def _replace(mind: _Mind, chosen: Action) -> float:
    (slot,) = chosen.slots("card")
    return mind.value(slot) - mind.incoming()


def _replace_by_discarded(mind: _Mind, chosen: Action) -> float:
    (slot,) = chosen.slots("card")
    return mind.value(slot) - value_of(discarded(mind.view) or "")


def _replace_claimed(mind: _Mind, chosen: Action) -> float:  # noqa: ARG001 - every worth
    return -mind.average


def _replace_claimed_by_discarded(mind: _Mind, chosen: Action) -> float:  # noqa: ARG001 - every worth
    return -value_of(discarded(mind.view) or "")


def _claim(mind: _Mind, chosen: Action) -> float:
    slots = chosen.slots("cards")
    if not mind.is_alike(slots):
        return NEVER
    return sum(map(mind.value, slots)) - mind.incoming()


def _discard(mind: _Mind, chosen: Action) -> float:
    """Return the worth of what the card lets its player do."""
    power = POWERS.get(mind.known[chosen.slots("card")[0]])
    own = own_cards(mind.view)
    if power is Power.PEEK_OWN and not all(slot in mind.known for slot in own):
        return LOOK_WORTH
    if power is Power.EXCHANGE:
        return max(map(mind.value, own)) - min(map(mind.value, others_cards(mind.view)))
    return 0.0


def _look(mind: _Mind, chosen: Action) -> float:
    (slot,) = chosen.slots("card")
    return 0.0 if slot in mind.known else LOOK_WORTH


def _exchange(mind: _Mind, chosen: Action) -> float:
    mine, other = chosen.slots("card")[0], chosen.slots("other")[0]
    return mind.value(mine) - mind.value(other)


def _pick_own(mind: _Mind, chosen: Action) -> float:
    """Return the worth of picking a card: to look at it, to exchange it, or to replace it."""
    if mind.view.facts["phase"] == "DISCARDING_7_8":
        return _look(mind, chosen)
    if mind.view.facts["phase"] == "DISCARDING_11_12":
        return mind.value(chosen.slots("card")[0])
    return _replace(mind, chosen)


def _pick_anothers(mind: _Mind, chosen: Action) -> float:
    if mind.view.facts["phase"] == "DISCARDING_9_10":
        return _look(mind, chosen)
    return -mind.value(chosen.slots("card")[0])


def _stop(mind: _Mind, chosen: Action) -> float:  # noqa: ARG001 - every worth
    mine = mind.sum_of(mind.view.viewer)
    others = [mind.sum_of(seat) for seat in mind.view.seats if seat != mind.view.viewer]
    return ALWAYS if mine + LEAD_WANTED <= min(others) else NEVER


_WORTHS: Final[Mapping[str, Callable[[_Mind, Action], float]]] = {
    "start-game": _nothing,
    "start-next-round": _nothing,
    "take-card-from-deck": _take_from_deck,
    "take-discarded-card": _take_discarded,
    "replace-card-by-discarded": _replace_by_discarded,
    "replace-card-from-deck": _replace,
    "replace-cards-from-deck": _replace_claimed,
    "replace-cards-by-discarded": _replace_claimed_by_discarded,
    "pick-own-card": _pick_own,
    "pick-anothers-card": _pick_anothers,
    "show-cards": _claim,
    "discard": _discard,
    "stop-round": _stop,
    "peek-own-card": _look,
    "peek-anothers-card": _look,
    "exchange-cards": _exchange,
}
"""What an action is worth, by its kind."""
