"""The findings of the judge: checks by class, failures, and the verdict on a file.

Every single check belongs to one class and passes, fails, or is not run because what it needs is
not there. The classes have an order; it is that of the checks on one entry.

    structure       the bytes are items of the format, in their order
    identity        keys, names and seats are sound, and are those that were expected
    signatures      every signature is that of the seat which the object names
    chain           every entry names its parent, and what it names by hash is what lies beside it
    cryptography    the proofs of the deck, openings, commitments
    rules           what is due, what is legal, and the state after it, by replay
    completeness    every entry is complete: sealed by all, or the result of a round
    liveness        leaves, votes, refusals and evidence hold what they claim

The first failure decides what the verdict says: the one of the lowest height, and there of the
first class in this order. A failure names a seat only for what that seat has signed, in the place
for which it has: `walk` says whom, and what is shown by evidence alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from nodealer.kernel import Seat
from nodealer.ledger import Evidence
from nodealer.verify.history import History

FAILURES_MAX: Final = 100
"""Failures that are told one by one; what comes after them is only counted, unless it decides."""


class Check(Enum):
    """A class of checks."""

    STRUCTURE = "structure"
    IDENTITY = "identity"
    SIGNATURES = "signatures"
    CHAIN = "chain"
    CRYPTOGRAPHY = "cryptography"
    RULES = "rules"
    COMPLETENESS = "completeness"
    LIVENESS = "liveness"


CHECKS: Final = tuple(Check)


class Verdict(Enum):
    """The word on a file as a whole."""

    COMPLETE = "complete"
    UNFINISHED = "unfinished"
    INVALID = "invalid"
    UNREADABLE = "unreadable"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that failed: what was expected, what was found, and who has signed it."""

    check: Check
    height: int | None
    expected: str
    found: str
    seat: Seat | None = None

    @property
    def order(self) -> tuple[int, int]:
        """The place of this failure among others."""
        return (-1 if self.height is None else self.height, CHECKS.index(self.check))


@dataclass(slots=True)
class Count:
    """The number of checks of a class."""

    passed: int = 0
    failed: int = 0
    not_run: int = 0


@dataclass(slots=True)
class Tally:
    """The checks so far."""

    counts: dict[Check, Count] = field(default_factory=lambda: {check: Count() for check in CHECKS})
    failures: list[Failure] = field(default_factory=list)
    first: Failure | None = None
    """The one that decides so far."""

    def passed(self, check: Check, times: int = 1) -> None:
        """Count checks that passed."""
        self.counts[check].passed += times

    def not_run(self, check: Check, times: int = 1) -> None:
        """Count checks that could not be run."""
        self.counts[check].not_run += times

    def failed(self, failure: Failure) -> None:
        """Count a check that failed."""
        self.counts[failure.check].failed += 1
        is_first = self.first is None or failure.order < self.first.order
        if is_first:
            self.first = failure
        if len(self.failures) < FAILURES_MAX:
            self.failures.append(failure)
        elif is_first:
            self.failures[-1] = failure


@dataclass(frozen=True, slots=True)
class ForkedFile:
    """Another file of the same table tells another history from `height` on."""

    height: int
    other: int
    holds: bool | None
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one file and what it rests on.

    `cheats` is evidence that was judged and holds. `awaited` says for an unfinished table who is
    waited for and for what. `notes` are remarks for people that change nothing. `history` is what
    is told up to the first entry that is not in order; without a sound charter there is none.
    """

    verdict: Verdict
    height: int | None
    counts: Mapping[Check, Count]
    failures: tuple[Failure, ...] = ()
    cheats: tuple[Evidence, ...] = ()
    awaited: tuple[tuple[Seat, str], ...] = ()
    forks: tuple[ForkedFile, ...] = ()
    notes: tuple[str, ...] = ()
    history: History | None = None

    @property
    def failure(self) -> Failure | None:
        """The failure that decides."""
        return min(self.failures, key=lambda one: one.order, default=None)

    @property
    def culprit(self) -> Seat | None:
        """Whom the verdict names: for what breaks the file, or for a proven cheat in it."""
        if self.failure is not None:
            return self.failure.seat
        return self.cheats[0].seat if self.cheats else None

    @property
    def check(self) -> Check | None:
        """The class of the failure that decides."""
        return None if self.failure is None else self.failure.check

    @property
    def exit_code(self) -> int:
        """The exit code for this file."""
        if self.verdict is Verdict.INVALID:
            return EXIT_INVALID if self.culprit is None else EXIT_CULPRIT
        return EXITS[self.verdict]


EXIT_CULPRIT: Final = 11
EXIT_INVALID: Final = 12
EXITS: Final[Mapping[Verdict, int]] = {
    Verdict.COMPLETE: 0,
    Verdict.UNFINISHED: 10,
    Verdict.UNREADABLE: 13,
    Verdict.UNCHECKED: 14,
}


def counted(counts: Mapping[Check, Count], check: Check) -> Mapping[Check, Count]:
    """Return the counts with one failure more."""
    before = counts[check]
    return {**counts, check: Count(before.passed, before.failed + 1, before.not_run)}
