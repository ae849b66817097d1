"""What one seat has stored, as a value: the seat's share of a state.

Two journals are the same node if everything that can influence what happens next is the same: the
ledger that `recover` makes of them, the messages that the seat can send, and the messages that it
holds. The order in which they were stored matters only as far as the ledger shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from nodealer.kernel import Seat
from nodealer.ledger import (
    Certificate,
    Contribution,
    Entry,
    Evidence,
    Ledger,
    LedgerMessage,
    Seal,
    Vote,
)
from nodealer.ledger.desk import Desk
from nodealer.ledger.evidence import between
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted, signed_of
from nodealer.ledger.objects import Content, Evict, Signed


@dataclass(eq=False)
class Node:
    """A journal and what it comes to. Sets of messages are numbers with one bit for each."""

    number: int
    seat: Seat
    records: tuple[LedgerMessage, ...]
    read: Ledger
    """The ledger that has read all records, before it has started again."""
    ledger: Ledger
    sent: int
    known: int
    heard: int
    """Statements of others that are stored, see `against`."""
    against: int
    """Those of them that Byzantine seats have signed."""
    named: str | None = None
    is_guilty: bool = False
    """Whether this stands for journals that prove a Byzantine seat guilty."""
    twins: list[tuple[LedgerMessage, ...]] = field(default_factory=list)
    """Other journals that are the same node, a few, for the test that they are."""


def key_of(ledger: Ledger) -> tuple[object, ...]:
    """Return everything of a recovered ledger that can influence what it does next."""
    own = ledger.own
    return (
        past_of(ledger),
        frozenset(seal.body() for seal in own.seals.values()),
        frozenset(one.id for one in own.contributions.values()),
        frozenset(vote.body() for votes in own.votes.values() for vote in votes),
        (own.height, tuple(sorted(own.bound.items()))),
        ledger.suspect is None,
        held(ledger),
    )


def past_of(ledger: Ledger) -> tuple[object, ...]:
    """Return what a ledger has taken, whether it signs on, who holds its tip, and who is false."""
    own, tip = ledger.own, ledger.tip
    return (
        chain_of(ledger),
        (own.is_out, own.leave),
        frozenset(seat for seat, height in ledger.placed.items() if height >= tip.height),
        frozenset(ledger.proven),
    )


def chain_of(ledger: Ledger) -> tuple[tuple[bytes, int], ...]:
    """Return the entries of a ledger with the ranks by which it holds them, the tip first."""
    return tuple((bytes(link.id), link.rank) for link in ledger.tip.downwards())


def held(ledger: Ledger) -> tuple[object, ...]:
    """Return everything that receiving without storing can change, and that matters later."""
    return (
        _on(ledger.desk),
        _on(ledger.past),
        frozenset(ledger.proven),
        frozenset(ledger.leaves),
        frozenset(ledger.certificates),
        frozenset(ledger.placed.items()),
        frozenset(ledger.bound.items()),
    )


def _on(desk: Desk) -> tuple[object, ...]:
    return (
        frozenset(desk.contents),
        frozenset(desk.followed),
        frozenset(desk.refused),
        frozenset(desk.first.items()),
        frozenset(desk.contributions),
        frozenset((entry, seat) for entry, seals in desk.seals.items() for seat in seals),
        frozenset((seat, seal.entry) for seat, seal in desk.sealed.items()),
        frozenset(vote.body() for votes in desk.votes.values() for vote in votes.values()),
        frozenset((entry, rank) for entry, ranks in desk.results.items() for rank in ranks),
    )


def _shapes(*certificates: object) -> Iterator[object]:
    for one in certificates:
        if isinstance(one, Certificate):
            messages: tuple[Seal | Vote, ...] = (*one.seals, *one.votes)
            yield (one.rank, tuple(message.body() for message in messages), one.grounds)
        elif isinstance(one, tuple):
            yield tuple(_shapes(*one))


def plain(message: LedgerMessage) -> LedgerMessage:
    """Return what a seat has signed, without what lies beside the signature."""
    match message:
        case Voted(vote=vote):
            return Voted(vote)
        case Proposal(content=content, seal=seal):
            return Proposal(content, seal)
        case Sealed(seal=seal):
            return Sealed(seal)
        case _:
            return message


def identity(message: LedgerMessage) -> object:
    """Return what makes a message another one."""
    match message:
        case Entry(content=content, certificate=certificate, beside=beside):
            return ("entry", content.id, *_shapes(certificate, beside))
        case Voted(vote=vote, grounds=grounds, kept=kept, beside=beside):
            inner = None if kept is None else identity(kept)
            return (vote, grounds, inner, *_shapes(beside))
        case Proposal(seal=seal, beside=beside):
            return ("proposal", seal, *_shapes(beside))
        case Sealed(seal=seal, beside=beside):
            return ("sealed", seal, *_shapes(beside))
        case _:
            return message


def named_by(
    own: Iterable[LedgerMessage], stored: Iterable[LedgerMessage], codes: frozenset[str]
) -> str | None:
    """Return the code of evidence that a seat's own signatures make against it."""
    signed = [one for message in own if (one := signed_of(message) or _leave_of(message))]
    contents = tuple(contents_of(stored))
    for one, other in combinations(signed, 2):
        found: Evidence | None = between(one, other, contents)
        if found is not None and found.code in codes:
            return found.code
    return None


def contents_of(stored: Iterable[LedgerMessage]) -> Iterator[Content]:
    """Yield the contents of entries that messages hold."""
    for message in stored:
        if isinstance(message, Entry | Proposal):
            yield message.content
        elif isinstance(message, Voted) and message.kept is not None:
            yield message.kept.content


def all_signed(stored: Iterable[LedgerMessage]) -> Iterator[Signed]:
    """Yield everything signed that messages hold, by whomever."""
    for message in stored:
        match message:
            case Entry(contributions=contributions, certificate=certificate, beside=beside):
                yield from contributions
                for one in (certificate, *beside):
                    yield from one.seals
                    yield from one.votes
            case Voted(vote=vote, grounds=grounds, kept=kept, beside=beside):
                yield vote
                for ground in grounds:
                    if isinstance(ground, Evidence):
                        yield from ground.messages
                for one in beside:
                    yield from one.seals
                    yield from one.votes
                if kept is not None:
                    yield from all_signed([kept])
            case _:
                signed = signed_of(message) or _leave_of(message)
                if signed is not None:
                    yield signed


def _leave_of(message: LedgerMessage) -> Signed | None:
    return message.leave if isinstance(message, Left) else None


def author_of(message: LedgerMessage) -> Seat | None:
    """Return the seat that signed a message of one signature."""
    signed = signed_of(message) or _leave_of(message)
    return None if signed is None else signed.seat


def has_entry(message: LedgerMessage) -> bool:
    """Say whether a complete entry comes with a message."""
    return isinstance(message, Entry) or (isinstance(message, Voted) and message.kept is not None)


def is_told(message: LedgerMessage) -> bool:
    """Say whether a message is about the table's heights, not about its charter."""
    signed = signed_of(message) or _leave_of(message)
    return isinstance(message, Entry | Left) or (signed is not None and signed.height > 0)


def describe(message: LedgerMessage) -> str:  # noqa: PLR0911 - one line for each kind
    """Return a message in a few words."""
    match message:
        case Proposal(content=content, seal=seal):
            return f"proposal {content.id.hex()[:4]} of {seal.seat}"
        case Sealed(seal=seal):
            return f"seal {seal.entry.hex()[:4]} of {seal.seat} rank {seal.rank}"
        case Contributed(contribution=one):
            return f"contribution {one.id.hex()[:4]} of {one.seat}: {_payloads(one)}"
        case Voted(vote=vote):
            return f"vote of {vote.seat} at {vote.height} round {vote.round}: {_choice(vote)}"
        case Entry(content=content, certificate=certificate):
            return f"entry {content.id.hex()[:4]} at {content.height} rank {certificate.rank}"
        case Left(leave=leave):
            return f"leave of {leave.seat}"
        case Refused(refusal=refusal):
            return f"refusal of {refusal.seat}: {refusal.reason}"
        case _:
            return type(message).__name__


def _payloads(one: Contribution) -> str:
    return "+".join(data.decode() for _, data in one.payloads)


def _choice(vote: Vote) -> str:
    choice = vote.choice
    rank = f", states rank {vote.rank}" if vote.rank else ""
    if isinstance(choice, Evict):
        return f"evict {list(choice.seats)}{rank}"
    return f"keep {choice.entry.hex()[:4]} rank {choice.rank}{rank}"


def bits(numbers: Iterable[int]) -> int:
    """Return a set of numbers as a number with one bit for each."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def ones(mask: int) -> list[int]:
    """Return the numbers of a set, in ascending order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def path_words(path: Sequence[str]) -> str:
    """Return the moves of a path as numbered lines."""
    return "\n".join(f"{number:3}. {words}" for number, words in enumerate(path, 1))
