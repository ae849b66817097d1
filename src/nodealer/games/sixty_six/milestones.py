"""The milestones of games of 66, and which events tell of them: powers, claims, ends of rounds."""

from __future__ import annotations

from typing import Final

from nodealer.games.api import Event, Milestone
from nodealer.games.sixty_six.state import BY_DISCARDED


def _is_own(happened: Event) -> bool:
    return happened.get("owner") == happened.get("seat")


def _is_anothers(happened: Event) -> bool:
    return not _is_own(happened)


def _is_equal(happened: Event) -> bool:
    return happened.get("equal") is True


def _is_different(happened: Event) -> bool:
    return not _is_equal(happened)


def _is_by_discarded(happened: Event) -> bool:
    return happened.get("source") == BY_DISCARDED


def _is_of_several(happened: Event) -> bool:
    places = happened.get("places")
    assert isinstance(places, tuple)
    return len(places) > 1


MILESTONES: Final = (
    Milestone("own card seen", "peeked", _is_own),
    Milestone("another's card seen", "peeked", _is_anothers),
    Milestone("cards exchanged", "exchanged"),
    Milestone("claim equal", "compared", _is_equal),
    Milestone("claim different", "compared", _is_different),
    Milestone("claimed cards replaced", "replaced", _is_of_several),
    Milestone("discarded card taken", "replaced", _is_by_discarded),
    Milestone("round stopped", "stopped"),
    Milestone("stopped in vain", "stopped-in-vain"),
    Milestone("deck exhausted", "exhausted"),
    Milestone("round finished", "round-finished"),
    Milestone("total halved", "halved", is_rare=True),
    Milestone("seat left", "left", is_after_leaving=True),
    Milestone("round voided", "voided", least_seats=3, is_after_leaving=True),
)
"""With two seats nobody is left to deal a void round to."""
