"""Judges the files of `nodealer verify` and prints what was found.

All files are judged first, because a verdict may depend on the others: copies of one table that
differ are a fork. The time told in JSON is that of judging the one file by itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from nodealer.cli.files import UnreadableFileError, read_bytes, show_progress
from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.verify import (
    LIMITS,
    SOUND,
    Expected,
    JudgedFile,
    compare_all,
    judge_bytes,
    judged_by,
    lines_of,
    report_data,
    unreadable,
)


def run(args: argparse.Namespace) -> int:
    """Judge all files and print the reports."""
    expected = Expected(args.expect_table, args.expect_seat)
    each, times = [], []
    for name in args.files:
        start = time.perf_counter()
        each.append(_judged(name, expected))
        times.append(round((time.perf_counter() - start) * 1000, 3))
    judged = compare_all(each)
    for name, one, took in zip(args.files, judged, times, strict=True):
        if args.json:
            emit_json(as_json(name, one, took))
        else:
            emit_text("\n".join(lines_of(name, one, args.files)))
    if not args.json and any(one.report.verdict in SOUND for one in judged):
        emit_text(f"\n{LIMITS}")
    return worst(judged)


def worst(judged: Sequence[JudgedFile]) -> int:
    """Return the exit code for several files: the highest."""
    return max(one.report.exit_code for one in judged)


def as_json(name: str, judged: JudgedFile, took: float) -> Json:
    """Return what programs are told of a file."""
    return {"file": name, **report_data(judged), "judged_by": judged_by(), "ms": took}


def _judged(name: str, expected: Expected) -> JudgedFile:
    try:
        data = read_bytes(name)
    except UnreadableFileError as error:
        return unreadable(str(error))
    return judge_bytes(data, expected, watch=show_progress)
