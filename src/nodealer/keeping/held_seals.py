"""Near peers: a seal goes to the author of its step first, and to the others by way of the entry.

In an authored step everybody waits for all seals, and the author for nothing else. Where a message
takes much less time than dealing with it, as it does on one network, the order in which a program
says the same words counts. So a seat gives its seal to a near author at once and holds it back from
the others; the author has all seals sooner, and says so to everybody with the entry, which has them
all. Then what is held need not be said any more: of n seats each step costs n - 1 proposals, n - 1
seals and n - 1 entries, in place of n - 1 proposals and n - 1 seals of each of the others.

Nothing rests on the author. What is held leaves after a moment whatever it does, and in the order
in which this seat has spoken. The ledger knows nothing of this: to it a held seal is one that is a
little late, and an entry may be sent by anybody. Nor need the two ends agree on who is near: an
author sends its entry if all others are so near that they may have held their seals, by a wide
margin, and whoever holds one lets it go if no entry comes. An author that sends its entry to some
alone delays the others by a pause or two of `reminders`. Where anybody is far nobody holds
anything: the author waits for the far one all the same, and that one would have everything later.

Here is what is decided about one seal and one entry; `speech` holds, drops and sends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nodealer.kernel import EntryId, Seat
from nodealer.ledger import ChainEntry, Entry, LedgerMessage, Outgoing, Proposal, Sealed

NEAR_US: Final = 20_000
"""A round trip to a near peer is shorter: what a detour by way of it costs nobody notices."""

MAY_BE_NEAR_US: Final = 4 * NEAR_US
"""A peer to which a round trip takes longer here has not measured a near one at its end."""

HOLD_US: Final = 50_000
"""How long a seal is held: the entry of a near author is here in less, its computing included."""


@dataclass(frozen=True, slots=True)
class HeldSeal:
    """A seal that its author has been sent, and that the others are sent after a moment."""

    message: Sealed
    author: Seat
    until_us: int

    def is_settled(self, tip: ChainEntry) -> bool:
        """Say whether the entry that is sealed was taken."""
        seal = self.message.seal
        taken = tip.at(seal.height)
        return taken is not None and taken.id == seal.entry


def held_for(out: Outgoing, stored: Iterable[LedgerMessage], now_us: int) -> HeldSeal | None:
    """Return a seal on what a seat has authored, if that is what goes to everybody.

    A seal on what somebody has authored leaves in the batch in which the proposal is stored.
    """
    if out.to is not None or not isinstance(out.message, Sealed):
        return None
    for one in stored:
        if isinstance(one, Proposal) and one.content.id == out.message.seal.entry:
            return HeldSeal(out.message, one.seal.seat, now_us + HOLD_US)
    return None


def proposed_by(seat: Seat | None, out: Outgoing) -> EntryId | None:
    """Return what is proposed to everybody if it is this seat that has authored it."""
    message = out.message
    is_own = out.to is None and isinstance(message, Proposal) and message.seal.seat == seat
    return message.seal.entry if is_own and isinstance(message, Proposal) else None


def completed(entry: EntryId | None, stored: Iterable[LedgerMessage]) -> Entry | None:
    """Return an entry as it was stored when it was taken, if it is in this batch."""
    taken = (one for one in stored if isinstance(one, Entry) and one.content.id == entry)
    return next(taken, None)
