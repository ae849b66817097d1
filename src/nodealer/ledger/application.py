"""The application as the ledger asks for it: a replay of opaque actions and contributions.

The ledger orders bytes and collects signatures on them; what the bytes mean is somebody else's
knowledge. An `Application` is that knowledge at one point of the history: an immutable value that
says what is due now and which value comes next. All seats hold equal values after equal histories,
and `digest` is how they notice if they do not.

Rules for whoever implements it:

- Everything is a pure function of the value and the arguments. The same question has the same
  answer on every machine and at any later time, because strangers replay the history to judge.
- `act` and `check` judge what a peer signed: they raise `PeerError` with a reason, or accept. Any
  other exception is an error of our own program; the ledger turns it into `Bug`, signs nothing and
  blames nobody.
- A contribution is judged over the very contributions it names (`earlier`) and nothing else, so
  that nobody is blamed for what it could not know.
- `evicted` depends on the evicted seats only. Once the game is over it changes the roster only.
- `digest` covers the roster and everything public that the next step depends on.

What is due is one of three: a seat is on turn (`Authored`), parts are owed at once by seats named
by the state (`Due`; with no seats it is a step of seals alone), or the table is closed (`Closed`):
then nothing is due and nobody is missed, but the lowest seat of the roster may still propose an
action that begins another game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from nodealer.kernel import EntryId, Height, Seat, TableId


@dataclass(frozen=True, slots=True)
class Moment:
    """The place in the history of a table over which something is made."""

    table: TableId
    height: Height
    parent: EntryId


@dataclass(frozen=True, slots=True)
class Authored:
    """A seat is on turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Owed:
    """A part of a due step: which seats owe a payload for it.

    `binding`: a seat has one payload for the label of this part, whatever the parent. `chained`:
    the seats contribute in ascending order, each naming the contribution of the one before.
    `decided`: the seats' players decide what they contribute, and have the time to act for it.
    """

    kind: str
    purpose: str
    seats: tuple[Seat, ...]
    binding: bool = False
    chained: bool = False
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """Parts are owed, all at once."""

    parts: tuple[Owed, ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing is due any more."""


LedgerDuty: TypeAlias = Authored | Due | Closed


@dataclass(frozen=True, slots=True)
class Given:
    """The contribution of one seat: for each label that it owes, the payload."""

    seat: Seat
    payloads: tuple[tuple[bytes, bytes], ...]


class Application(Protocol):
    """The replayed state above the ledger, at one point of the history."""

    def due(self) -> LedgerDuty:
        """Return what is due now."""

    def act(self, moment: Moment, seat: Seat, action: bytes) -> Application:
        """Return the state after an authored action, or raise `PeerError`."""

    def check(
        self,
        moment: Moment,
        seat: Seat,
        payloads: Sequence[tuple[bytes, bytes]],
        earlier: Sequence[Given],
    ) -> None:
        """Raise `PeerError` unless the payloads are what this seat may contribute here."""

    def settle(self, moment: Moment, contributions: Sequence[Given]) -> Application:
        """Return the state after a due step whose contributions were all checked.

        `PeerError` is for what takes all seats of the roster together; it names nobody.
        """

    def evicted(self, moment: Moment, seats: Sequence[Seat]) -> Application:
        """Return the state after these seats were left out."""

    def digest(self) -> bytes:
        """Return the hash of the public state: 32 bytes."""

    def is_over(self) -> bool:
        """Say whether the result of the game stands."""
