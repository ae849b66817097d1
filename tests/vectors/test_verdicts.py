"""The vectors of verdicts: our judge says of each transcript what its line says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nodealer.verify import CHECKS, Expected, Report, Verdict, compare_all, judge_bytes
from tests.specs.pages import SPECS

PLACE = SPECS / "vectors" / "verdicts"

LINES: dict[str, dict[str, Any]] = {
    line["name"]: line
    for line in map(json.loads, (PLACE / "verdicts.jsonl").read_text().splitlines())
}

NAMED = ("name", "about", "file", "knows", "beside")
SAID = ("verdict", "check", "culprit", "height", "proven", "waits", "checks")

BYTES_MAX = 1_500_000
"""Of the folder."""


def bytes_of(name: str) -> bytes:
    return (PLACE / name).read_bytes()


def report_on(line: dict[str, Any]) -> Report:
    """Judge the file of a line as it says."""
    table, keys = line["knows"].get("table"), line["knows"].get("keys", {})
    expected = Expected(
        None if table is None else bytes.fromhex(table),
        {int(seat): bytes.fromhex(key) for seat, key in keys.items()},
    )
    judged = judge_bytes(bytes_of(line["file"]), expected)
    if line["beside"] is not None:
        judged, _ = compare_all([judged, judge_bytes(bytes_of(line["beside"]))])
    return judged.report


def said(report: Report) -> dict[str, Any]:
    """Return a report in the words of a line."""
    return {
        "verdict": report.verdict.value,
        "check": None if report.check is None else report.check.value,
        "culprit": report.culprit,
        "height": report.height,
        "proven": sorted({(one.seat, one.code) for one in report.cheats}),
        "waits": list(report.awaited),
        "checks": {
            check.value: (count.passed, count.failed, count.not_run)
            for check, count in report.counts.items()
        },
    }


@pytest.mark.parametrize("name", LINES)
def test_our_judge_says_what_the_line_says(name: str) -> None:
    line = LINES[name]
    assert tuple(line) == NAMED + SAID
    found = json.loads(json.dumps(said(report_on(line))))
    assert found == {member: line[member] for member in SAID}


def test_every_file_has_a_line_and_every_line_its_file() -> None:
    assert {path.name for path in PLACE.glob("*.ndt")} == {line["file"] for line in LINES.values()}
    assert sum(path.stat().st_size for path in PLACE.iterdir()) <= BYTES_MAX


def test_there_is_something_of_every_kind() -> None:
    assert {line["verdict"] for line in LINES.values()} == {verdict.value for verdict in Verdict}
    named = {(line["check"], line["culprit"] is not None) for line in LINES.values()}
    checks = {check.value for check in CHECKS}
    assert {check for check, _ in named} == {*checks, None}
    assert {"chain", "cryptography", "rules", "completeness"} == {
        check for check, is_named in named if is_named and check
    }
    codes = {code for line in LINES.values() for _, code in line["proven"]}
    assert codes == {f"E{number}" for number in range(1, 8)}
    waits = {what for line in LINES.values() for _, what in line["waits"]}
    assert {"seal of the charter", "action", "seal", "keys, commit", "shuffle", "choose"} <= waits
