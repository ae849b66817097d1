"""Feeding readers, counting what comes of it, and what must not happen.

What must not happen: anything else raised than a refusal, an input that takes longer than half a
second of processor time, memory that grows. Each is told with the input that did it.
"""

from __future__ import annotations

import gc
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from nodealer.kernel import PeerError
from tests.fuzz.changing import changed
from tests.fuzz.readers import TARGETS, Target

SLOW_SECONDS: Final = 0.5
"""Of processor time, for one input; an honest one takes milliseconds."""

GROWTH_BYTES: Final = 48 << 20
"""What the memories of a program that are bounded may come to, after they are full."""

WARM: Final = 0.2
"""The part of the inputs after which memories that are bounded have filled."""

KEPT_MAX: Final = 20


@dataclass(slots=True)
class Found:
    """What came of the inputs to one reader."""

    name: str
    inputs: int = 0
    read: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    bad: list[tuple[str, bytes]] = field(default_factory=list)
    grown: int = 0

    @property
    def is_bad(self) -> bool:
        """Whether something came of an input that must not."""
        return bool(self.bad) or self.grown > GROWTH_BYTES


def feed(
    target: Target, inputs: int, seed: int, tell: Callable[[int], None] = lambda _: None
) -> Found:
    """Feed a reader with so many inputs that follow from a seed."""
    random, good, found = Random(f"{target.name} {seed}"), target.good(), Found(target.name)
    base = resident()
    for number in range(inputs):
        if number == int(inputs * WARM):
            gc.collect()
            base = resident()
        if number % 1000 == 0:
            tell(number)
        take(target, changed(random, random.choice(good), random.choice(good)), found)
    gc.collect()
    found.grown = resident() - base
    return found


def feed_named(name: str, inputs: int, seed: int) -> Found:
    """Feed the reader of this name; for a process of its own, which is handed plain values."""
    return feed(next(one for one in TARGETS if one.name == name), inputs, seed)


def take(target: Target, data: bytes, found: Found) -> None:
    """Feed a reader with one input."""
    found.inputs += 1
    begun = time.thread_time()
    try:
        target.read(data)
    except PeerError as refused:
        found.refused[refused.slug] += 1
    except target.refusals as refused:
        found.refused[type(refused).__name__] += 1
    except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
        _keep(found, traceback.format_exc(), data)
    else:
        found.read += 1
    spent = time.thread_time() - begun
    found.slowest = max(found.slowest, spent)
    if spent > SLOW_SECONDS:
        _keep(found, f"{spent:.2f} s of processor time", data)


def _keep(found: Found, what: str, data: bytes) -> None:
    if len(found.bad) < KEPT_MAX:
        found.bad.append((what, data))


def resident() -> int:
    """Return how much memory this process holds."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


def shares(targets: Sequence[Target], inputs: int) -> list[tuple[Target, int]]:
    """Return how many of all inputs each reader is given, at least one."""
    whole = sum(target.share for target in targets)
    return [(target, max(1, inputs * target.share // whole)) for target in targets]
