"""Everything that signed messages prove, by a look at each pair of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from nodealer.kernel import Seat
from nodealer.ledger import Content, Evidence, Signed, between


def prove_all(signed: Iterable[Signed], contents: Iterable[Content]) -> tuple[Evidence, ...]:
    """Return all that any two of these messages prove."""
    by_seat: dict[Seat, list[Signed]] = {}
    for message in signed:
        by_seat.setdefault(message.seat, []).append(message)
    links = tuple(contents)
    pairs = (pair for messages in by_seat.values() for pair in combinations(messages, 2))
    found = (between(one, other, links) for one, other in pairs)
    return tuple(evidence for evidence in found if evidence is not None)
