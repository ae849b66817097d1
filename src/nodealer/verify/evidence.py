"""What the signed messages of a file prove, whoever put them there.

Evidence that a file brings along is judged as a seat judges it. Beyond that all that is signed is
compared with everything else of the same seat, over the whole history: a file may hold two
messages that contradict each other without anybody having noticed. Most pairs can contradict each
other only over one parent or at one height, so only those are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from nodealer.kernel import Bug, PeerError, Reason, Seat
from nodealer.ledger import (
    Contribution,
    DueStep,
    Evidence,
    Leave,
    Link,
    Refusal,
    Seal,
    Vote,
    judge,
)
from nodealer.ledger.chain import chain_of, follow, judge_contribution
from nodealer.ledger.evidence import between, broken_vote, two_bindings
from nodealer.ledger.objects import Content
from nodealer.ledger.signing import Checker
from nodealer.verify.state import NoState
from nodealer.verify.transcript import Signed

COMPARED_MAX: Final = 256
"""Messages of one seat over one parent, or at one height, that are compared with each other: no
honest seat signs so many, and a file should not be able to keep its reader busy for ever."""


class NotReplayed(Exception):  # noqa: N818 - it says what happened
    """Evidence needs a replay, and there is none."""


def contradictions(
    signed: Iterable[Signed], contents: Mapping[bytes, Content], binding: frozenset[bytes]
) -> Iterator[Evidence]:
    """Yield what any two of these messages prove, once for each pair."""
    by_seat: dict[Seat, list[Signed]] = {}
    for one in signed:
        by_seat.setdefault(one.seat, []).append(one)
    for messages in by_seat.values():
        for one, other in _near(messages, binding):
            links = [contents[name] for name in (_over(one), _over(other)) if name in contents]
            found = between(one, other, links)
            if found is None and isinstance(one, Contribution) and isinstance(other, Contribution):
                found = two_bindings(one, other, binding)
            if found is not None:
                yield found


def _near(messages: Sequence[Signed], binding: frozenset[bytes]) -> Iterator[tuple[Signed, Signed]]:
    """Yield the pairs of one seat's messages that may contradict each other."""
    groups: dict[object, list[Signed]] = {}
    votes: dict[int, list[Vote]] = {}
    seals: dict[int, list[Seal]] = {}
    leaves = [one for one in messages if isinstance(one, Leave)]
    for one in messages:
        match one:
            case Vote(height=height):
                votes.setdefault(height, []).append(one)
            case Seal(height=height, parent=parent):
                seals.setdefault(height, []).append(one)
                groups.setdefault(parent, []).append(one)
            case Contribution(parent=parent, payloads=payloads):
                groups.setdefault((parent,), []).append(one)
                for label in binding.intersection(label for label, _ in payloads):
                    groups.setdefault((label, "bound"), []).append(one)
            case _:
                pass  # a refusal contradicts nothing, and of leaves the first is enough
    for group in groups.values():
        yield from combinations(group[:COMPARED_MAX], 2)
    for at, cast in votes.items():
        here, above = cast[:COMPARED_MAX], (*votes.get(at + 1, ()), *seals.get(at + 1, ()))
        yield from combinations(here, 2)
        yield from product(above[:COMPARED_MAX], here)
    if leaves:
        first = min(leaves, key=lambda leave: (leave.height, leave.round))
        yield from ((first, one) for one in messages if one.height >= first.height)


def _over(one: Signed) -> bytes:
    if isinstance(one, Vote):
        return one.base
    return b"" if isinstance(one, Leave) else one.parent


def contents_of(links: Iterable[Link]) -> dict[bytes, Content]:
    """Return the contents of a chain by their ids."""
    return {link.id: link.content for link in links if link.content is not None}


def labels_of(links: Iterable[Link], complete: Collection[bytes] | None = None) -> frozenset[bytes]:
    """Return the labels under which a seat has one payload, whatever the parent.

    Without a replay only the entries themselves say so, and of these the complete ones alone, where
    not all are: whoever makes up an entry could make up a label that binds.
    """
    found: set[bytes] = set()
    for link in links:
        step = None if link.content is None else link.content.step
        is_told = isinstance(step, DueStep) and (complete is None or link.id in complete)
        parts = (*link.parts, *(step.parts if isinstance(step, DueStep) and is_told else ()))
        found.update(part.label for part in parts if part.binding)
    return frozenset(found)


def judge_evidence(
    evidence: Evidence, links: Mapping[bytes, Link], checker: Checker, binding: frozenset[bytes]
) -> None:
    """Raise `PeerError` unless evidence holds over this history, and holds nothing beside it.

    That its messages are of this table was found when their signatures were checked.
    """
    judge(evidence, checker, lambda one: _replayed(one, links), binding)
    named = {_over(one) for one in evidence.messages}
    for one in evidence.messages:
        named |= {one.entry} if isinstance(one, Seal) else set()
        named |= {one.refused} if isinstance(one, Refusal) else set()
    if any(content.id not in named for content in evidence.contents):
        raise PeerError(Reason.LEDGER_EVIDENCE, "with a content that nothing of it names")


def height_of(evidence: Evidence) -> int:
    """Return the height that evidence speaks of: the greatest of its messages."""
    return max(one.height for one in evidence.messages)


def _replayed(evidence: Evidence, links: Mapping[bytes, Link]) -> str | None:
    """Return for what reason replay refuses the accused object; None if it does not."""
    accused = evidence.messages[0]
    base = links.get(_over(accused))
    if base is not None and isinstance(base.state, NoState) and not isinstance(accused, Vote):
        raise NotReplayed
    if base is None:
        raise PeerError(Reason.LEDGER_UNKNOWN_PARENT, "evidence over an entry not in this file")
    try:
        _replay(base, accused, evidence)
    except PeerError as refused:
        if refused.reason is Reason.LEDGER_EVIDENCE:
            raise
        return refused.slug
    except Bug as error:
        raise PeerError(Reason.LEDGER_EVIDENCE, f"replay fails: {error.detail}") from error
    return None


def _replay(base: Link, accused: Signed, evidence: Evidence) -> None:
    rest = {one.id: one for one in evidence.messages[1:] if isinstance(one, Contribution)}
    contents = {bytes(content.id): content for content in evidence.contents}
    match accused:
        case Vote():
            if broken_vote(accused, base.roster) is not None:
                raise PeerError(Reason.LEDGER_VOTE)
        case Contribution():
            _replay_contribution(base, accused, rest)
        case Seal(entry=name) | Refusal(refused=name) if name in contents:
            _replay_content(base, contents[name], rest)
        case Refusal(refused=name) if name in rest:
            _replay_contribution(base, rest[name], rest)
        case _:
            raise PeerError(Reason.LEDGER_EVIDENCE, "without what it speaks of")


def _replay_content(base: Link, content: Content, rest: Mapping[bytes, Contribution]) -> None:
    given = []
    if isinstance(content.step, DueStep):
        given = [rest[name] for _, name in content.contributions if name in rest]
        if len(given) != len(content.contributions):
            raise PeerError(Reason.LEDGER_EVIDENCE, "without the contributions of the step")
    follow(base, content, given)


def _replay_contribution(base: Link, one: Contribution, rest: Mapping[bytes, Contribution]) -> None:
    chain = chain_of(base, one, rest.get)
    if chain is None:
        raise PeerError(Reason.LEDGER_EVIDENCE, "without what it builds on")
    judge_contribution(base, one, chain)
