"""The debts of seats and since when: why nothing happens at a table, as data.

A table waits for the seats whose message could be here and is not; whoever is itself held up by
another is not named. What a seat owes is one of these words, or the kinds of the parts that it owes
to the due step (`joint`):

    charter     its seal on the charter
    action      its turn
    seal        its countersignature
    vote        its vote in a round that others have to see complete

Times are ticks of this seat's own clock: others may have begun to wait earlier or later. A seat
does not wait for itself; what it owes it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from nodealer.kernel import Seat
from nodealer.table.table import Table


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat that the table waits for.

    At tick `suspended` the table counts as standing still; at `until` this seat votes on going on
    without those who are missed.
    """

    seat: Seat
    what: tuple[str, ...]
    since: int
    suspended: int
    until: int


def waiting(table: Table) -> tuple[Waiting, ...]:
    """Return whom this table waits for, in ascending order of seats."""
    return tuple(
        Waiting(one.seat, one.parts or (one.what,), one.since, one.suspended, one.until)
        for one in table.ledger.waits_for()
    )
