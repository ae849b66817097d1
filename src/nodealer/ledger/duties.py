"""The ten rules of what a seat may sign, as predicates over its own past.

A seat that asks here before it signs or takes anything can never be named by the evidence, whatever
the others do and however messages arrive. Nothing here looks at the network or at time.

     1 one seal         over its tip, at most one seal and one contribution for a parent
     2 one vote         for a height and round; rounds only go up, whatever the base
     3 holder           votes `evict` only over its tip, while it knows no complete entry over it;
                        what it has taken it keeps, unless something of a higher rank is shown
     4 guard            takes an entry only by a rank of at least its last voted round over the base
     5 keep             after `keep V` of rank r only keeps of rank r or more, of equal rank only V
     6 rank             states the rank by which it holds the parent; stated ranks need certificates
     7 replace          the tip only, and only by a later round than the one it is held by
     8 out              signs nothing more once it has taken its own eviction
     9 remember         what it signs is stored before it leaves (see `recovery`)
    10 leave            signs nothing more after its leave

`Duties` is a value, so that a test can take one rule away and see what breaks; whoever runs a seat
uses `DUTIES` and nothing else.

`Own` is the past that the rules speak of: what this seat has signed at this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from nodealer.kernel import EntryId, Seat
from nodealer.ledger.chain import strict_majority
from nodealer.ledger.evidence import falls_behind
from nodealer.ledger.objects import Choice, Contribution, Evict, Keep, Leave, Refusal, Seal, Vote


@dataclass(frozen=True, slots=True)
class Own:
    """The signatures of this seat. Rounds are rare, so votes are kept for every height."""

    seals: Mapping[EntryId, Seal] = field(default_factory=dict)
    contributions: Mapping[EntryId, Contribution] = field(default_factory=dict)
    votes: Mapping[int, tuple[Vote, ...]] = field(default_factory=dict)
    bound: Mapping[bytes, bytes] = field(default_factory=dict)
    refusals: Mapping[bytes, Refusal] = field(default_factory=dict)
    leave: Leave | None = None
    is_out: bool = False
    height: int = 0
    """The greatest height of any seal, contribution or vote."""

    def last_round(self, height: int) -> int:
        """Return the last round voted in at a height, over any base; 0 if none."""
        votes = self.votes.get(height)
        return max(vote.round for vote in votes) if votes else 0

    def votes_over(self, height: int, base: EntryId) -> tuple[Vote, ...]:
        """Return the votes at a height over one base, in the order of rounds."""
        return tuple(vote for vote in self.votes.get(height, ()) if vote.base == base)

    def last_round_over(self, height: int, base: EntryId) -> int:
        """Return the last round voted in over a base; 0 if none."""
        votes = self.votes_over(height, base)
        return votes[-1].round if votes else 0


def one_seal(own: Own, parent: EntryId) -> bool:
    """Rule 1 for seals: none over this parent yet."""
    return parent not in own.seals


def one_contribution(own: Own, parent: EntryId) -> bool:
    """Rule 1 for contributions: none over this parent yet."""
    return parent not in own.contributions


def one_vote(own: Own, height: int, number: int) -> bool:
    """Rule 2: rounds of a height only go up, whatever the base."""
    return number > own.last_round(height)


def holder(knows_complete: bool, choice: Choice) -> bool:  # noqa: FBT001 - it is the question
    """Rule 3: who knows a complete entry over the base takes or keeps it."""
    return isinstance(choice, Keep) or not knows_complete


def stands_by(entry: bytes, rank: int, choice: Choice) -> bool:
    """Rule 3, over a base that this seat has an entry over: no vote denies that entry."""
    return not falls_behind(choice, entry, rank)


def guard(own: Own, height: int, base: EntryId, rank: int) -> bool:
    """Rule 4: take an entry only by a rank of at least the last voted round over its base."""
    return rank >= own.last_round_over(height, base)


def keep(own: Own, height: int, base: EntryId, choice: Choice) -> bool:
    """Rule 5: behind a keep no later vote over the same base regresses."""
    return not any(
        isinstance(vote.choice, Keep) and falls_behind(choice, vote.choice.entry, vote.choice.rank)
        for vote in own.votes_over(height, base)
    )


def stated_rank(rank: int) -> int:
    """Rule 6: state the rank by which the parent is held."""
    return rank


def replace(own: Own, height: int, base: EntryId, held: int, rank: int) -> bool:
    """Rule 7: replace the tip, held by rank `held`, only by the result of a later round."""
    return rank > held and rank >= own.last_round_over(height, base)


def signs_on(own: Own) -> bool:
    """Rules 8 and 10: a seat that is out, or has left, signs nothing more."""
    return not own.is_out and own.leave is None


def is_eviction_of(choice: Choice, seat: Seat) -> bool:
    """Say whether a choice leaves out this seat."""
    return isinstance(choice, Evict) and seat in choice.seats


@dataclass(frozen=True, slots=True)
class Duties:
    """All rules as one value.

    `held` is no rule: steps of seals alone with a part of these kinds are sealed only when the
    seat's player has taken notice. The seat is asked (`AskSeal`) and answers with `Ledger.notice`.
    """

    one_seal: Callable[[Own, EntryId], bool] = one_seal
    one_contribution: Callable[[Own, EntryId], bool] = one_contribution
    one_vote: Callable[[Own, int, int], bool] = one_vote
    holder: Callable[[bool, Choice], bool] = holder
    stands_by: Callable[[bytes, int, Choice], bool] = stands_by
    guard: Callable[[Own, int, EntryId, int], bool] = guard
    keep: Callable[[Own, int, EntryId, Choice], bool] = keep
    stated_rank: Callable[[int], int] = stated_rank
    replace: Callable[[Own, int, EntryId, int, int], bool] = replace
    signs_on: Callable[[Own], bool] = signs_on
    quorum_of: Callable[[int], int] = strict_majority
    ranks_need_certificates: bool = True
    answers_with_keep: bool = True
    remembers: bool = True
    held: frozenset[str] = frozenset()


DUTIES: Final = Duties()
"""The rules as they are."""
