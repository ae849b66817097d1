"""The wait for seats that are missed: for what, since when, and until when.

This is for people and logs; nothing is decided by it. The seats are those of `missed`, so nobody is
named who is itself held up by another.

    charter         the seal of the charter
    action          an action, by the seat on turn
    contribution    parts of the due step
    seal            the countersignature on a content that is whole
    vote            a vote of the round below, for which others have to wait
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nodealer.kernel import Seat
from nodealer.ledger.application import Authored, Due
from nodealer.ledger.draft import Draft
from nodealer.ledger.missed import enabled, has_begun, holding_back, missed
from nodealer.ledger.rounds import limit, patience


@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat that is missed; for a contribution, the parts that it owes.

    The wait began at tick `since`; at `suspended` the table shows that it stands still, and at
    `until` this seat votes on who is left out, if nothing has come by then.
    """

    seat: Seat
    what: str
    parts: tuple[str, ...]
    since: int
    suspended: int
    until: int
    over_tip: str = field(compare=False, default="")
    """What it owes to the next entry, whatever else it is waited for: a record tells this."""

    @property
    def owed(self) -> tuple[str, ...]:
        """What it is waited for, in words: the kinds of the parts that it owes, or the one word."""
        return self.parts or (self.what,)


def awaited(draft: Draft) -> tuple[Awaited, ...]:
    """Return who is missed and for what, in ascending order of seats."""
    since, until_suspended = draft.since, limit(draft)
    end = since + patience(draft, until_suspended)
    suspended = min(since + until_suspended, end)
    return tuple(
        Awaited(seat, *_owes(draft, seat), since, suspended, end, _over_tip(draft, seat))
        for seat in missed(draft)
    )


def _owes(draft: Draft, seat: Seat) -> tuple[str, tuple[str, ...]]:
    tip = draft.tip
    if not draft.is_founded:
        return "charter", ()
    if seat in holding_back(draft):
        return "vote", ()
    if isinstance(tip.duty, Authored) and not has_begun(draft):
        return "action", ()
    if isinstance(tip.duty, Due) and seat in enabled(draft):
        return "contribution", tuple(part.kind for part in tip.owed_by(seat))
    return "seal", ()


def _over_tip(draft: Draft, seat: Seat) -> str:
    if draft.is_founded and seat in enabled(draft):
        return ", ".join(part.kind for part in draft.tip.owed_by(seat))
    is_sealed = not draft.is_founded or draft.tip.parts or has_begun(draft)
    return "seal" if is_sealed else "action"
