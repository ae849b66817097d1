"""The evidence in the signed messages of a file, whoever put them there.

Evidence that a file brings along is judged as a seat judges it. Beyond that all that is signed is
compared with everything else of the same seat, over the whole history: a file may hold two
messages that contradict each other without anybody having noticed. Most pairs can contradict each
other only over one parent or at one height, so only those are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Final

from nodealer.kernel import Bug, EntryId, PeerError, Reason, Seat
from nodealer.ledger import (
    ChainEntry,
    Checker,
    Contribution,
    Evidence,
    Leave,
    Refusal,
    Seal,
    Signed,
    Vote,
    between,
    binding_in,
    judge,
    over,
    replayed,
)
from nodealer.verify.unknown_state import NoState

COMPARED_MAX: Final = 256
"""Messages of one seat over one parent, or at one height, that are compared with each other: no
honest seat signs so many, and a file should not be able to keep its reader busy for ever."""


class NotReplayed(Exception):  # noqa: N818 - it says what happened
    """Evidence needs a replay, and there is none."""


class KnownHistory:
    """The links of a history by their ids, and what is asked of all of them for each evidence."""

    def __init__(self) -> None:
        self.links: dict[bytes, ChainEntry] = {}
        self.binding: set[bytes] = set()
        self.is_replayed = True
        """Whether there is a state after each link."""

    def add(self, link: ChainEntry) -> None:
        """Know one link more; of two with one id the first counts."""
        if self.links.setdefault(link.id, link) is link:
            self.binding.update(binding_in([link]))
            self.is_replayed = self.is_replayed and not isinstance(link.state, NoState)


def contradictions(signed: Iterable[Signed], links: Sequence[ChainEntry]) -> Iterator[Evidence]:
    """Yield what any two of these messages prove over these entries, once for each pair."""
    contents = {link.id: link.content for link in links if link.content is not None}
    binding = binding_in(links)
    by_seat: dict[Seat, list[Signed]] = {}
    for one in signed:
        by_seat.setdefault(one.seat, []).append(one)
    for messages in by_seat.values():
        for one, other in _near(messages, binding):
            parents = [contents[name] for name in (over(one), over(other)) if name in contents]
            found = between(one, other, parents, binding)
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


def judge_evidence(evidence: Evidence, known: KnownHistory, checker: Checker) -> None:
    """Raise unless evidence holds over this history, and holds nothing beside it.

    `PeerError` says that it does not hold, `NotReplayed` that nobody can say so here. That its
    messages are of this table was found when their signatures were checked.
    """
    try:
        judge(evidence, checker, partial(_replayed, known.links), known.binding)
    except PeerError as error:
        if _is_of_two_places(evidence) and not known.is_replayed:
            raise NotReplayed from error
        raise
    named = {over(one) for one in evidence.messages}
    for one in evidence.messages:
        named |= {one.entry} if isinstance(one, Seal) else set()
        named |= {EntryId(one.refused)} if isinstance(one, Refusal) else set()
    if any(content.id not in named for content in evidence.contents):
        raise PeerError(Reason.LEDGER_EVIDENCE, "with a content that nothing of it names")


def _replayed(links: Mapping[bytes, ChainEntry], evidence: Evidence) -> str | None:
    """Return for what reason replay refuses the accused object, where there is a replay."""
    accused = evidence.messages[0]
    base = links.get(over(accused) or b"")
    state = None if base is None else base.state
    if isinstance(state, NoState) and not (isinstance(accused, Vote) and state.is_linked):
        raise NotReplayed
    try:
        return replayed(links.get, evidence)
    except Bug as error:
        raise PeerError(Reason.LEDGER_EVIDENCE, f"replay fails: {error.detail}") from error


def _is_of_two_places(evidence: Evidence) -> bool:
    """Say whether it is a contradiction only if a label binds, which replay alone can tell."""
    given = [one for one in evidence.messages if isinstance(one, Contribution)]
    return evidence.code == "E1" and len({one.parent for one in given}) > 1
