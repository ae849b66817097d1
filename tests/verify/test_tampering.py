"""Every field of every kind of entry, changed once by somebody who has no keys: all are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from nodealer.verify import Transcript, Verdict, read_transcript
from tests.verify.changes import changes
from tests.verify.stage import find_small, whole_story
from tests.verify.tampering import Told, chosen

HEIGHTS = {
    "keys and commitments": 1,
    "shuffle": 2,
    "mask and coin": 3,
    "release": 4,
    "action": 8,
    "close": 16,
    "again": 17,
    "kept by a round": 26,
    "silent seat left out": 27,
    "step on ranks": 28,
    "gone seat left out": 35,
    "false seat left out": 43,
    "last": 44,
}
"""The heights of `whole_story` at which each kind of entry stands."""

PARTS = ("charter", "seals", "open", "evidence")
"""What a transcript holds beside its entries."""


@cache
def story() -> Transcript:
    return read_transcript(whole_story().record())


def told() -> Told:
    return Told(story(), find_small)


@pytest.mark.parametrize("kind", HEIGHTS)
def test_a_changed_entry_is_refused_by_the_class_it_belongs_to(kind: str, is_full: bool) -> None:
    count = told().refused(HEIGHTS[kind], every=0 if is_full else 4)
    assert count > (15 if is_full else 3)


@pytest.mark.parametrize("part", PARTS)
def test_a_changed_charter_or_ending_is_refused(part: str, is_full: bool) -> None:
    count = 0
    for change in chosen(changes(getattr(story(), part)), 0 if is_full else 1):
        transcript = replace(story(), **{part: change.value})
        if part in ("charter", "seals") and not is_full:
            transcript = replace(transcript, entries=story().entries[:1], open=(), evidence=())
        report = told().report_if_written(transcript)
        if report is None:
            continue
        if change.shape in ("dropped", "doubled") and part in ("open", "evidence"):
            continue  # a shorter ending is an honest one, and saying a thing twice adds nothing
        if change.shape.endswith("messages.swapped"):
            continue
        assert report.verdict is Verdict.INVALID, change.path
        assert report.culprit is None
        count += 1
    assert count > 5


def test_the_story_itself_is_sound_and_names_the_false_seat() -> None:
    report = told().report(story())
    assert (report.verdict, report.culprit, report.exit_code) == (Verdict.COMPLETE, 1, 0)
    assert report.failures == ()
    assert [(cheat.code, cheat.height) for cheat in report.cheats] == [("E1", 42)]
    assert all(count.failed == count.not_run == 0 for count in report.counts.values())
    assert all(count.passed for count in report.counts.values())


def test_the_kinds_of_entries_stand_where_they_are_looked_for() -> None:
    ranks = {height: story().entries[height - 1].certificate.rank for height in HEIGHTS.values()}
    assert [height for height, rank in ranks.items() if rank] == [26, 27, 35, 43]
    steps = {height: story().entries[height - 1].content.step for height in HEIGHTS.values()}
    kinds = [type(step).__name__ for step in steps.values()]
    assert kinds.count("EvictStep") == 3
    assert kinds.count("AuthoredStep") == 3
    grounds = story().entries[42].certificate.grounds
    assert [ground.seat for ground in grounds] == [1]
