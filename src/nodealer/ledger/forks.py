"""Two copies of one table that differ: who is guilty, and which copy holds.

Everything that lies in either copy is compared, seat by seat. Somebody is named whenever both
copies are final where they differ, or both end there with the same rank: the rules of `duties`
leave no other way to get there.
Nobody need be guilty only at the end of a copy, where a later round has
replaced what was held; then the final copy holds, or of two tips the one of higher rank.

Copies that differ only after the game was over are both complete, as long as neither goes on to
another game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from nodealer.kernel import Height, Seat
from nodealer.ledger.chain import ChainEntry
from nodealer.ledger.evidence import between
from nodealer.ledger.guilt import binding_in
from nodealer.ledger.objects import Content, Evidence, Signed


@dataclass(frozen=True, slots=True)
class Fork:
    """The height where two copies part, what that proves, and which holds: 0, 1 or neither."""

    height: Height
    evidence: tuple[Evidence, ...]
    holds: int | None
    is_after_the_end: bool = False


def compare_copies(
    one: ChainEntry, other: ChainEntry, open_messages: Iterable[Signed] = ()
) -> Fork | None:
    """Return where two copies part; None if one of them is the beginning of the other."""
    first, second = _above_common(one, other)
    if not first or not second:
        return None
    height = first[-1].height
    common = first[-1].below
    assert common is not None, "copies of one table share their charter"
    near = [*first, *second, common]
    signed = [*(each for link in near for each in signed_in(link)), *open_messages]
    contents = [link.content for link in near if link.content is not None]
    found = prove_all(signed, contents, binding_in(near))
    is_over = all(link.state.is_over() for link in (*first, *second, common))
    return Fork(height, found, _holding(first, second), is_over)


def prove_all(
    signed: Iterable[Signed], contents: Iterable[Content], binding: Iterable[bytes] = ()
) -> tuple[Evidence, ...]:
    """Return all that any two of these messages prove."""
    by_seat: dict[Seat, list[Signed]] = {}
    for message in signed:
        by_seat.setdefault(message.seat, []).append(message)
    links, labels = tuple(contents), frozenset(binding)
    found: list[Evidence] = []
    for messages in by_seat.values():
        for one, other in combinations(messages, 2):
            evidence = between(one, other, links, labels)
            if evidence is not None:
                found.append(evidence)
    return tuple(found)


def signed_in(link: ChainEntry) -> tuple[Signed, ...]:
    """Return everything signed that an entry holds."""
    messages: list[Signed] = list(link.contributions)
    for certificate in (*link.beside, link.certificate):
        messages.extend(certificate.messages)
    return tuple(messages)


def _above_common(one: ChainEntry, other: ChainEntry) -> tuple[list[ChainEntry], list[ChainEntry]]:
    mine, theirs = list(one.downwards()), list(other.downwards())
    while mine and theirs and mine[-1].id == theirs[-1].id:
        mine.pop()
        theirs.pop()
    return mine, theirs


def _holding(first: list[ChainEntry], second: list[ChainEntry]) -> int | None:
    if (len(first) > 1) != (len(second) > 1):
        return 0 if len(first) > 1 else 1
    if len(first) > 1 or first[-1].rank == second[-1].rank:
        return None
    return 0 if first[-1].rank > second[-1].rank else 1
