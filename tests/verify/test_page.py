"""The page of the transcript says what the code does."""

from __future__ import annotations

import re

import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.cli.main import EPILOG
from nodealer.cli.verify import EPILOG as VERIFY_EPILOG
from nodealer.verify import CHECKS, Verdict
from nodealer.verify.report import EXIT_CULPRIT, EXIT_INVALID, EXITS
from nodealer.verify.transcript import FOUNDING, HEAD, OPEN, OPEN_KINDS, OPEN_MAX, Open
from nodealer.wire import split
from tests.specs.pages import SPECS
from tests.verify.stage import whole_story

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
