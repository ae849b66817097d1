"""Vectors of verdicts: transcripts, and what is to be said of each.

What is expected is named by hand in the modules of the cases; only the counts are taken from the
code, which they are for comparing with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from nodealer.verify import Expected, JudgedFile, Report, compare_all, judge_bytes
from scripts.vectors import (
    verdicts_evidence,
    verdicts_files,
    verdicts_forged,
    verdicts_labels,
    verdicts_ranks,
    verdicts_sound,
)
from scripts.vectors.told import Case

FOLDER: Final = "verdicts"
LINES: Final = f"{FOLDER}/verdicts.jsonl"


@cache
def files() -> dict[str, bytes]:
    """Return the files of the folder by their paths; do not change them."""
    cases = list(all_cases())
    found = {f"{FOLDER}/{case.name}.ndt": case.data for case in cases}
    if len(found) != len(cases):
        raise ValueError("two cases have one name")
    by_name = {case.name: case for case in cases}
    lines = [json.dumps(line_of(case, by_name)) + "\n" for case in cases]
    return {**found, LINES: "".join(lines).encode()}


def all_cases() -> Iterator[Case]:
    """Return all cases."""
    yield from verdicts_sound.cases()
    yield from verdicts_evidence.cases()
    yield from verdicts_files.cases()
    yield from verdicts_forged.cases()
    yield from verdicts_ranks.cases()
    yield from verdicts_labels.cases()


def line_of(case: Case, by_name: dict[str, Case]) -> dict[str, Any]:
    """Return the line of a case."""
    knows = case.knows or {}
    beside = None if case.beside is None else by_name[case.beside].data
    report = report_on(case.data, knows, beside)
    return {
        "name": case.name,
        "about": case.about,
        "file": f"{case.name}.ndt",
        "knows": knows,
        "beside": None if case.beside is None else f"{case.beside}.ndt",
        "verdict": case.verdict,
        "check": case.check,
        "culprit": case.culprit,
        "height": case.height,
        "proven": [list(pair) for pair in case.proven],
        "waits": [list(pair) for pair in case.waits],
        "checks": counts_of(report),
    }


def report_on(data: bytes, knows: Mapping[str, Any], beside: bytes | None) -> Report:
    """Return what is to be said of a file, by somebody who knows that, beside another file."""
    table = knows.get("table")
    keys = {int(seat): bytes.fromhex(key) for seat, key in knows.get("keys", {}).items()}
    expected = Expected(None if table is None else bytes.fromhex(table), keys)
    judged: JudgedFile = judge_bytes(data, expected)
    if beside is not None:
        judged, _ = compare_all([judged, judge_bytes(beside)])
    return judged.report


def counts_of(report: Report) -> dict[str, list[int]]:
    """Return how many checks of each class passed, failed, were not run."""
    return {
        check.value: [count.passed, count.failed, count.not_run]
        for check, count in report.counts.items()
    }
