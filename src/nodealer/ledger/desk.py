"""The desk of a seat over one base: everything unfinished, bounded for every seat.

Two desks exist at a time: over the tip, where the next entry is made, and over the tip's parent,
where a round may still replace the tip. For each seat and base there is one contribution, one seal
and one vote for a round; a second one is kept only where it contradicts the first, because then
the two are evidence. So nobody can fill a desk.

A desk decides nothing. It files messages whose signatures were checked, and says what they make
complete. The ledger that holds a desk treats it as a value: a draft copies it before it writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from nodealer.kernel import EntryId, Seat
from nodealer.ledger.chain import ChainEntry, Followed
from nodealer.ledger.objects import Certificate, Content, Contribution, Refusal, Seal, Vote

K = TypeVar("K")
V = TypeVar("V")

ROUNDS_MAX: Final = 64
"""Votes of rounds further ahead than this are not kept."""

CONTENTS_MAX: Final = 32
"""Contents over one base: two of an author, and the results of rounds."""


@dataclass(slots=True)
class Desk:
    """The messages over one base."""

    contents: dict[EntryId, Content] = field(default_factory=dict)
    refused: dict[bytes, str] = field(default_factory=dict)
    followed: dict[EntryId, Followed] = field(default_factory=dict)
    contributions: dict[bytes, Contribution] = field(default_factory=dict)
    first: dict[Seat, bytes] = field(default_factory=dict)
    judged: frozenset[bytes] = frozenset()
    seals: dict[EntryId, dict[Seat, Seal]] = field(default_factory=dict)
    sealed: dict[Seat, Seal] = field(default_factory=dict)
    votes: dict[int, dict[Seat, Vote]] = field(default_factory=dict)
    refusals: dict[tuple[Seat, bytes], Refusal] = field(default_factory=dict)
    results: dict[EntryId, dict[int, Certificate]] = field(default_factory=dict)

    def copy(self) -> Desk:
        """Return a desk that can be written to without changing this one."""
        return Desk(
            dict(self.contents),
            dict(self.refused),
            dict(self.followed),
            dict(self.contributions),
            dict(self.first),
            self.judged,
            dict(self.seals),
            dict(self.sealed),
            dict(self.votes),
            dict(self.refusals),
            dict(self.results),
        )

    def first_of(self, seat: Seat) -> Contribution | None:
        """Return the contribution of a seat that came first."""
        name = self.first.get(seat)
        return None if name is None else self.contributions[name]

    def whole_set(self, base: ChainEntry) -> tuple[Contribution, ...] | None:
        """Return a good contribution of every seat that owes one over the base, if there are.

        A seat that contradicts itself may have led others to build on different contributions;
        those are taken that are built on, and none if that does not fit together.
        """
        named: dict[Seat, bytes] = {}
        found: list[Contribution] = []
        for seat in reversed(base.owing()):
            name = named.get(seat, self.first.get(seat))
            if name is None or name not in self.judged:
                return None
            one = self.contributions[name]
            found.append(one)
            for before, wanted in zip(base.predecessors(seat), one.on, strict=True):
                if named.setdefault(before, wanted) != wanted:
                    return None
        return tuple(reversed(found))

    def is_split(self) -> bool:
        """Say whether seats have sealed different contents over the base."""
        return len(self.seals) > 1

    def file_seal(self, seal: Seal) -> None:
        """File a seal; the inner table is replaced, never written to."""
        self.seals[seal.entry] = {**self.seals.get(seal.entry, {}), seal.seat: seal}
        self.sealed.setdefault(seal.seat, seal)

    def file_vote(self, vote: Vote) -> None:
        """File the vote of a seat in a round."""
        self.votes[vote.round] = {**self.votes.get(vote.round, {}), vote.seat: vote}

    def file_contribution(self, one: Contribution) -> None:
        """File a contribution."""
        self.contributions[one.id] = one
        self.first.setdefault(one.seat, one.id)

    def file_result(self, followed: Followed, certificate: Certificate) -> None:
        """File a complete entry with one of its certificates."""
        entry = followed.content.id
        self.contents[entry] = followed.content
        self.followed[entry] = followed
        self.results[entry] = {**self.results.get(entry, {}), certificate.rank: certificate}

    def last_vote(self, seat: Seat) -> Vote | None:
        """Return the vote of a seat in the highest round."""
        cast = [votes[seat] for votes in self.votes.values() if seat in votes]
        return max(cast, key=lambda vote: vote.round, default=None)

    def last_round(self) -> int:
        """Return the highest round in which a vote is held; 0 if none."""
        return max(self.votes, default=0)

    def best(self, below: int | None = None) -> Certificate | None:
        """Return the certificate of the highest rank, or of the highest below a round."""
        found: Certificate | None = None
        for ranks in self.results.values():
            for rank, one in ranks.items():
                is_allowed = below is None or rank < below
                if is_allowed and (found is None or (rank, one.entry) > (found.rank, found.entry)):
                    found = one
        return found


def put(table: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    """Return a table with one entry more."""
    return {**table, key: value}
