"""The phase of a seat at its tip, in one word.

    opening     seals of the charter lack
    acting      a seat is on turn and has not proposed
    giving      contributions to a due step lack
    sealing     the next content is whole, and seals lack
    voting      somebody has voted over the tip
    keeping     a complete entry over the tip is here that the rules forbid this seat to take
    closed      nothing is due
    out         this seat has left, or was left out

This is for people; nothing is decided by it. Which word can follow which stands in the specs, and
is checked against what real ledgers do.
"""

from __future__ import annotations

from nodealer.ledger.application import Authored, Closed, Due
from nodealer.ledger.draft import Draft
from nodealer.ledger.missed import enabled, has_begun


def phase_of(draft: Draft) -> str:
    """Return the phase in which a seat stands: the first that applies."""
    duty, own, desk = draft.tip.duty, draft.own, draft.desk
    applies = {
        "out": own.is_out or own.leave is not None,
        "opening": not draft.is_founded,
        "keeping": bool(desk.results),
        "voting": bool(desk.votes),
        "giving": isinstance(duty, Due) and bool(enabled(draft)),
        "sealing": isinstance(duty, Due) or has_begun(draft),
        "acting": isinstance(duty, Authored),
        "closed": isinstance(duty, Closed),
    }
    return next(phase for phase, holds in applies.items() if holds)
