"""A sensible player of 6 nimmt!: plays the card that will probably cost the fewest bull heads.

It looks at the table as it lies. A card has its stack, and between the last card there and itself
some cards that nobody has shown yet. Each of the others plays one of these with a chance that their
share of all unseen cards gives. The card takes the stack if just so many come in between that the
stack is full when its turn comes; if fewer come it is safe, and if more come somebody else has
taken the stack before. A card that is lower than all stacks costs the cheapest of them.

It knows nothing but the view: no card that was played in earlier rounds, since these are shuffled
again, and none of what others hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from nodealer.games.api import Action, SensibleBot, View
from nodealer.games.take5.settings import STACK_NAMES, Settings
from nodealer.games.take5.stacks import Stacks, stack, stack_for


def _worths(view: View, legal: Sequence[Action]) -> list[float]:
    table = _Table.of(view)
    return [-table.cost_of(chosen) for chosen in legal]


SENSIBLE_BOT: Final = SensibleBot(_worths)


@dataclass(frozen=True, slots=True)
class _Table:
    """The sight of the bot: the stacks, its own cards by slot, and all that nobody has shown."""

    settings: Settings
    stacks: Stacks
    hand: Mapping[int, str]
    unseen: tuple[int, ...]
    others: int

    @classmethod
    def of(cls, view: View) -> _Table:
        settings = Settings.of(view.by_name("options"))
        seen = {int(card.face) for zone in view.zones for card in zone.cards if card.face}
        return cls(
            settings=settings,
            stacks={
                name: [card.face for card in view.zone(stack(name).name) if card.face]
                for name in STACK_NAMES
            },
            hand={card.slot: card.face for card in view.zone("hand", view.viewer) if card.face},
            unseen=tuple(n for n in range(1, settings.deck_size + 1) if n not in seen),
            others=len(view.seats) - 1,
        )

    def cost_of(self, chosen: Action) -> float:
        """Return how many bull heads an action will cost, on average."""
        if chosen.kind == "take":
            return self._worth(str(chosen.get("stack")))
        (slot,) = chosen.slots("card")
        face = self.hand[slot]
        name = stack_for(face, self.stacks)
        if name is None:
            return min(map(self._worth, STACK_NAMES))
        lying = self.stacks[name]
        between = [n for n in self.unseen if int(lying[-1]) < n < int(face)]
        free = self.settings.stack_size - len(lying)
        added = self.settings.worth(map(str, between)) / len(between) if between else 0
        return self._likely(free, len(between)) * (self._worth(name) + free * added)

    def _worth(self, name: str) -> int:
        return self.settings.worth(self.stacks[name])

    def _likely(self, count: int, between: int) -> float:
        """Return how likely it is that so many of the others play a card in between."""
        share = between / max(1, len(self.unseen))
        rest = self.others - count
        return comb(self.others, count) * share**count * (1 - share) ** rest if rest >= 0 else 0
