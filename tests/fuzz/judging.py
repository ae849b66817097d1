"""The judge of transcripts, held against its own speed: no input costs much more than a good one.

Every input is a record of a short table, changed; the judge ends in a report for each, and takes
at most three times as long as for the record as it was. A longer time is measured again before it
counts, and what is measured is processor time, so that a busy machine is not taken for a slow
judge.
"""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from nodealer.verify import judge_bytes
from nodealer.wire import split
from tests.fuzz.changing import changed, changed_gently
from tests.verify.stage import find_small, stage

DEARER_MAX: Final = 3.0
AGAIN: Final = 5
NOISE_SECONDS: Final = 0.005


@dataclass(slots=True)
class Judged:
    """What came of the inputs to the judge."""

    inputs: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    unchanged: float = 0.0
    dearest: float = 0.0
    bad: list[tuple[str, bytes]] = field(default_factory=list)


def records() -> tuple[bytes, ...]:
    """Return short records: a table that plays, and one that has left a seat out."""
    playing = stage(3)
    playing.lay()
    leaving = stage(3)
    leaving.gone.add(leaving.present().ledger.tip.roster[-1])
    leaving.lay()
    leaving.wait(lambda: len(leaving.present().ledger.tip.roster) == 2)
    return (playing.record(), leaving.record())


def judge_many(inputs: int, seed: int, tell: Callable[[int], None] = lambda _: None) -> Judged:
    """Judge so many records that follow from a seed."""
    random, good, found = Random(f"judge {seed}"), records(), Judged()
    usual = {data: min(_spent(data)[0] for _ in range(AGAIN)) for data in good}
    found.unchanged = max(usual.values())
    for number in range(inputs):
        if number % 100 == 0:
            tell(number)
        base = random.choice(good)
        _judge(found, _changed(random, base, random.choice(good)), usual[base])
    return found


def _changed(random: Random, data: bytes, other: bytes) -> bytes:
    """Change the bytes of a record, or its items so that most of them can still be read."""
    if random.random() < 1 / 5:
        return changed(random, data, other)
    items = list(split(data))
    for _ in range(random.randint(1, 3)):
        at = random.randrange(1, len(items))
        match random.randrange(8):
            case 0:
                items[at] = changed(random, items[at], random.choice(items))
            case 1:
                items[at : at + 1] = [] if len(items) > 2 else items[at : at + 1]
            case 2:
                items.insert(at, random.choice(items))
            case _:
                items[at] = changed_gently(random, items[at]) if items[at] else b""
    return b"".join(items)


def _judge(found: Judged, data: bytes, usual: float) -> None:
    found.inputs += 1
    try:
        spent, verdict = _spent(data)
    except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
        found.bad.append((traceback.format_exc(), data))
        return
    found.verdicts[verdict] += 1
    limit = DEARER_MAX * usual + NOISE_SECONDS
    if spent > limit:
        spent = min(spent, *(_spent(data)[0] for _ in range(AGAIN)))
    found.dearest = max(found.dearest, spent / usual)
    if spent > limit:
        found.bad.append((f"{spent / usual:.1f} times the unchanged record", data))


def _spent(data: bytes) -> tuple[float, str]:
    """Return how long judging takes, and the verdict."""
    begun = time.thread_time()
    report = judge_bytes(data, find_game=find_small).report
    return time.thread_time() - begun, report.verdict.value
