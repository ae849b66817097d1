"""The ledger as others read it: where a seat stands, and nothing that inputs work with.

What shows a table, judges a record or looks after a seat needs little of a ledger: whether it is
founded, who is in the roster, whom it waits for, who has left or is proven false, what is asked.
That is one value here, made of the state of a ledger whenever somebody wants it. Nothing is decided
by it, and desks, drafts and own signatures stay what they are: the business of the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nodealer.kernel import Height, Seat
from nodealer.ledger.awaiting import Awaited, awaited
from nodealer.ledger.draft import Draft, LedgerState
from nodealer.ledger.objects import Evidence, Leave
from nodealer.ledger.phases import phase_of
from nodealer.ledger.ready import Ask
from nodealer.ledger.recall import unanswered


@dataclass(frozen=True, slots=True)
class LedgerReading:
    """The standing of a seat: what is told to those around the ledger."""

    is_founded: bool
    roster: tuple[Seat, ...]
    phase: str
    """In one word of `phases`."""
    waits: tuple[Awaited, ...]
    """Who is missed, for what, since when and until when."""
    is_suspended: bool
    """Whether the time of those who are missed is over."""
    left: Mapping[Seat, Leave]
    """Who has left, this seat too."""
    proven: Mapping[Seat, Evidence]
    """Who is proven false, and by what."""
    asked: tuple[Ask, ...]
    """What the player of this seat is asked."""
    unheard: tuple[Seat, ...] | None
    """Whose word is lacking before a suspect seat signs again; None if it is not suspect."""
    left_out: Height | None
    """Where the others have gone on without this seat, which could not take that."""

    @property
    def grounds(self) -> tuple[Leave | Evidence, ...]:
        """What is known of seats that may be left out for it."""
        return (*self.left.values(), *self.proven.values())


def reading_of(state: LedgerState) -> LedgerReading:
    """Return where the seat of a ledger stands."""
    draft = Draft(state)
    own = draft.own.leave
    return LedgerReading(
        is_founded=draft.is_founded,
        roster=draft.tip.roster,
        phase=phase_of(draft),
        waits=awaited(draft),
        is_suspended=draft.is_suspended,
        left=draft.leaves if own is None else {**draft.leaves, own.seat: own},
        proven=draft.proven,
        asked=draft.asked,
        unheard=None if draft.suspect is None else unanswered(draft),
        left_out=draft.left_out,
    )
