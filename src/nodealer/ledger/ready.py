"""The batch that the ledger hands to its caller: to store, to send, to show, to ask.

The order is a duty of the caller: everything in `persist` is on disk, in this order, before
anything in `send` leaves. `show` is for people and logs, `ask` says what this seat owes; neither
has a deadline of its own. `wake` is the next tick at which `tick` has something to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger.messages import LedgerMessage
from nodealer.ledger.objects import Contribution, Evidence, Leave, Part, Refusal, Vote


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message, for one seat or for everybody."""

    message: LedgerMessage
    to: Seat | None = None


@dataclass(frozen=True, slots=True)
class Took:
    """An entry is the tip now; `replaced` if the tip before it was another entry of this height."""

    height: Height
    entry: EntryId
    rank: int
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class Suspended:
    """Seats are missed and their time is over; a round will settle it at tick `until`."""

    missed: tuple[Seat, ...]
    until: int


@dataclass(frozen=True, slots=True)
class Stalled:
    """No majority can be had: nothing more happens until somebody comes back."""

    missed: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """This seat was left out at a height."""

    height: Height


@dataclass(frozen=True, slots=True)
class Suspect:
    """A signature of this seat turned up that its journal lacks, or the journal was restored."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A message was not kept."""

    slug: str
    sender: Seat | None


LedgerEvent: TypeAlias = (
    Took | Suspended | Stalled | Vote | Evidence | Refusal | Leave | LeftOut | Suspect | Dropped
)
"""A vote is one that this seat has cast; evidence, refusals and leaves are those that are new."""


@dataclass(frozen=True, slots=True)
class AskAction:
    """It is this seat's turn to propose an action."""

    parent: EntryId
    again: bool = False


@dataclass(frozen=True, slots=True)
class AskContribution:
    """This seat owes payloads for these parts; `earlier` is what they build on, in seat order."""

    parent: EntryId
    parts: tuple[Part, ...]
    earlier: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class AskSeal:
    """A step of seals alone is due, which this seat seals once its player has taken notice."""

    parent: EntryId


Ask: TypeAlias = AskAction | AskContribution | AskSeal


@dataclass(frozen=True, slots=True)
class Ready:
    """One batch; store first, then send."""

    persist: tuple[LedgerMessage, ...] = ()
    send: tuple[Outgoing, ...] = ()
    show: tuple[LedgerEvent, ...] = ()
    ask: tuple[Ask, ...] = ()
    wake: int | None = None
