"""The milestones of games of 6 nimmt!, and which events tell of them."""

from __future__ import annotations

from typing import Final

from nodealer.games.api import Event, Milestone


def _fits(happened: Event) -> bool:
    """Whether the card that takes a stack belongs there; otherwise it is lower than all stacks."""
    cards = happened.get("cards")
    assert isinstance(cards, tuple)
    return int(str(happened.get("card"))) > int(str(cards[-1]))


def _is_lower(happened: Event) -> bool:
    return not _fits(happened)


MILESTONES: Final = (
    Milestone("card placed", "placed"),
    Milestone("full stack taken", "taken", _fits),
    Milestone("stack chosen", "taken", _is_lower),
    Milestone("round ended", "standings"),
    Milestone("tie played on", "tied", is_rare=True),
    Milestone("seat left", "left", is_after_leaving=True),
    Milestone("card dropped", "dropped", is_rare=True),
    Milestone("round voided", "voided", is_rare=True),
)
"""A card is dropped where its seat has left between choosing and placing it; by default only a deal
that is not done yet is void."""
