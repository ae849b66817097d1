"""The batch that a host or guest hands to its caller: to store, to send, to show.

The order is a duty of the caller, as at a table: what is in `keep` is on disk, in the place of what
was kept of this lobby before, and only then anything of `send` leaves. Without `keep` nothing has
changed that must be stored. `send` names keys; what is for somebody without a link at the moment is
dropped, because whoever comes back is told everything that counts. `show` is for people and logs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from nodealer.kernel import Reason, Seat
from nodealer.lobby.messages import AddressRecord, Attendee, LobbyLine, LobbyMessage, Offer
from nodealer.lobby.terms import NewSeat


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """Whoever is at the other end of a link: its key, proven by the link, and the link's name."""

    key: bytes
    link: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """All that must be stored of a lobby: secrets among it, so it is never shown."""

    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class LobbyOutgoing:
    """A message for the holder of a key."""

    message: LobbyMessage
    to: bytes


# What is shown.


@dataclass(frozen=True, slots=True)
class Came:
    """Somebody is in the lobby now, or goes by another name now, or somebody else plays for it."""

    key: bytes
    name: str
    watches: bool
    program: str
    is_program: bool = False


@dataclass(frozen=True, slots=True)
class Went:
    """Somebody is not in the lobby any more."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The host has not let somebody in."""

    key: bytes
    reason: Reason


@dataclass(frozen=True, slots=True)
class Offered:
    """This is offered now; who has answered another offer has answered nothing.

    `problem` says why it cannot be accepted although no seat is free.
    """

    offer: Offer
    problem: Reason | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """These seats have answered the offer, and these people watch."""

    number: int
    seats: tuple[Seat, ...]
    watchers: tuple[Attendee, ...] = ()


@dataclass(frozen=True, slots=True)
class CharterWhole:
    """The charter is whole: sit down at the table."""

    founding: NewSeat


@dataclass(frozen=True, slots=True)
class TooLate:
    """A seat does not want the charter any more that is already made: it may never be sealed."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class LobbyOver:
    """This node is out of the lobby; without a reason because it wanted to."""

    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class TwoOffers:
    """The host has signed both of these, which no program does that follows the page."""

    one: Offer
    other: Offer


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody can be reached at these addresses now."""

    record: AddressRecord


@dataclass(frozen=True, slots=True)
class LineSaid:
    """Somebody has said something."""

    line: LobbyLine


@dataclass(frozen=True, slots=True)
class WordsDrawn:
    """The numbers of the words that everybody with a seat has now, to compare them aloud."""

    words: bytes


@dataclass(frozen=True, slots=True)
class LobbyDropped:
    """A message was not taken in, and changed nothing."""

    slug: str
    sender: bytes


LobbyEvent: TypeAlias = (
    Came
    | Went
    | TurnedAway
    | Offered
    | Answered
    | CharterWhole
    | TooLate
    | LobbyOver
    | TwoOffers
    | Moved
    | LineSaid
    | WordsDrawn
    | LobbyDropped
)


@dataclass(frozen=True, slots=True)
class LobbyReady:
    """The batch that follows from an input."""

    keep: Kept | None = None
    send: tuple[LobbyOutgoing, ...] = ()
    show: tuple[LobbyEvent, ...] = ()
