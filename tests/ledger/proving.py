"""The evidence in messages, found without haste: each is compared with each of its seat."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from nodealer.kernel import Seat
from nodealer.ledger import ChainEntry
from nodealer.ledger.evidence import between, two_bindings
from nodealer.ledger.forks import signed_in
from nodealer.ledger.guilt import binding_in
from nodealer.ledger.objects import Content, Contribution, Evidence, Signed


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
            evidence = between(one, other, links)
            if isinstance(one, Contribution) and isinstance(other, Contribution):
                evidence = evidence or two_bindings(one, other, labels)
            if evidence is not None:
                found.append(evidence)
    return tuple(found)


def prove_copies(
    one: ChainEntry, other: ChainEntry, open_messages: Iterable[Signed] = ()
) -> tuple[Evidence, ...]:
    """Return all that the messages of two copies prove above the last entry that both have."""
    mine, theirs = list(one.downwards()), list(other.downwards())
    both = {link.id for link in mine} & {link.id for link in theirs}
    near = [link for link in (*mine, *theirs) if link.id not in both]
    near.append(next(link for link in mine if link.id in both))
    signed = [*(each for link in near for each in signed_in(link)), *open_messages]
    contents = [link.content for link in near if link.content is not None]
    return prove_all(signed, contents, binding_in(near))
