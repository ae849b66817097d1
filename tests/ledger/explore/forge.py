"""What may be told to a seat: what others have sent, and whatever Byzantine seats make up.

Others' signatures arrive with what their readers need beside them: certificates made of all that
was sent, and of what Byzantine seats sign for them. Whole entries that were complete by votes are
handed on by anybody.

A Byzantine seat has no state: whatever it could sign it may sign at any time, again and
differently. So nothing of it is part of a state, and what it may tell a seat follows from that
seat's chain and from what the others have sent. It may

    propose, contribute     two variants each
    seal                    every entry over the tip
    vote                    over the tip and all below it, in every round up to `rounds`: to leave
                            out anybody whom a majority may leave out, or to keep any entry by any
                            rank for which there is a certificate; stating any rank of the base that
                            the reader holds a certificate of, or 0

What is left out, and why nothing is lost:

- The second variant is made up only over a base that somebody has sealed over. Until then both are
  alike, so whichever is used first may be called the first.
- A seal that states the rank of the last round contradicts no vote (only E4 compares a seal with
  votes, those of later rounds), so where its reader has that certificate no seal states less.
- Byzantine seats add their votes to a certificate only where it would not be complete without. The
  fewer there are, the less is known against them.
- A seal states no rank whose certificate its reader lacks. It comes after that certificate, which
  is handed on as an entry.
- For the same reason a vote states no rank whose certificate its reader still lacks.
- A vote that breaks the rules by its own fields only names its seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import (
    Authored,
    AuthoredStep,
    Certificate,
    ChainEntry,
    Contribution,
    Entry,
    LedgerMessage,
    Seal,
    Vote,
)
from nodealer.ledger.certificates import stated, without
from nodealer.ledger.chain import Followed, authored, eviction, settled
from nodealer.ledger.messages import Contributed, Proposal, Sealed, Voted, signed_of
from nodealer.ledger.objects import CONTRIBUTION, SEAL, VOTE, Choice, Evict, Keep
from tests.ledger.explore.table import SIGNATURE, SignatureTable

VARIANTS = (b"x", b"y")


def evictable(base: ChainEntry, voter: Seat) -> Iterator[tuple[Seat, ...]]:
    """Yield the seats that a majority with this voter may leave out over a base."""
    others = without(base.roster, [voter])
    for size in range(1, len(others) + 1):
        if base.is_majority(len(base.roster) - size):
            yield from combinations(others, size)


@dataclass
class Known:
    """The entries and certificates that can be made over the links of a chain."""

    followed: dict[EntryId, Followed] = field(default_factory=dict)
    certificates: dict[tuple[bytes, int], Certificate] = field(default_factory=dict)

    def ranks(self, entry: bytes) -> list[int]:
        """Return the ranks by which an entry can be shown to be complete."""
        return sorted(rank for name, rank in self.certificates if name == entry)

    def beside(
        self, base: ChainEntry, wanted: Iterable[tuple[bytes, int]]
    ) -> tuple[Certificate, ...]:
        """Return certificates after all that they rest on."""
        found: dict[tuple[bytes, int], Certificate] = {}
        over = {link.id: link.below for link in base.downwards()}

        def collect(key: tuple[bytes, int], below: ChainEntry | None) -> None:
            certificate = self.certificates.get(key)
            if certificate is None or key in found or below is None:
                return
            for needed in stated(certificate):
                is_parent = needed[0] == below.id
                collect(needed, over.get(below.id) if is_parent else below)
            found[key] = certificate

        for key in wanted:
            collect(key, over[base.id] if key[0] == base.id else base)
        return tuple(found.values())


class Forger:
    """The Byzantine seats of a table, all of one mind."""

    def __init__(
        self,
        seats: Sequence[Seat],
        table: SignatureTable,
        *,
        rounds: int,
        heights: int,
        overstates: bool = False,
        names_only: bool = False,
    ) -> None:
        self.seats = tuple(seats)
        self.table = table
        self.rounds = rounds
        self.heights = heights
        self.overstates = overstates
        self.names_only = names_only

    def offers(
        self,
        tip: ChainEntry,
        held: Known,
        sent: Sequence[LedgerMessage],
        own: Sequence[LedgerMessage],
    ) -> Iterator[LedgerMessage]:
        """Yield what may be told to a seat with this tip, when others and itself have sent this."""
        known = Known(dict(held.followed), dict(held.certificates))
        bases = [link for link in tip.downwards() if link.height < self.heights]
        everything = (*sent, *own)
        for base in reversed(bases):
            for followed in self._entries(base, everything):
                known.followed.setdefault(followed.content.id, followed)
            self._complete(base, known, everything)
        over = {link.id: link for link in bases}
        for message in sent:
            yield self._dressed(message, over, known)
        for base in bases:
            is_near = base in (tip, tip.below)
            for seat in self.seats:
                if seat in base.roster:
                    ranks = self._at_hand(base, held)
                    if base is tip:
                        for_seals = self._for_seals(ranks)
                        yield from self._over_tip(seat, base, known, everything, for_seals)
                    for_votes = self._for_seals(ranks) if self.names_only else ranks
                    yield from self._votes(seat, base, known, for_votes)
            if is_near:
                yield from self._handed_on(base, known)

    # Messages.

    def _dressed(
        self, message: LedgerMessage, over: Mapping[EntryId, ChainEntry], known: Known
    ) -> LedgerMessage:
        """Return what a seat has signed, with what its readers need beside it."""
        match message:
            case Proposal(content=content, seal=seal) if seal.rank:
                return Proposal(content, seal, _backing(over[seal.parent], seal.rank, known))
            case Sealed(seal=seal) if seal.rank:
                return Sealed(seal, _backing(over[seal.parent], seal.rank, known))
            case Voted(vote=vote):
                base, choice = over[vote.base], vote.choice
                beside = _backing(base, vote.rank, known) if vote.rank else ()
                if isinstance(choice, Evict):
                    return Voted(vote, message.grounds, None, beside)
                key = (choice.entry, choice.rank)
                if key in known.certificates and choice.entry in known.followed:
                    followed = known.followed[choice.entry]
                    kept = self._entry(base, known, followed, choice.rank)
                    return Voted(vote, (), kept, beside)
                return message
            case _:
                return message

    def _at_hand(self, base: ChainEntry, held: Known) -> list[int]:
        """Return the ranks of a base that may be stated to a seat which holds this."""
        ranks = {0, *held.ranks(base.id)} if base.content is not None else {0}
        if self.overstates and base.content is not None:
            ranks.add(self.rounds)
        return sorted(ranks)

    def _for_seals(self, ranks: Sequence[int]) -> Sequence[int]:
        """Return the ranks that a seal may state, without those that only prove more."""
        return ranks[-1:] if ranks[-1] >= self.rounds else ranks

    def _over_tip(
        self,
        seat: Seat,
        base: ChainEntry,
        known: Known,
        sent: Sequence[LedgerMessage],
        ranks: Sequence[int],
    ) -> Iterator[LedgerMessage]:
        for rank in ranks:
            for followed in self._over(base, known):
                seal = self.seal(seat, base, followed.content.id, rank)
                step = followed.content.step
                if isinstance(step, AuthoredStep) and step.seat == seat:
                    yield Proposal(followed.content, seal)
                elif not _is_eviction(followed):
                    yield Sealed(seal)
        if base.owed_by(seat):
            yield from map(Contributed, self._contributions(seat, base, sent))

    def _votes(
        self, seat: Seat, base: ChainEntry, known: Known, ranks: Sequence[int]
    ) -> Iterator[LedgerMessage]:
        for rank in ranks:
            for number in range(1, self.rounds + 1):
                for out in evictable(base, seat):
                    yield Voted(self.vote(seat, base, rank, number, Evict(out)))
                for followed in self._over(base, known):
                    yield from self._keeps(seat, base, known, followed, (rank, number))

    def _keeps(
        self,
        seat: Seat,
        base: ChainEntry,
        known: Known,
        followed: Followed,
        vote_of: tuple[int, int],
    ) -> Iterator[LedgerMessage]:
        rank, number = vote_of
        entry = followed.content.id
        for kept_rank in known.ranks(entry):
            if kept_rank < number:
                vote = self.vote(seat, base, rank, number, Keep(entry, kept_rank))
                yield Voted(vote, (), self._entry(base, known, followed, kept_rank))

    def _handed_on(self, base: ChainEntry, known: Known) -> Iterator[LedgerMessage]:
        for followed in self._over(base, known):
            for rank in known.ranks(followed.content.id):
                if rank > 0:
                    yield self._entry(base, known, followed, rank)

    def _entry(self, base: ChainEntry, known: Known, followed: Followed, rank: int) -> Entry:
        key = (followed.content.id, rank)
        beside = known.beside(base, [key])[:-1]
        return Entry(followed.content, followed.contributions, known.certificates[key], beside)

    def _over(self, base: ChainEntry, known: Known) -> Iterator[Followed]:
        for followed in known.followed.values():
            if followed.content.parent == base.id:
                yield followed

    # Entries over a base.

    def _entries(self, base: ChainEntry, sent: Sequence[LedgerMessage]) -> Iterator[Followed]:
        if isinstance(base.duty, Authored):
            for message in sent:
                if isinstance(message, Proposal) and message.content.parent == base.id:
                    step = message.content.step
                    assert isinstance(step, AuthoredStep), "only these are proposed"
                    yield authored(base, step.seat, step.action)
            if base.duty.seat in self.seats:
                yield from self._variants(base, base.duty.seat, sent)
        elif base.parts:
            yield from self._settled(base, sent)

    def _variants(
        self, base: ChainEntry, seat: Seat, sent: Sequence[LedgerMessage]
    ) -> Iterator[Followed]:
        first, second = (authored(base, seat, action) for action in VARIANTS)
        yield first
        if _is_sealed(base, sent):
            yield second

    def _settled(self, base: ChainEntry, sent: Sequence[LedgerMessage]) -> Iterator[Followed]:
        given: dict[Seat, list[Contribution]] = {
            seat: self._contributions(seat, base, sent) if seat in self.seats else []
            for seat in base.owing()
        }
        for message in sent:
            if isinstance(message, Contributed) and message.contribution.parent == base.id:
                one = message.contribution
                if one not in given[one.seat]:
                    given[one.seat].append(one)
        wholes: list[list[Contribution]] = [[]]
        for seat in base.owing():
            wholes = [[*whole, one] for whole in wholes for one in given[seat]]
        for whole in wholes:
            yield settled(base, whole)

    # Certificates over a base.

    def _complete(self, base: ChainEntry, known: Known, sent: Sequence[LedgerMessage]) -> None:
        by_seals = [f for f in self._over(base, known) if not _is_eviction(f)]
        for followed in by_seals:
            certificate = self._by_seals(base, followed.content.id, sent)
            if certificate is not None:
                known.certificates.setdefault((followed.content.id, 0), certificate)
        for number in range(1, self.rounds + 1):
            for followed, certificate in list(self._by_votes(base, number, known, sent)):
                known.followed.setdefault(followed.content.id, followed)
                known.certificates.setdefault((followed.content.id, number), certificate)

    def _by_seals(
        self, base: ChainEntry, entry: EntryId, sent: Sequence[LedgerMessage]
    ) -> Certificate | None:
        seals = {s: self.seal(s, base, entry, 0) for s in self.seats if s in base.roster}
        for message in sent:
            signed = signed_of(message)
            if isinstance(signed, Seal) and (signed.parent, signed.entry) == (base.id, entry):
                seals.setdefault(signed.seat, signed)
        if any(seat not in seals for seat in base.roster):
            return None
        return Certificate(entry, 0, seals=tuple(seals[seat] for seat in base.roster))

    def _by_votes(
        self, base: ChainEntry, number: int, known: Known, sent: Sequence[LedgerMessage]
    ) -> Iterator[tuple[Followed, Certificate]]:
        honest = [
            signed
            for message in sent
            if isinstance(signed := signed_of(message), Vote)
            and (signed.base, signed.round) == (base.id, number)
        ]
        for out in dict.fromkeys(v.choice.seats for v in honest if isinstance(v.choice, Evict)):
            votes = {v.seat: v for v in honest if v.choice == Evict(out)}
            self._join(votes, base, number, Evict(out), out)
            if tuple(sorted(votes)) == without(base.roster, out):
                followed = eviction(base, number, out)
                cast = tuple(votes[seat] for seat in sorted(votes))
                yield followed, Certificate(followed.content.id, number, votes=cast)
        for followed in list(self._over(base, known)):
            entry = followed.content.id
            ranks = [rank for rank in known.ranks(entry) if rank < number]
            votes = {
                v.seat: v for v in honest if isinstance(v.choice, Keep) and v.choice.entry == entry
            }
            if ranks and votes:
                if not base.is_majority(len(votes)):
                    self._join(votes, base, number, Keep(entry, ranks[-1]), ())
                if base.is_majority(len(votes)):
                    cast = tuple(votes[seat] for seat in sorted(votes))
                    yield followed, Certificate(entry, number, votes=cast)

    def _join(
        self,
        votes: dict[Seat, Vote],
        base: ChainEntry,
        number: int,
        choice: Choice,
        out: Sequence[Seat],
    ) -> None:
        for seat in self.seats:
            if seat in base.roster and seat not in out:
                votes.setdefault(seat, self.vote(seat, base, 0, number, choice))

    # Signatures.

    def _contributions(
        self, seat: Seat, base: ChainEntry, sent: Sequence[LedgerMessage]
    ) -> list[Contribution]:
        first, second = (self.contribution(seat, base, data) for data in VARIANTS)
        return [first, second] if _is_sealed(base, sent) else [first]

    def contribution(self, seat: Seat, base: ChainEntry, data: bytes) -> Contribution:
        """Sign a contribution."""
        payloads = tuple((part.label, data) for part in base.owed_by(seat))
        height = Height(base.height + 1)
        one = Contribution(base.table, height, base.id, seat, payloads, (), SIGNATURE)
        self.table.sign_as(seat, CONTRIBUTION, one.body())
        return one

    def seal(self, seat: Seat, base: ChainEntry, entry: EntryId, rank: int) -> Seal:
        """Sign a seal."""
        height = Height(base.height + 1)
        seal = Seal(base.table, height, base.id, entry, rank, seat, SIGNATURE)
        self.table.sign_as(seat, SEAL, seal.body())
        return seal

    def vote(self, seat: Seat, base: ChainEntry, rank: int, number: int, choice: Choice) -> Vote:
        """Sign a vote."""
        height = Height(base.height + 1)
        vote = Vote(base.table, height, base.id, rank, number, choice, seat, SIGNATURE)
        self.table.sign_as(seat, VOTE, vote.body())
        return vote


def _is_sealed(base: ChainEntry, sent: Sequence[LedgerMessage]) -> bool:
    signed = map(signed_of, sent)
    return any(isinstance(one, Seal) and one.parent == base.id for one in signed)


def _backing(base: ChainEntry, rank: int, known: Known) -> tuple[Certificate, ...]:
    return known.beside(base, [(base.id, rank)])


def _is_eviction(followed: Followed) -> bool:
    return not followed.contributions and not isinstance(followed.content.step, AuthoredStep)
