"""The words of a seat: to whom, in which order, and what of them waits for a moment.

This seat's words to everybody keep their order: what is held back (`held_seals`) leaves before the
next of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nodealer.keeping.held_seals import (
    MAY_BE_NEAR_US,
    NEAR_US,
    HeldSeal,
    completed,
    held_for,
    proposed_by,
)
from nodealer.keeping.surroundings import Surroundings
from nodealer.kernel import EntryId, Seat
from nodealer.ledger import ChainEntry, LedgerMessage, Outgoing, Ready


@dataclass(frozen=True, slots=True)
class Offering:
    """A message, and the seats that it is offered to."""

    to: tuple[Seat, ...]
    message: LedgerMessage


@dataclass(frozen=True, slots=True)
class Speech:
    """The words so far, as far as they matter for what is said next."""

    seat: Seat | None
    others: tuple[Seat, ...]
    """All other seats of the charter."""
    proposed: EntryId | None = None
    """What this seat has proposed last."""
    held: HeldSeal | None = None

    def said(
        self, ready: Ready, tip: ChainEntry, around: Surroundings
    ) -> tuple[Speech, tuple[Offering, ...], tuple[Offering, ...]]:
        """Return what a batch says, and what is passed on once it has been shown here.

        What is over an entry must not come before it; an entry alone can wait until it was shown.
        """
        is_due = self.held is not None and around.us >= self.held.until_us
        freed = self.let_go(tip) if is_due else ()
        speech = replace(self, held=None) if is_due else self
        entry = completed(self.proposed, ready.persist)
        is_awaited = entry is not None and _are_all_within(MAY_BE_NEAR_US, self, tip, around)
        whole = (Outgoing(entry),) if entry is not None and is_awaited else ()
        if not ready.send:
            speech, passed_on = _saying(speech, whole, (), tip, around)
            return speech, freed, passed_on
        speech, spoken = _saying(speech, (*whole, *ready.send), ready.persist, tip, around)
        return speech, (*freed, *spoken), ()

    def let_go(self, tip: ChainEntry) -> tuple[Offering, ...]:
        """Return what is held, for all who were not sent it yet; nothing if its entry was taken."""
        if self.held is None or self.held.is_settled(tip):
            return ()
        others = tuple(seat for seat in self.others if seat != self.held.author)
        return (Offering(others, self.held.message),)


def _saying(
    speech: Speech,
    messages: Iterable[Outgoing],
    stored: Sequence[LedgerMessage],
    tip: ChainEntry,
    around: Surroundings,
) -> tuple[Speech, tuple[Offering, ...]]:
    offered = list[Offering]()
    for out in messages:
        if out.to is not None:
            offered.append(Offering((out.to,), out.message))
            continue
        offered.extend(speech.let_go(tip))
        held = held_for(out, stored, around.us)
        if held is not None and not _are_all_within(NEAR_US, speech, tip, around):
            held = None
        to = speech.others if held is None else (held.author,)
        offered.append(Offering(to, out.message))
        proposed = proposed_by(speech.seat, out) or speech.proposed
        speech = replace(speech, proposed=proposed, held=held)
    return speech, tuple(offered)


def _are_all_within(
    round_trip_us: int, speech: Speech, tip: ChainEntry, around: Surroundings
) -> bool:
    """Say whether there are several others, and all of them are nearer than this."""
    others = [seat for seat in tip.roster if seat != speech.seat]
    return len(others) > 1 and around.are_within(others, round_trip_us)
