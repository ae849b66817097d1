"""The memory of a table: how much of what a seat holds grows with every entry.

Everything that is reachable from the tables of all seats is counted, as Python says how large it
is, at two heights of one long game; what lies between is divided by entries and seats. The bytes of
the entries themselves are part of it: they are the transcript. What does not grow, such as the
state at the tip, is in both and so in neither.
"""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Final

from nodealer.kernel import Chance
from nodealer.lab.benches.bench_play import Lockstep, lockstep
from nodealer.lab.benches.bench_verify import avoiding_to_win
from nodealer.ledger import Entry, write

SEATS: Final = 4
FROM, TO = 80, 320
"""The heights between which it is measured."""

_NOT_HELD: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""Code is there whether anybody plays or not."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth with an entry, in bytes for each seat, and what of it are the entries."""

    kept: int
    written: int


def measure_growth(seats: int = SEATS, first: int = FROM, last: int = TO) -> Growth:
    """Play a long game, and return by what it grows."""
    made, chance = lockstep(seats, "memory"), Chance("memory", seats)
    made.deal()
    made.settle()
    _play(made, chance, first)
    before, low = kept_bytes(made.tables), _height(made)
    _play(made, chance, last)
    after, high = kept_bytes(made.tables), _height(made)
    written = sum(
        len(write(link.memory.entry))
        for link in made.tables[0].ledger.tip.downwards()
        if low < link.height and isinstance(link.memory.entry, Entry)
    )
    return Growth((after - before) // (high - low) // seats, written // (high - low))


def kept_bytes(held: object) -> int:
    """Return the size of everything that is reachable from something, without code."""
    gc.collect()
    seen: set[int] = set()
    found, size = [held], 0
    while found:
        one = found.pop()
        if id(one) not in seen and not isinstance(one, _NOT_HELD):
            seen.add(id(one))
            size += sys.getsizeof(one)
            found.extend(gc.get_referents(one))
    return size


def _play(made: Lockstep, chance: Chance, height: int) -> None:
    while _height(made) < height and (seat := made.on_turn) is not None:
        made.move(avoiding_to_win(made.tables[seat], chance))


def _height(made: Lockstep) -> int:
    return made.tables[0].ledger.tip.height
