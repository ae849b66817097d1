"""Repeatable chance, for everything that must not be secret: simulated worlds, plain dealers, bots.

A `Chance` is a seeded stream of numbers, the same on every machine and in every version of Python.
It is the one way in which the core rolls dice, always handed in by whoever calls, so that a seed
reproduces a run. It must never make a key, a nonce or a permutation that somebody relies on: those
come from a seat's seed (`crypto.derive`).
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from nodealer.kernel.errors import LocalError
from nodealer.kernel.framing import Value, frame
from nodealer.kernel.reasons import Reason

T = TypeVar("T")

_BLOCK_BITS = 256


class Chance:
    """A stream of uniform numbers that follows from what it is made of."""

    __slots__ = ("_count", "_root")

    def __init__(self, *seed: Value) -> None:
        self._root = hashlib.sha256(frame("nodealer/1/chance", *seed)).digest()
        self._count = 0

    def branch(self, *purpose: Value) -> Chance:
        """Return an independent stream; how much of this one was used makes no difference."""
        return Chance(self._root, *purpose)

    def below(self, bound: int) -> int:
        """Return a uniform number from 0 to `bound - 1`."""
        if not 0 < bound <= 1 << 64:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"a number below {bound}")
        limit = (1 << _BLOCK_BITS) // bound * bound
        while True:
            value = self._block()
            if value < limit:
                return value % bound

    def happens(self, percent: int) -> bool:
        """Return true in so many of a hundred cases."""
        return self.below(100) < percent

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Bring the items into a uniformly random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _block(self) -> int:
        self._count += 1
        block = hashlib.sha256(self._root + self._count.to_bytes(8, "big")).digest()
        return int.from_bytes(block, "big")
