"""All that a seat may do, as a list: the cards of its hand, or the four stacks.

Every card of the hand may be played, always; so a choice shows nothing by what it leaves out.
"""

from __future__ import annotations

from nodealer.games.api import Action, View, action
from nodealer.games.take5.settings import STACK_NAMES


def legal(view: View) -> tuple[Action, ...]:
    """Return all that the viewer may do now."""
    if view.owes_choice:
        cards = view.zone("hand", view.viewer)
        return tuple(action("play", card=(card.slot,)) for card in cards)
    if view.has_turn:
        return tuple(action("take", stack=name) for name in STACK_NAMES)
    return ()
