"""Asking for what somebody else holds and cannot, or does not, send by itself.

The ledger brings everything to everybody through any seat that both reach, but only to those who
have said that they lack it, and it says so by itself only when a table stalls. That is right while
all are linked and say all to all, and slow in two cases: each step would wait for a limit of time.

Two seats cannot reach each other. So a seat that has no link to another one of the roster tells
where it stands whenever its tip has changed, and once more after each pause, since the others may
not have had that tip yet.

An author sends the entry that all have sealed to some alone: it means harm, or its program was
stopped between two sends. Those who have the entry need not say their own seals any more
(`held_seals`), and the others lack just these. So a seat that has sealed what somebody has
authored, and is found so again after a whole pause, tells where it stands; whoever has the entry
answers with it. It asks again after one, two, four pauses and so on: nobody may have the entry,
because a seat keeps its seal back, and then all the others ask all.

A status is short and is answered only with what is missing. Whoever is there hears at most one in a
pause, and one for each tip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nodealer.keeping.surroundings import Surroundings
from nodealer.kernel import EntryId
from nodealer.ledger import Authored
from nodealer.table import Table

PAUSE_US: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Reminder:
    """The last look at who waits for what; there is one when the tip changes, and each pause."""

    tip: EntryId | None = None
    looks: int = 0
    """How many looks in a row, before which the tip had not changed, found this seat waiting."""
    due_us: int = 0

    def after(self, table: Table, around: Surroundings) -> tuple[Reminder, bool]:
        """Return the next reminder, and whether this seat tells now where it stands."""
        tip = table.ledger.tip.id
        if tip == self.tip and around.us < self.due_us:
            return self, False
        looks = self.looks + 1 if tip == self.tip and waits_for_seals(table) else 0
        asks = is_parted(table, around) or is_asking(looks)
        reminder = Reminder(tip, looks, around.us + PAUSE_US)
        return reminder, asks and not table.position.is_closed


FIRST_LOOK: Final = Reminder()


def is_parted(table: Table, around: Surroundings) -> bool:
    """Say whether there is no link to a seat of the roster."""
    return not all(around.is_up(seat) for seat in table.ledger.tip.roster if seat != table.seat)


def is_asking(looks: int) -> bool:
    """Say whether a seat asks that was found waiting by so many looks in a row."""
    before = looks - 1  # the first shows that it waits, the next that it has waited for a pause
    return before > 0 and before & (before - 1) == 0


def waits_for_seals(table: Table) -> bool:
    """Say whether this seat has sealed what somebody has authored over its tip."""
    ledger = table.ledger
    return isinstance(ledger.tip.duty, Authored) and ledger.tip.id in ledger.own.seals
