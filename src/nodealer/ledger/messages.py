"""The messages of seats: the objects, with everything that must lie beside them.

    charter         what all seats agree on
    proposal        a content with its author's seal
    sealed          a seal
    contributed     a contribution
    voted           a vote, with the grounds of an eviction
    refused         a refusal, with the content that it refuses
    left            a leave
    entry           a complete entry: content, contributions, certificate
    status          what the sender has, so that others can send what it lacks
    recall          a restored node asks for its own signatures
    memory          the answer: the tip of the sender, and the signatures that it holds

`beside` holds the certificates that stated ranks ask for, the lowest height first. The same
messages are what a journal stores, so that nothing has a second form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from nodealer.kernel import EntryId, Height, Seat, TableId
from nodealer.ledger.objects import (
    Certificate,
    Charter,
    Content,
    Contribution,
    Ground,
    Leave,
    Refusal,
    Seal,
    Signed,
    Vote,
)

CERTIFICATES_MAX: Final = 96
"""Certificates beside one message: several ranks of each of the heights near the tip."""


@dataclass(frozen=True, slots=True)
class Founded:
    """The charter, as the first message of a journal or transcript."""

    charter: Charter


@dataclass(frozen=True, slots=True)
class Proposal:
    """A content with its author's seal."""

    content: Content
    seal: Seal
    beside: tuple[Certificate, ...] = ()


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seal."""

    seal: Seal
    beside: tuple[Certificate, ...] = ()


@dataclass(frozen=True, slots=True)
class Contributed:
    """A contribution."""

    contribution: Contribution


@dataclass(frozen=True, slots=True)
class Entry:
    """A complete entry, whole."""

    content: Content
    contributions: tuple[Contribution, ...]
    certificate: Certificate
    beside: tuple[Certificate, ...] = ()


@dataclass(frozen=True, slots=True)
class Voted:
    """A vote, with the grounds of an eviction or the kept entry, whole."""

    vote: Vote
    grounds: tuple[Ground, ...] = ()
    kept: Entry | None = None
    beside: tuple[Certificate, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal."""

    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Left:
    """A leave."""

    leave: Leave


@dataclass(frozen=True, slots=True)
class Status:
    """The standing of the sender: its tip, its last round above it, and the messages over the tip.

    The bitmaps have one bit for each seat: contributions held, seals held, and votes held of the
    round `round`; `below` marks the votes held of the round `round_below` over the tip's parent.
    """

    table: TableId
    seat: Seat
    height: Height
    tip: EntryId
    rank: int
    round: int
    contributions: int
    seals: int
    votes: int
    round_below: int
    below: int


@dataclass(frozen=True, slots=True)
class Recall:
    """A seat asks everybody for its own signatures."""

    table: TableId
    seat: Seat


@dataclass(frozen=True, slots=True)
class Memory:
    """The end of the sender's chain, and the signatures of the asking seat that it holds."""

    table: TableId
    seat: Seat
    height: Height
    tip: EntryId
    messages: tuple[Proposal | Sealed | Contributed | Voted | Refused | Left, ...]


def signed_of(message: object) -> Signed | None:
    """Return the signed object of a message that carries one by itself."""
    match message:
        case Proposal(seal=seal) | Sealed(seal=seal):
            return seal
        case Contributed(contribution=one):
            return one
        case Voted(vote=vote):
            return vote
        case Refused(refusal=refusal):
            return refusal
        case _:
            return None


def alone(signed: Signed) -> Sealed | Contributed | Voted | Refused | Left:
    """Return a signed object as a message with nothing beside it."""
    match signed:
        case Seal():
            return Sealed(signed)
        case Contribution():
            return Contributed(signed)
        case Vote():
            return Voted(signed)
        case Refusal():
            return Refused(signed)
        case _:
            return Left(signed)


LedgerMessage: TypeAlias = (
    Founded
    | Proposal
    | Sealed
    | Contributed
    | Voted
    | Refused
    | Left
    | Entry
    | Status
    | Recall
    | Memory
)
