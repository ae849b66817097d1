"""The certificate of an entry, complete by the seals of all or by the votes of a round.

    rank 0      a seal of every seat of the roster over the parent
    rank k      votes of round k over the base: `evict(W)` by all of the roster without W, where
                these are a majority or every member of W has left or is proven false; or `keep`
                of one entry by a majority

`check_certificate` reads a certificate of somebody else, `complete_by_seals` and `results` find
what the messages in hand make complete. Both go through the same conditions, so that whoever
completes an entry can convince whoever reads it.

Stated ranks. A seal or vote says by which rank its signer holds the parent, and a `keep` names a
rank of the entry. Above 0 such a statement counts only with the certificate of that rank; `Backing`
answers whether it is at hand. Otherwise an overstated rank would hide that a seat regressed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from nodealer.kernel import EntryId, PeerError, Reason, Seat
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.objects import (
    Certificate,
    Content,
    Evict,
    EvictStep,
    Ground,
    Keep,
    Seal,
    Vote,
)

Backing: TypeAlias = Callable[[bytes, int], bool]
"""Whether the certificate of an entry with a rank is at hand; rank 0 of a parent needs none."""


def gone(grounds: Iterable[Ground]) -> frozenset[Seat]:
    """Return the seats that grounds speak of."""
    return frozenset(ground.seat for ground in grounds)


def is_valid_evict(
    base: ChainEntry, voters: Sequence[Seat], seats: Sequence[Seat], out: frozenset[Seat]
) -> bool:
    """Say whether `voters` may leave out `seats`: they are a majority, or all these are out."""
    return bool(seats) and (base.is_majority(len(voters)) or all(seat in out for seat in seats))


def without(roster: Iterable[Seat], seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the roster without these seats."""
    left = frozenset(seats)
    return tuple(seat for seat in roster if seat not in left)


def complete_by_seals(
    base: ChainEntry, content: Content, seals: Mapping[Seat, Seal]
) -> Certificate | None:
    """Return the certificate of rank 0 if every seat of the roster has sealed."""
    if isinstance(content.step, EvictStep) or any(seat not in seals for seat in base.roster):
        return None
    return Certificate(content.id, 0, seals=tuple(seals[seat] for seat in base.roster))


def kept_in(
    base: ChainEntry, number: int, votes: Mapping[Seat, Vote]
) -> tuple[EntryId, Certificate] | None:
    """Return the entry that a majority keeps in a round, with its certificate."""
    by_entry: dict[EntryId, list[Vote]] = {}
    for seat in base.roster:
        vote = votes.get(seat)
        if vote is not None and isinstance(vote.choice, Keep):
            by_entry.setdefault(vote.choice.entry, []).append(vote)
    for entry, keeps in by_entry.items():
        if base.is_majority(len(keeps)):
            return entry, Certificate(entry, number, votes=tuple(keeps))
    return None


def evicted_in(
    base: ChainEntry, votes: Mapping[Seat, Vote], grounds: Mapping[Seat, Ground]
) -> tuple[tuple[Seat, ...], tuple[Vote, ...], tuple[Ground, ...]] | None:
    """Return the seats that a round leaves out, with the votes and, where needed, the grounds."""
    for seats in {v.choice.seats for v in votes.values() if isinstance(v.choice, Evict)}:
        stay = without(base.roster, seats)
        cast = [votes[seat] for seat in stay if seat in votes]
        if len(cast) != len(stay) or any(v.choice != Evict(seats) for v in cast):
            continue
        if base.is_majority(len(stay)):
            return seats, tuple(cast), ()
        if all(seat in grounds for seat in seats):
            return seats, tuple(cast), tuple(grounds[seat] for seat in seats)
    return None


def check_certificate(
    base: ChainEntry,
    content: Content,
    certificate: Certificate,
    backed: Backing,
) -> None:
    """Raise `PeerError` unless the certificate makes the content complete over the base.

    Signatures, and whether its grounds hold, are for the caller to check.
    """
    if certificate.entry != content.id or content.parent != base.id:
        raise _refused("another entry")
    if certificate.rank == 0:
        _check_seals(base, content, certificate, backed)
    else:
        _check_votes(base, content, certificate, backed)


def stated(certificate: Certificate) -> tuple[tuple[EntryId, int], ...]:
    """Return which entries with which ranks the messages of a certificate rest on."""
    base = certificate.messages[0].parent
    found: dict[tuple[EntryId, int], None] = {}
    for message in certificate.messages:
        if message.rank > 0:
            found[base, message.rank] = None
        if isinstance(message, Vote) and isinstance(message.choice, Keep):
            found[message.choice.entry, message.choice.rank] = None
    return tuple(found)


def in_order(
    wanted: Iterable[tuple[bytes, int]], known: Mapping[tuple[bytes, int], Certificate]
) -> tuple[Certificate, ...]:
    """Return the certificates of entries with ranks, each after all that it rests on itself."""
    found: dict[tuple[bytes, int], Certificate] = {}
    seen: set[tuple[bytes, int]] = set()  # what is not checked yet may rest on itself

    def collect(key: tuple[bytes, int]) -> None:
        certificate = known.get(key)
        if certificate is None or key in seen:
            return
        seen.add(key)
        for needed in stated(certificate):
            collect(needed)
        found[key] = certificate

    for key in wanted:
        collect(key)
    return tuple(found.values())


def _check_seals(
    base: ChainEntry, content: Content, certificate: Certificate, backed: Backing
) -> None:
    if isinstance(content.step, EvictStep) or certificate.votes:
        raise _refused("an eviction needs votes")
    if tuple(seal.seat for seal in certificate.seals) != base.roster:
        raise _refused("not the seals of the roster")
    for seal in certificate.seals:
        place = (seal.table, seal.height, seal.parent, seal.entry)
        if place != (base.table, content.height, base.id, content.id):
            raise _refused("a seal of something else")
        _require_backed(backed, base.id, seal.rank)


def _check_votes(
    base: ChainEntry, content: Content, certificate: Certificate, backed: Backing
) -> None:
    votes = certificate.votes
    voters = tuple(vote.seat for vote in votes)
    if certificate.seals or tuple(sorted(set(voters))) != voters:
        raise _refused("votes in disorder")
    for vote in votes:
        place = (vote.table, vote.height, vote.base, vote.round)
        if place != (base.table, content.height, base.id, certificate.rank):
            raise _refused("a vote on something else")
        if vote.seat not in base.roster:
            raise _refused("a vote of a seat that is out")
        _require_backed(backed, base.id, vote.rank)
    if votes and isinstance(votes[0].choice, Keep):
        _check_keeps(base, content, votes, backed)
    else:
        _check_evicts(base, content, certificate, voters)


def _check_keeps(
    base: ChainEntry, content: Content, votes: Sequence[Vote], backed: Backing
) -> None:
    for vote in votes:
        choice = vote.choice
        if not isinstance(choice, Keep) or choice.entry != content.id or choice.rank >= vote.round:
            raise _refused("not all keep this entry")
        if not backed(content.id, choice.rank):
            raise _refused("the kept entry is not shown to be complete")
    if not base.is_majority(len(votes)):
        raise _refused("no majority")


def _check_evicts(
    base: ChainEntry, content: Content, certificate: Certificate, voters: tuple[Seat, ...]
) -> None:
    step = content.step
    if not isinstance(step, EvictStep) or step.round != certificate.rank:
        raise _refused("not the eviction of this round")
    if voters != without(base.roster, step.seats) or not set(step.seats) <= set(base.roster):
        raise _refused("not the votes of all who stay")
    if any(vote.choice != Evict(step.seats) for vote in certificate.votes):
        raise _refused("not all leave out the same seats")
    if not is_valid_evict(base, voters, step.seats, gone(certificate.grounds)):
        raise _refused("neither a majority nor grounds")


def _require_backed(backed: Backing, parent: EntryId, rank: int) -> None:
    if rank > 0 and not backed(parent, rank):
        raise _refused("a stated rank without its certificate")


def _refused(detail: str) -> PeerError:
    return PeerError(Reason.LEDGER_CERTIFICATE, detail)
