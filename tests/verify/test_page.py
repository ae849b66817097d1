"""The page of the transcript says what the code does."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import cast

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.cli.main import EPILOG
from nodealer.cli.verify import EPILOG as VERIFY_EPILOG
from nodealer.cli.verify import as_json
from nodealer.verify import (
    CHECKS,
    Verdict,
    judge_bytes,
    report_data,
    unreadable,
    write_transcript,
)
from nodealer.verify.report import EXIT_CULPRIT, EXIT_INVALID, EXITS
from nodealer.verify.shape import openings
from nodealer.verify.transcript import FOUNDING, HEAD, OPEN, OPEN_KINDS, OPEN_MAX, Open
from nodealer.wire import split
from tests.specs.pages import SPECS
from tests.verify.forging import story
from tests.verify.stage import find_small, whole_story

PAGE = (SPECS / "06-transcript.md").read_text(encoding="utf-8")
CODES = (SPECS / "exit-codes.md").read_text(encoding="utf-8")
CDDL = (SPECS / "transcript.cddl").read_text(encoding="utf-8")


def rows(page: str, head: str) -> list[list[str]]:
    """Return the cells of the table below a heading or head of a table."""
    text = page.partition(head)[2]
    lines = text[text.index("\n|---") :].splitlines()[2:]
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_the_classes_stand_in_their_order() -> None:
    named = [row[0].strip("`") for row in rows(PAGE, "## Classes")]
    assert named == [check.value for check in CHECKS]


def test_the_verdicts_have_their_exit_codes() -> None:
    named = {row[0].strip("`"): row[-1] for row in rows(PAGE, "## Verdicts")}
    expected = {verdict.value: str(code) for verdict, code in EXITS.items()}
    expected[Verdict.INVALID.value] = f"{EXIT_CULPRIT} / {EXIT_INVALID}"
    assert named == expected


def test_the_exit_codes_are_those_of_the_help() -> None:
    listed = [row[0] for row in rows(CODES, "# Exit codes")]
    assert re.findall(r"^  (\d+)  ", EPILOG, re.MULTILINE) == listed
    told = re.findall(r"^  (\d+)  ", VERIFY_EPILOG, re.MULTILINE)
    assert told == ["0", "10", "11", "12", "13", "14"]


def test_the_items_are_those_of_the_code() -> None:
    text = "\n".join(" ".join(row) for row in rows(PAGE, "## Format"))
    for schema in (HEAD, FOUNDING, OPEN):
        assert f'"{schema.kind}"' in text
        assert f'"{schema.kind}"' in CDDL
    words = set(re.findall(r"`(?:ledger)?/(\w+)`", text))
    assert {kind.partition("/")[2] for kind in OPEN_KINDS} | {"entry", "charter"} == words
    assert str(OPEN_MAX) in text


def fields_of(data: object) -> list[str]:
    assert isinstance(data, dict)
    return list(data)


def test_the_fields_of_the_report_are_those_of_the_page() -> None:
    """Of a file that can be read and of one that cannot: all fields are always there."""
    named = [row[0].strip("`") for row in rows(PAGE, "## Report for programs")]
    whole = judge_bytes(whole_story().record(), find_game=find_small)
    unsound = replace(story(), charter=replace(story().charter, terms=b"nonsense"))
    for judged in (whole, unreadable("nothing"), judge_bytes(write_transcript(unsound))):
        assert fields_of(as_json("file", judged, 1.0)) == named
        json.dumps(as_json("file", judged, 1.0), allow_nan=False)
    nothing = as_json("file", unreadable("nothing"), 1.0)
    assert isinstance(nothing, dict)
    known = ["file", "verdict", "check", "checks", "judged_by", "ms"]
    assert [name for name in named if nothing[name] is not None] == known


def test_the_objects_in_the_report_are_those_of_the_page() -> None:
    told = rows(PAGE, "| field of |")
    data = report_data(judge_bytes(whole_story().record(), find_game=find_small))
    (epoch, *_), (eviction, *_), (result, *_) = (
        cast("list[dict[str, list[object]]]", data[name])
        for name in ("epochs", "evictions", "results")
    )
    (shuffle, *_), (evicted, *_), (ranking, *_) = (
        epoch["shuffles"],
        eviction["evicted"],
        result["ranking"],
    )
    objects = {
        "epoch": epoch,
        "shuffle": shuffle,
        "eviction": eviction,
        "evicted": evicted,
        "result": result,
        "ranking": ranking,
    }
    for name, one in objects.items():
        assert fields_of(one) == [field.strip("`") for of, field, _ in told if of == name]
    assert {of for of, _, _ in told} == set(objects)
    described = {row[0].strip("`"): row[1] for row in rows(PAGE, "## Report for programs")}
    for name in ("game", "clock", "judged_by"):
        value = as_json("file", judge_bytes(whole_story().record()), 1.0)
        assert isinstance(value, dict)
        assert all(f"`{field}`" in described[name] for field in fields_of(value[name]))
    (seat, *_) = cast("list[object]", data["seats"])
    assert all(f"`{field}`" in described["seats"] for field in fields_of(seat))


def test_what_is_counted_is_what_the_page_says() -> None:
    """The rows of the page as sums over the items of a sound file."""
    whole = story()
    counts = judge_bytes(write_transcript(whole), find_game=find_small).report.counts
    entries = whole.entries
    seals = sum(len(one.certificate.seals) for one in entries)
    votes = sum(len(one.certificate.votes) for one in entries)
    given = sum(len(one.contributions) for one in entries)
    beside = sum(len(one.beside) for one in entries)
    opened = sum(openings(one.content) for one in entries)
    keys = len(whole.charter.keys)
    expected = {
        "structure": whole.items,
        "identity": keys + 1,
        "chain": len(whole.seals) + given + votes + 2 * seals + 3 * len(entries),
        "cryptography": keys + given + opened,
        "rules": 1 + len(entries),
        "completeness": 1 + len(entries) + len(entries) + beside,
    }
    assert beside > 0
    found = {check.value: counts[check].passed for check in CHECKS}
    assert expected.items() <= found.items()
    assert not any(count.failed or count.not_run for count in counts.values())
    named = [row[0].strip("`") for row in rows(PAGE, "### What is counted")]
    assert named == list(found)


def fits(data: bytes) -> bool:
    try:
        Schema(CDDL).validate_cbor(data)
    except ValidationError:
        return False
    return True


def test_real_items_fit_their_shapes() -> None:
    head, founding, entry, *_ = split(whole_story().record())
    assert fits(head)
    assert fits(founding)
    assert fits(OPEN.write(Open(1)))
    assert not fits(entry)
    assert not fits(head[:-1] + b"\x20")


@pytest.mark.parametrize("count", [0, OPEN_MAX + 1])
def test_counts_out_of_range_do_not_fit(count: int) -> None:
    assert not fits(b"\x83\x01\x6ftranscript/open\x19" + count.to_bytes(2, "big"))
