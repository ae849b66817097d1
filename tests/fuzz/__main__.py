"""Feeds as many inputs as are asked for, and says what came of them; exit code 1 if it is bad."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.fuzz.driving import Found, feed_named, shares
from tests.fuzz.guided import guide
from tests.fuzz.judging import Judged, judge_many
from tests.fuzz.readers import TARGETS

BAD = Path(".fuzz")
"""Where inputs are kept of which something bad came."""

BATCH = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for."""
    args = _parser().parse_args(arguments)
    if args.guided:
        guide(args.reader, args.guided)
    is_bad = False
    if args.inputs:
        is_bad = _fed(args.inputs, args.seed, args.reader, args.jobs)
    if args.judged:
        is_bad = _judged(args.judged, args.seed, args.jobs) or is_bad
    return int(is_bad)


def _fed(inputs: int, seed: int, reader: str | None, jobs: int) -> bool:
    targets = [one for one in TARGETS if reader in (None, one.name)]
    work = [
        (target.name, min(BATCH, count - begun), seed * 1000 + begun // BATCH)
        for target, count in shares(targets, inputs)
        for begun in range(0, count, BATCH)
    ]
    whole: dict[str, Found] = {}
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for number, found in enumerate(pool.map(feed_named, *zip(*work, strict=True)), 1):
            _add(whole.setdefault(found.name, Found(found.name)), found)
            print(f"\r{number} of {len(work)} batches", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for found in whole.values():
        told = ", ".join(f"{slug} {times}" for slug, times in found.refused.most_common(4))
        print(
            f"{found.name:<10} {found.inputs:>9} inputs {found.read:>9} read"
            f" {sum(found.refused.values()):>9} refused  slowest {1000 * found.slowest:6.1f} ms"
            f"  grown {found.grown / 2**20:5.1f} MB  {told}"
        )
        _keep(found.name, found.bad)
    print(f"{sum(found.inputs for found in whole.values())} inputs in all")
    return any(found.is_bad for found in whole.values())


def _add(whole: Found, part: Found) -> None:
    whole.inputs += part.inputs
    whole.read += part.read
    whole.refused.update(part.refused)
    whole.slowest = max(whole.slowest, part.slowest)
    whole.bad.extend(part.bad)
    whole.grown = max(whole.grown, part.grown)


def _judged(inputs: int, seed: int, jobs: int) -> bool:
    each = [inputs // jobs + (number < inputs % jobs) for number in range(jobs)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        parts: list[Judged] = list(
            pool.map(judge_many, each, (seed * 1000 + number for number in range(jobs)))
        )
    verdicts = sum((part.verdicts for part in parts), start=parts[0].verdicts.__class__())
    told = ", ".join(f"{verdict} {times}" for verdict, times in verdicts.most_common())
    print(
        f"judge      {sum(part.inputs for part in parts):>9} records  unchanged"
        f" {1000 * max(part.unchanged for part in parts):.1f} ms"
        f"  dearest {max(part.dearest for part in parts):.2f} times that  {told}"
    )
    bad = [one for part in parts for one in part.bad]
    _keep("judge", bad)
    return bool(bad)


def _keep(name: str, bad: Sequence[tuple[str, bytes]]) -> None:
    """Tell what is bad, and keep the inputs that did it."""
    for number, (what, data) in enumerate(bad):
        BAD.mkdir(exist_ok=True)
        file = BAD / f"{name}-{number}"
        file.write_bytes(data)
        print(f"{name}: {what}\n  kept as {file}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=0, help="so many to all readers")
    parser.add_argument("--judged", type=int, default=0, help="so many to the judge")
    parser.add_argument("--guided", type=int, default=0, help="so many seconds, by coverage")
    parser.add_argument("--reader", choices=[one.name for one in TARGETS], help="one of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    return parser


if __name__ == "__main__":
    sys.exit(main())
