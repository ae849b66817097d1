"""The phase of a seat at its tip, in one word, and which word can follow which.

    opening     seals of the charter lack
    acting      a seat is on turn and has not proposed
    giving      contributions to a due step lack
    sealing     the next content is whole, and seals lack
    voting      somebody has voted over the tip
    keeping     a complete entry over the tip is here that the rules forbid this seat to take
    closed      nothing is due
    out         this seat has left, or was left out

This is for people and diagrams; nothing is decided by it. `FOLLOWING` is checked against what real
ledgers do, and the diagram of the specs is drawn from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nodealer.ledger.application import Authored, Closed, Due
from nodealer.ledger.draft import Draft
from nodealer.ledger.missed import enabled, has_begun

FOLLOWING: Final[Mapping[str, tuple[str, ...]]] = {
    "opening": ("acting", "giving", "sealing"),
    "acting": ("giving", "sealing", "voting"),
    "giving": ("acting", "sealing", "voting"),
    "sealing": ("acting", "giving", "voting", "closed"),
    "voting": ("acting", "giving", "sealing", "keeping", "closed"),
    "keeping": ("acting", "giving", "sealing", "closed"),
    "closed": ("sealing", "voting"),
}
"""For each phase, the others that one input can lead to; besides, `out` follows all and ends."""


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


def diagram() -> str:
    """Return the diagram of the phases, as the specs show it."""
    arrows = [f"    {phase} --> {after}" for phase, others in FOLLOWING.items() for after in others]
    return "\n".join(["stateDiagram-v2", "    [*] --> opening", *arrows])
