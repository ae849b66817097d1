"""A ledger under change: what one input does to it, before it becomes a value again.

`Ledger` is a frozen value. Every input opens a `Draft`, which starts with the same fields, lets
the other modules change them, collects what is to be stored, sent and shown, and ends as a new
`Ledger` and a `Ready`. If the input turns out to be bad the draft is thrown away, and nothing has
happened. Tables are shared until they are written to.

Here are also the few questions that all modules ask: is this signature good, is that certificate
at hand, which base does a message speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Final, TypeVar

from nodealer.kernel import EntryId, Height, PeerError, Reason, Seat, TableId, Value
from nodealer.ledger.certificates import in_order
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.desk import Desk, put
from nodealer.ledger.duties import DUTIES, Duties, Own
from nodealer.ledger.messages import (
    CERTIFICATES_MAX,
    LedgerMessage,
    Recall,
    Status,
    signed_of,
)
from nodealer.ledger.objects import (
    Certificate,
    Charter,
    Contribution,
    Evidence,
    Leave,
    Signed,
    anchor_of,
)
from nodealer.ledger.ready import Ask, LedgerEvent, Outgoing, Ready, Suspect
from nodealer.ledger.signers import Checker, SignedT, Signer, check_signed, signed_by

T = TypeVar("T")

DEPTH_MAX: Final = 8
"""How far below the tip certificates are kept: further down everything is long final."""

SETTLED_DEPTH: Final = 6
"""How far below the tip ranks need no certificates; below `DEPTH_MAX`, for others are behind."""

AHEAD_MAX: Final = 2
"""Messages of one kind, seat and round that are kept for an entry not yet known."""

Question = Status | Recall
"""What another seat may ask for."""

Slot = tuple[type, Seat, int]
"""Kind, seat and round of a message that is kept for later."""


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """The fields that never change while a table is open. Without a seat it is a reader."""

    charter: Charter
    seat: Seat | None
    signer: Signer | None
    checker: Checker
    duties: Duties = DUTIES


@dataclass(frozen=True, slots=True, eq=False)
class LedgerState:
    """The fields of a ledger: everything that inputs change."""

    fixed: Fixed
    tip: ChainEntry
    desk: Desk
    past: Desk
    own: Own = field(default_factory=Own)
    certificates: Mapping[tuple[bytes, int], Certificate] = field(default_factory=dict)
    leaves: Mapping[Seat, Leave] = field(default_factory=dict)
    proven: Mapping[Seat, Evidence] = field(default_factory=dict)
    ahead: Mapping[Slot, tuple[LedgerMessage, ...]] = field(default_factory=dict)
    bound: Mapping[tuple[Seat, bytes], Contribution] = field(default_factory=dict)
    placed: Mapping[Seat, int] = field(default_factory=dict)
    heard: frozenset[Seat] = frozenset()
    queried: Mapping[Seat, tuple[bytes, int, int]] = field(default_factory=dict)
    standing: Mapping[Seat, Status] = field(default_factory=dict)
    asking: Mapping[tuple[Seat, type], Question] = field(default_factory=dict)
    paid: Mapping[Seat, int] = field(default_factory=dict)
    recalls: Mapping[Seat, int] = field(default_factory=dict)
    stored: frozenset[bytes] = frozenset()
    asked: tuple[Ask, ...] = ()
    noticed: EntryId | None = None
    now: int = 0
    since: int = 0
    awaited: tuple[Value, ...] = ()
    is_suspended: bool = False
    suspect: Mapping[Seat, int] | None = None
    left_out: Height | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


_fields_of: Final = attrgetter(*[one.name for one in fields(LedgerState)])


class Draft:
    """The fields of a state, open to change, and what came of it so far."""

    __slots__ = (
        *(one.name for one in fields(LedgerState)),
        "_desk_is_mine",
        "_past_is_mine",
        "asks",
        "events",
        "is_moved",
        "is_reading",
        "outbox",
        "records",
        "sender",
    )

    def __init__(self, state: LedgerState) -> None:
        self.fixed = state.fixed
        self.tip = state.tip
        self.desk = state.desk
        self.past = state.past
        self.own = state.own
        self.certificates = state.certificates
        self.leaves = state.leaves
        self.proven = state.proven
        self.ahead = state.ahead
        self.bound = state.bound
        self.placed = state.placed
        self.heard = state.heard
        self.queried = state.queried
        self.standing = state.standing
        self.asking = state.asking
        self.paid = state.paid
        self.recalls = state.recalls
        self.stored = state.stored
        self.asked = state.asked
        self.noticed = state.noticed
        self.now = state.now
        self.since = state.since
        self.awaited = state.awaited
        self.is_suspended = state.is_suspended
        self.suspect = state.suspect
        self.left_out = state.left_out
        self.counts = state.counts
        self.records: list[LedgerMessage] = []
        self.outbox: list[Outgoing] = []
        self.events: list[LedgerEvent] = []
        self.asks: tuple[Ask, ...] = ()
        self.sender: Seat | None = None
        self.is_moved = False
        self.is_reading = False
        self._desk_is_mine = False
        self._past_is_mine = False

    def changed(self, into: Callable[..., T]) -> T:
        """Return the fields as a value again."""
        return into(*_fields_of(self))

    def ready(self, wake: int | None) -> Ready:
        """Return what came of the input."""
        return Ready(tuple(self.records), tuple(self.outbox), tuple(self.events), self.asks, wake)

    # What came of it.

    def persist(self, message: LedgerMessage) -> None:
        """Have a message stored before anything leaves."""
        self.records.append(message)

    def send(self, message: LedgerMessage, to: Seat | None = None) -> None:
        """Have a message sent, to one seat or to everybody."""
        self.outbox.append(Outgoing(message, to))

    def show(self, event: LedgerEvent) -> None:
        """Have something shown."""
        self.events.append(event)

    # Desks.

    def open_desk(self) -> Desk:
        """Return the desk over the tip, to write to."""
        if not self._desk_is_mine:
            self.desk, self._desk_is_mine = self.desk.copy(), True
        return self.desk

    def open_past(self) -> Desk:
        """Return the desk over the tip's parent, to write to."""
        if not self._past_is_mine:
            self.past, self._past_is_mine = self.past.copy(), True
        return self.past

    def open_at(self, base: ChainEntry) -> Desk:
        """Return the desk over a base, which is the tip or its parent, to write to."""
        return self.open_desk() if base is self.tip else self.open_past()

    def desk_at(self, base: ChainEntry) -> Desk:
        """Return the desk over a base, which is the tip or its parent, to read."""
        return self.desk if base is self.tip else self.past

    def move_to(self, tip: ChainEntry, *, above: bool) -> None:
        """Make a link the tip: above the old one, or in its place."""
        if above:
            self.past, self._past_is_mine = self.desk, self._desk_is_mine
        else:  # who was seen to hold the entry that is replaced need not hold this one
            self.placed = {seat: min(at, tip.height - 1) for seat, at in self.placed.items()}
        self.tip = tip
        self.desk, self._desk_is_mine = Desk(), True
        self.stored = frozenset()
        self.standing = {}
        self.is_moved = True

    def step_to(self, below: ChainEntry) -> None:
        """Make the tip's parent the tip again, with all that lies over it."""
        self.tip = below
        self.desk, self._desk_is_mine = self.past, self._past_is_mine
        self.past, self._past_is_mine = Desk(), True
        self.stored = frozenset()

    # Questions.

    @property
    def is_founded(self) -> bool:
        """Whether all seats have sealed the charter."""
        return self.tip.is_complete

    @property
    def may_sign(self) -> bool:
        """Whether this seat signs anything now."""
        fixed = self.fixed
        return (
            fixed.seat is not None
            and not self.is_reading
            and self.suspect is None
            and self.is_founded
            and fixed.duties.signs_on(self.own)
        )

    def sign(self, unsigned: SignedT) -> SignedT:
        """Return an object of this seat with its signature."""
        assert self.fixed.signer is not None, "a seat has a signer"
        return signed_by(self.fixed.signer, unsigned)

    def check(self, signed: Signed) -> None:
        """Raise unless a signed object is of this table and carries its seat's signature."""
        if signed.table != self.fixed.charter.table:
            raise PeerError(Reason.LEDGER_OTHER_TABLE)
        check_signed(self.fixed.checker, signed)

    def require_spoken_by(self, table: TableId, seat: Seat, sender: Seat | None) -> None:
        """Raise unless what is unsigned is of this table and speaks for the seat of its link."""
        if table != self.fixed.charter.table:
            raise PeerError(Reason.LEDGER_OTHER_TABLE)
        if seat >= len(self.fixed.charter.keys) or sender not in (None, seat):
            raise PeerError(Reason.LEDGER_WRONG_SENDER, f"speaks for seat {seat}")

    def base_of(self, entry: bytes) -> ChainEntry | None:
        """Return the tip or its parent, if that is what an id names."""
        if entry == self.tip.id:
            return self.tip
        below = self.tip.below
        return below if below is not None and entry == below.id else None

    def link_of(self, entry: bytes) -> ChainEntry | None:
        """Return a link near the tip, by its id."""
        for depth, link in enumerate(self.tip.downwards()):
            if link.id == entry:
                return link
            if depth > DEPTH_MAX:
                break
        return None

    def backed(self, entry: bytes, rank: int) -> bool:
        """Say whether the certificate of an entry with a rank is at hand, or not needed any more.

        Certificates rest on those of the height below, for as many heights in a row as were
        contested. Of an entry of this chain with so many above it nothing can be replaced, and what
        everybody has said of its rank stands in the entries over it; there the row ends.
        """
        if (entry, rank) in self.certificates or not self.fixed.duties.ranks_need_certificates:
            return True
        link = self.link_of(entry)
        return link is not None and link.height <= self.settled_height

    @property
    def settled_height(self) -> int:
        """Up to this height ranks need no certificates any more."""
        return self.tip.height - SETTLED_DEPTH

    def keep_certificate(self, certificate: Certificate) -> None:
        """Have a certificate at hand, as long as its height is near the tip."""
        key = (certificate.entry, certificate.rank)
        if key not in self.certificates:
            self.certificates = put(self.certificates, key, certificate)

    def drop_old_certificates(self) -> None:
        """Forget certificates far below the tip."""
        oldest = self.tip.height - DEPTH_MAX
        if any(_height(certificate) < oldest for certificate in self.certificates.values()):
            self.certificates = {
                key: value for key, value in self.certificates.items() if _height(value) >= oldest
            }

    def beside(self, *wanted: tuple[bytes, int]) -> tuple[Certificate, ...]:
        """Return the certificates of entries with ranks, after all that they rest on themselves.

        Where height after height was contested there may be more than a message holds. The deepest
        are left out then; they are of entries that are long final, and others hold them too.
        """
        return in_order(wanted, self.certificates)[-CERTIFICATES_MAX:]

    def beside_rank(self, link: ChainEntry, rank: int) -> tuple[Certificate, ...]:
        """Return what a statement that a link is held with a rank needs beside it."""
        return self.beside((link.id, rank)) if rank > 0 else ()

    def is_faulty(self, seat: Seat) -> bool:
        """Say whether a seat has left or is proven false."""
        has_left = seat == self.fixed.seat and self.own.leave is not None
        return has_left or seat in self.leaves or seat in self.proven

    def aside_of(self, seat: Seat) -> Iterable[Signed]:
        """Yield what is kept aside of a seat."""
        for (_, other, _), messages in self.ahead.items():
            if other == seat:
                yield from (signed for m in messages if (signed := signed_of(m)) is not None)

    def begin_suspicion(self) -> None:
        """Sign nothing until all others have said what this seat has signed; ask them."""
        if self.suspect is None and self.fixed.seat is not None:
            self.suspect = {}
            self.show(Suspect())
            self.send(Recall(self.fixed.charter.table, self.fixed.seat))

    def prove(self, evidence: Evidence | None) -> None:
        """Remember whom evidence names, once."""
        if evidence is not None and evidence.seat not in self.proven:
            self.proven = put(self.proven, evidence.seat, evidence)
            self.show(evidence)

    def count(self, slug: str) -> None:
        """Count something that was dropped."""
        self.counts = put(self.counts, slug, self.counts.get(slug, 0) + 1)

    def place(self, seat: Seat, height: int) -> None:
        """Remember that a seat has the entry of this chain at a height, as it has said."""
        self.hear(seat)
        if self.placed.get(seat, -1) < height:
            self.placed = put(self.placed, seat, height)

    def hear(self, seat: Seat) -> None:
        """Remember that a seat has said something since this one last voted over its tip."""
        if seat not in self.heard:
            self.heard = self.heard | {seat}

    def prune_own(self) -> None:
        """Forget own seals and contributions below the parent of the tip."""
        least = self.tip.height
        own = self.own
        self.own = replace(
            own,
            seals={key: seal for key, seal in own.seals.items() if seal.height >= least},
            contributions={
                key: one for key, one in own.contributions.items() if one.height >= least
            },
        )

    def prune_bound(self) -> None:
        """Forget what was bound under labels that no part can have again.

        The tip may still be replaced by an eviction over its parent, and then the labels of the
        parent come back; what lies under these two is all that can.
        """
        tip, own = self.tip, self.own
        anchors = {tip.anchor, tip.anchor if tip.below is None else tip.below.anchor}
        if any(anchor_of(label) not in anchors for label in own.bound):
            kept = {key: data for key, data in own.bound.items() if anchor_of(key) in anchors}
            self.own = replace(own, bound=kept)
        if any(anchor_of(label) not in anchors for _, label in self.bound):
            self.bound = {k: one for k, one in self.bound.items() if anchor_of(k[1]) in anchors}


def everything_of(desk: Desk, seat: Seat) -> Iterable[Signed]:
    """Yield the seals, contributions and votes of a seat on a desk."""
    for seals in desk.seals.values():
        if seat in seals:
            yield seals[seat]
    for votes in desk.votes.values():
        if seat in votes:
            yield votes[seat]
    if (one := desk.first_of(seat)) is not None:
        yield one


def _height(certificate: Certificate) -> Height:
    return (certificate.seals or certificate.votes)[0].height
