"""Every field of every kind of entry, changed once by somebody who has no keys: all are refused.

Nobody is named for it, because nobody has signed what was changed. Which class of checks refuses a
change follows from where it was made: what is signed by itself no longer fits its signature, what a
content says no longer fits the hash by which it is named, and what is put together otherwise no
longer makes the entry complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from nodealer.kernel import LocalError
from nodealer.verify import (
    Report,
    Transcript,
    Verdict,
    judge_bytes,
    read_transcript,
    write_transcript,
)
from tests.verify.changes import Change, changes
from tests.verify.stage import find_small, whole_story

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

ORDERINGS = ("dropped", "doubled", "swapped")

PARTS = ("charter", "seals", "open", "evidence")
"""What a transcript holds beside its entries."""


@cache
def story() -> Transcript:
    return read_transcript(whole_story().record())


def expected_class(shape: str) -> set[str]:
    """Return the classes that may refuse a change at a place, the rule before the exceptions."""
    last = shape.rpartition(".")[2]
    if last == "seat" and not shape.startswith("content"):
        # One seat more than the last is nobody.
        return {"signatures", "identity"} | _of_grounds(shape)
    top = shape.partition(".")[0]
    if shape in ("contributions.dropped", "contributions.doubled", "contributions.swapped"):
        return {"chain"}
    if top == "content" or shape == "certificate.entry":
        return {"chain"}
    if top == "contributions":
        return {"signatures"}
    return _of_certificate(shape, last)


def _of_grounds(shape: str) -> set[str]:
    return {"completeness"} if shape.endswith("grounds.seat") else set()


def _of_certificate(shape: str, last: str) -> set[str]:
    inner = shape.split(".")[1:]
    if "grounds" in inner:
        is_message = "messages" in inner and last not in ORDERINGS
        return {"signatures"} if is_message else {"completeness", "liveness"}
    if inner[:1] and inner[0] in ("seals", "votes"):
        is_list = last in ORDERINGS and len(inner) == 2
        return {"completeness"} if is_list else {"signatures"}
    return {"completeness"}


def tampered(change: Change, height: int) -> Transcript:
    """Return the beginning of the story, up to the entry above the changed one."""
    whole = story()
    entries = (*whole.entries[: height - 1], change.value, *whole.entries[height : height + 1])
    return replace(whole, entries=entries, open=(), evidence=())


def report_on(transcript: Transcript) -> Report:
    return judge_bytes(write_transcript(transcript), find_game=find_small).report


def report_if_written(transcript: Transcript) -> Report | None:
    """Return the report, or nothing if no writer can write it, so that no reader can get it."""
    try:
        data = write_transcript(transcript)
    except (LocalError, ValueError):
        return None
    return judge_bytes(data, find_game=find_small).report


def is_the_same(shape: str, value: Transcript) -> bool:
    """Say whether a change makes another file of the same meaning.

    Two messages that contradict each other do so in any order. A certificate that an earlier entry
    has brought along need not be there a second time.
    """
    if shape.endswith("messages.swapped"):
        return True
    return shape == "beside.dropped" and report_on(value).failure is None


def chosen(all_of_them: Iterator[Change], *, is_full: bool) -> Iterator[Change]:
    """Yield all changes, or one for every place."""
    seen: set[str] = set()
    for change in all_of_them:
        if is_full or change.shape not in seen:
            seen.add(change.shape)
            yield change


@pytest.mark.parametrize("kind", HEIGHTS)
def test_a_changed_entry_is_refused_by_the_class_it_belongs_to(kind: str, is_full: bool) -> None:
    height = HEIGHTS[kind]
    count = 0
    for change in chosen(changes(story().entries[height - 1]), is_full=is_full):
        transcript = tampered(change, height)
        report = report_if_written(transcript)
        if report is None or is_the_same(change.shape, transcript):
            continue
        failure = report.failure
        assert failure is not None, change.path
        assert report.verdict is Verdict.INVALID
        assert failure.check.value in expected_class(change.shape), change.path
        assert (failure.height, report.culprit, report.exit_code) == (height, None, 12), change.path
        count += 1
    assert count > 15


@pytest.mark.parametrize("part", PARTS)
def test_a_changed_charter_or_ending_is_refused(part: str, is_full: bool) -> None:
    count = 0
    for change in chosen(changes(getattr(story(), part)), is_full=is_full):
        transcript = replace(story(), **{part: change.value})
        if part in ("charter", "seals") and not is_full:
            transcript = replace(transcript, entries=story().entries[:1], open=(), evidence=())
        report = report_if_written(transcript)
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
    report = report_on(story())
    assert (report.verdict, report.culprit, report.exit_code) == (Verdict.COMPLETE, 1, 0)
    assert report.failures == ()
    assert [(cheat.evidence.code, cheat.height) for cheat in report.cheats] == [("E1", 42)]
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
