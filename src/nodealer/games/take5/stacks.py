"""The place of a card: pure questions about the four stacks, without slots, seats or turns.

`apply`, `legal` and the bot ask them alike, of the board or of a view.

    the card is lower than the last card of every stack     its player takes any stack
    otherwise it goes to the highest of the last cards that are lower, and there
        the stack is not full                               it lies on top
        the stack is full                                   its player takes the stack

Whoever takes a stack leaves the card in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nodealer.cards import Zone
from nodealer.games.take5.settings import STACK_NAMES

Stacks = Mapping[str, Sequence[str]]
"""The faces of each stack, by its name, from the bottom to the top."""


def stack(name: str) -> Zone:
    """Return the zone of a stack."""
    return Zone(f"stack-{name}")


def stack_for(face: str, stacks: Stacks) -> str | None:
    """Return the stack to which a card goes, or None if it is lower than all of them."""
    tops = {int(stacks[name][-1]): name for name in STACK_NAMES}
    lower = [top for top in tops if top < int(face)]
    return tops[max(lower)] if lower else None
