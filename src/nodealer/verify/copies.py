"""Several files of one table: whether they tell one history, and if not, who is guilty.

A copy may be the beginning of another; that is no difference. Copies that differ only after the
game was over are each what they are. All others are a *fork*: each of them is then `invalid` from
the height on at which they part, whatever it was by itself, and names who is proven false there.
Which copy holds is told beside it: the final one, or of two tips the one of higher rank.

Only sound histories are compared: where a file breaks a rule by itself there is nothing to learn
from comparing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from nodealer.kernel import Seat
from nodealer.ledger import ChainEntry, EvictStep, Evidence, compare_copies
from nodealer.verify.contradictions import contradictions
from nodealer.verify.judge import JudgedFile
from nodealer.verify.report import Check, Failure, ForkedFile, Verdict, counted
from nodealer.verify.unknown_state import NoState


def compare_all(judged: Sequence[JudgedFile]) -> tuple[JudgedFile, ...]:
    """Return the reports, with every fork between files of one table told in each of them."""
    forks: dict[int, list[ForkedFile]] = {}
    for one, other in combinations(range(len(judged)), 2):
        found = _fork(judged[one], judged[other])
        if found is None:
            continue
        height, holds, seat = found
        forks.setdefault(one, []).append(_told(height, other, holds, 0, seat))
        forks.setdefault(other, []).append(_told(height, one, holds, 1, seat))
    return tuple(_with(each, tuple(forks.get(n, ()))) for n, each in enumerate(judged))


def _told(height: int, other: int, holds: int | None, mine: int, seat: Seat | None) -> ForkedFile:
    return ForkedFile(height, other, None if holds is None else holds == mine, seat)


def _fork(one: JudgedFile, other: JudgedFile) -> tuple[int, int | None, Seat | None] | None:
    if one.tip is None or other.tip is None or one.tip.table != other.tip.table:
        return None
    if one.report.failures or other.report.failures:
        return None
    found = compare_copies(one.tip, other.tip)
    if found is None or found.is_after_the_end:
        return None
    if _is_signed_alike(one.tip.at(found.height), other.tip.at(found.height)):
        return None
    links = [*one.tip.downwards(), *other.tip.downwards()]
    proven = contradictions((*one.signed, *other.signed), links)
    of_it = [evidence for evidence in proven if _is_at(found.height, evidence)]
    guilty = min(of_it, key=lambda evidence: (evidence.height, evidence.seat), default=None)
    return found.height, found.holds, None if guilty is None else guilty.seat


def _is_at(height: int, evidence: Evidence) -> bool:
    """Say whether evidence is about what was signed where two copies part."""
    return any(one.height == height for one in evidence.messages)


def _is_signed_alike(one: ChainEntry | None, other: ChainEntry | None) -> bool:
    """Say whether two entries differ in nothing that anybody has signed, as far as is known.

    Votes leave out seats in a round; the state after it is said by replay alone. Without the rules
    one of the two may be made up, and nobody can tell which.
    """
    links = [link for link in (one, other) if link is not None and link.content is not None]
    steps = [link.content.step for link in links if link.content is not None]
    is_alike = isinstance(steps[0], EvictStep) and steps[0] == steps[-1]
    return is_alike and any(isinstance(link.state, NoState) for link in links)


def _with(judged: JudgedFile, forks: tuple[ForkedFile, ...]) -> JudgedFile:
    if not forks:
        return judged
    first = min(forks, key=lambda fork: fork.height)
    failure = Failure(Check.CHAIN, first.height, "one history in all files", "a fork", first.seat)
    report = replace(
        judged.report,
        verdict=Verdict.INVALID,
        height=first.height,
        counts=counted(judged.report.counts, Check.CHAIN),
        failures=(failure,),
        forks=forks,
        awaited=(),
    )
    return replace(judged, report=report)
