"""Transcripts that were written once are judged as they were judged then."""

from __future__ import annotations

import pytest

from nodealer.verify import Verdict, judge_bytes, read_transcript, write_transcript
from tests.verify.make_golden import PLACE, RECORDS, SEATS, report_on


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_judged_as_it_was(name: str) -> None:
    data = (PLACE / f"{name}.ndt").read_bytes()
    assert report_on(data) == (PLACE / f"{name}.json").read_text(encoding="utf-8")
    assert write_transcript(read_transcript(data)) == data


@pytest.mark.parametrize("name", RECORDS)
def test_the_records_are_whole_games(name: str) -> None:
    judged = judge_bytes((PLACE / f"{name}.ndt").read_bytes())
    assert judged.report.verdict is Verdict.COMPLETE
    assert judged.report.cheats == ()
    assert judged.tip is not None
    assert len(judged.tip.roster) == SEATS[name]
