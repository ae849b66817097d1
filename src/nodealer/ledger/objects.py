"""The objects of the protocol: what is hashed, what is signed, and what lies beside a signature.

Every object is a frozen value. Its *body* is the list of its fields without the signature; its id
is the hash of the frame of domain and body, and a signature covers that same frame, so that an
object of one kind is void as any other. Two objects *differ* if their bodies do: signatures and
certificates never make a difference.

    charter         what all seats agree on before the first entry; its id is the table
    content         one transition whole; names its parent and the state after it
    contribution    what one seat owes to a due step
    seal            "I countersign this content over this parent"
    vote            "in this round, over this base: evict these seats" or "keep this entry"
    refusal         "replay refuses this, for this reason"
    leave           "I sign nothing more than this"

A *certificate* shows that an entry is complete: of rank 0 by a seal of every seat of the roster,
of rank k by the votes of round k. Seals and votes state the rank by which their signer holds the
parent; whoever reads a stated rank above 0 needs the certificate of that rank as well. Such
certificates, and the grounds of an eviction, travel *beside* the signature and are never evidence.
A certificate is flat: what its own messages rest on travels as further certificates, the lowest
height first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from nodealer.kernel import ID_BYTES, EntryId, Height, Seat, TableId, Value, digest, frame

VERSION: Final = 1

CHARTER: Final = "nodealer/1/charter"
CONTENT: Final = "nodealer/1/content"
CONTRIBUTION: Final = "nodealer/1/contribution"
SEAL: Final = "nodealer/1/seal"
VOTE: Final = "nodealer/1/vote"
REFUSAL: Final = "nodealer/1/refusal"
LEAVE: Final = "nodealer/1/leave"

NO_PARENT: Final = EntryId(bytes(32))
"""What the seals of the charter name as their parent."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of a table, in ticks: to act, to answer, to come back, and the longest wait."""

    act: int
    answer: int
    rejoin: int
    longest: int


@dataclass(frozen=True, slots=True)
class Charter:
    """The agreement of all seats: rules and options (opaque here), clock, keys by seat, policy."""

    terms: bytes
    clock: Clock
    keys: tuple[bytes, ...]
    policy: str
    table: TableId = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Hash once."""
        object.__setattr__(self, "table", TableId(digest(CHARTER, self.body())))

    def body(self) -> Value:
        """Return the fields that are hashed."""
        clock = self.clock
        times = (clock.act, clock.answer, clock.rejoin, clock.longest)
        return (VERSION, self.terms, times, self.keys, self.policy)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the table."""
        return tuple(Seat(number) for number in range(len(self.keys)))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a due step, under the label that is its own at this point of the history."""

    label: bytes
    kind: str
    seats: tuple[Seat, ...]
    binding: bool
    chained: bool


@dataclass(frozen=True, slots=True)
class AuthoredStep:
    """An action of the seat on turn."""

    seat: Seat
    action: bytes

    def body(self) -> Value:
        """Return the fields that are hashed."""
        return ("authored", self.seat, self.action)


@dataclass(frozen=True, slots=True)
class DueStep:
    """Parts owed by the seats that the state names."""

    parts: tuple[Part, ...]

    def body(self) -> Value:
        """Return the fields that are hashed."""
        parts = tuple((p.label, p.kind, p.seats, p.binding, p.chained) for p in self.parts)
        return ("due", parts)


@dataclass(frozen=True, slots=True)
class EvictStep:
    """Seats that are left out, by the votes of a round."""

    round: int
    seats: tuple[Seat, ...]

    def body(self) -> Value:
        """Return the fields that are hashed."""
        return ("evict", self.round, self.seats)


EntryStep: TypeAlias = AuthoredStep | DueStep | EvictStep


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """One transition whole; equal to another if the ids are equal."""

    table: TableId
    height: Height
    parent: EntryId
    step: EntryStep
    contributions: tuple[tuple[Seat, bytes], ...]
    state: bytes
    id: EntryId = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Hash once."""
        object.__setattr__(self, "id", EntryId(digest(CONTENT, self.body())))

    def body(self) -> Value:
        """Return the fields that are hashed."""
        step = self.step.body()
        return (self.table, self.height, self.parent, step, self.contributions, self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Content) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """A seat's payloads for the parts it owes, and the contributions that they build on."""

    table: TableId
    height: Height
    parent: EntryId
    seat: Seat
    payloads: tuple[tuple[bytes, bytes], ...]
    on: tuple[bytes, ...]
    signature: bytes
    id: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Hash once."""
        object.__setattr__(self, "id", digest(CONTRIBUTION, self.body()))

    def body(self) -> Value:
        """Return the fields that are signed."""
        return (self.table, self.height, self.parent, self.seat, self.payloads, self.on)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contribution) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Seal:
    """A seat's countersignature on the content `entry` over `parent`, held with `rank`."""

    table: TableId
    height: Height
    parent: EntryId
    entry: EntryId
    rank: int
    seat: Seat
    signature: bytes

    def body(self) -> Value:
        """Return the fields that are signed."""
        return (self.table, self.height, self.parent, self.entry, self.rank, self.seat)


@dataclass(frozen=True, slots=True)
class Evict:
    """The choice to leave seats out."""

    seats: tuple[Seat, ...]

    def body(self) -> Value:
        """Return the fields that are signed."""
        return ("evict", self.seats)


@dataclass(frozen=True, slots=True)
class Keep:
    """The choice to keep an entry that is complete with a rank."""

    entry: EntryId
    rank: int

    def body(self) -> Value:
        """Return the fields that are signed."""
        return ("keep", self.entry, self.rank)


Choice: TypeAlias = Evict | Keep


@dataclass(frozen=True, slots=True)
class Vote:
    """A seat's choice in a round that settles `height` over `base`, held with `rank`."""

    table: TableId
    height: Height
    base: EntryId
    rank: int
    round: int
    choice: Choice
    seat: Seat
    signature: bytes

    def body(self) -> Value:
        """Return the fields that are signed."""
        choice = self.choice.body()
        return (self.table, self.height, self.base, self.rank, self.round, choice, self.seat)

    @property
    def parent(self) -> EntryId:
        """The base: the entry over which it is cast, as others are signed over a parent."""
        return self.base


@dataclass(frozen=True, slots=True)
class Refusal:
    """A seat's signed "no" to a content or contribution, with a reason that replay can check."""

    table: TableId
    height: Height
    parent: EntryId
    refused: bytes
    reason: str
    over: tuple[bytes, ...]
    seat: Seat
    signature: bytes

    def body(self) -> Value:
        """Return the fields that are signed."""
        place = (self.table, self.height, self.parent)
        return (*place, self.refused, self.reason, self.over, self.seat)


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat's last word: the greatest height it has signed at, and its last round there."""

    table: TableId
    height: Height
    tip: EntryId
    round: int
    seat: Seat
    signature: bytes

    def body(self) -> Value:
        """Return the fields that are signed."""
        return (self.table, self.height, self.tip, self.round, self.seat)


Signed: TypeAlias = Contribution | Seal | Vote | Refusal | Leave

DOMAINS: Final[dict[type, str]] = {
    Contribution: CONTRIBUTION,
    Seal: SEAL,
    Vote: VOTE,
    Refusal: REFUSAL,
    Leave: LEAVE,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Signed messages that name a seat, with the contents and contributions that they speak of."""

    code: str
    seat: Seat
    messages: tuple[Signed, ...]
    contents: tuple[Content, ...] = ()

    @property
    def height(self) -> int:
        """The height that it speaks of: the greatest of its messages."""
        return max(one.height for one in self.messages)


Ground: TypeAlias = Leave | Evidence


@dataclass(frozen=True, slots=True)
class Certificate:
    """The completion of an entry with a rank; `grounds` for seats that no majority left out."""

    entry: EntryId
    rank: int
    seals: tuple[Seal, ...] = ()
    votes: tuple[Vote, ...] = ()
    grounds: tuple[Ground, ...] = ()

    @property
    def messages(self) -> tuple[Seal | Vote, ...]:
        """The seals or votes that make the entry complete."""
        return (*self.seals, *self.votes)


def over(signed: Signed) -> EntryId | None:
    """Return the entry over which something was signed; a leave is over none."""
    return None if isinstance(signed, Leave) else signed.parent


def label_of(kind: str, purpose: str, anchor: EntryId) -> bytes:
    """Return the label of a part; `anchor` is the last entry of the chain that evicts nobody."""
    return frame(kind, purpose, anchor)


def anchor_of(label: bytes) -> bytes:
    """Return the anchor that a label ends with."""
    return label[-ID_BYTES:]
