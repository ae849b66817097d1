"""Two copies of one table that differ: where they part, and which copy holds.

Somebody is guilty whenever both copies are final where they differ, or both end there with the same
rank: the rules of `duties` leave no other way to get there, and what is signed in the two copies
proves it. Nobody need be guilty only at the end of a copy, where a later round has
replaced what was held; then the final copy holds, or of two tips the one of higher rank.

Copies that differ only after the game was over are both complete, as long as neither goes on to
another game.
"""

from __future__ import annotations

from dataclasses import dataclass

from nodealer.kernel import Height
from nodealer.ledger.chain import ChainEntry


@dataclass(frozen=True, slots=True)
class Fork:
    """The height where two copies part, and which holds: 0, 1 or neither."""

    height: Height
    holds: int | None
    is_after_the_end: bool = False


def compare_copies(one: ChainEntry, other: ChainEntry) -> Fork | None:
    """Return where two copies part; None if one of them is the beginning of the other."""
    first, second = _above_common(one, other)
    if not first or not second:
        return None
    common = first[-1].below
    assert common is not None, "copies of one table share their charter"
    is_over = all(link.state.is_over() for link in (common, *reversed(first), *reversed(second)))
    return Fork(first[-1].height, _holding(first, second), is_over)


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
