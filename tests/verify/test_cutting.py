"""Files that were cut, mixed, reordered or filled with something else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodealer.verify import Transcript, Verdict, judge_bytes, read_transcript, write_transcript
from nodealer.wire import split
from tests.verify.stage import Stage, find_small, stage, whole_story

SAMPLE_STEP = 211
"""Cuts that are tried in the ordinary run are so many bytes apart."""


def verdict_of(data: bytes) -> Verdict:
    return judge_bytes(data, find_game=find_small).report.verdict


def short() -> Stage:
    made = stage(2)
    made.finish()
    return made


DATA = short().record()
BOUNDARIES = [0]
for item in split(DATA):
    BOUNDARIES.append(BOUNDARIES[-1] + len(item))


def test_a_file_that_ends_with_an_entry_is_unfinished() -> None:
    assert verdict_of(DATA) is Verdict.COMPLETE
    for end in BOUNDARIES[2:-1]:
        assert verdict_of(DATA[:end]) is Verdict.UNFINISHED


def test_a_file_that_ends_anywhere_else_is_unreadable(is_full: bool) -> None:
    cuts = set(range(0, len(DATA), 1 if is_full else SAMPLE_STEP)) | {1, len(DATA) - 1}
    near = {end + shift for end in BOUNDARIES[1:] for shift in (-1, 1)}
    for cut in (cuts | near) - set(BOUNDARIES[2:]):
        assert verdict_of(DATA[: min(cut, len(DATA))]) in (
            (Verdict.UNREADABLE, Verdict.INVALID) if cut < len(DATA) else (Verdict.COMPLETE,)
        )


def test_every_entry_of_the_whole_story_but_the_last_is_an_unfinished_end() -> None:
    data = whole_story().record()
    end = 0
    verdicts = []
    for item in split(data):
        end += len(item)
        verdicts.append(verdict_of(data[:end]))
    entries = len(read_transcript(data).entries)
    assert verdicts[0] is Verdict.UNREADABLE
    closed = [height for height in range(entries + 1) if verdicts[1 + height] is Verdict.COMPLETE]
    assert closed == [16, 44]
    assert all(
        verdict is Verdict.UNFINISHED
        for height, verdict in enumerate(verdicts[1 : entries + 2])
        if height not in closed
    )
    # Behind the entries stands how many messages are open, so the end cannot be cut unseen.
    assert verdicts[entries + 2 : -1] == [Verdict.UNREADABLE] * (len(verdicts) - entries - 3)
    assert verdicts[-1] is Verdict.COMPLETE


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_no_byte_can_be_changed_unseen(place: int, change: int) -> None:
    data = DATA[:place] + bytes([DATA[place] ^ change]) + DATA[place + 1 :]
    assert verdict_of(data) in (Verdict.INVALID, Verdict.UNREADABLE)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_transcript(data: bytes) -> None:
    assert verdict_of(data) is Verdict.UNREADABLE


@given(st.integers(0, 12), st.integers(0, 12), st.sampled_from(["drop", "double", "swap"]))
def test_entries_out_of_order(first: int, second: int, how: str) -> None:
    whole = read_transcript(DATA)
    entries = list(whole.entries)
    one, other = first % (len(entries) - 1), second % len(entries)
    if how == "drop":
        del entries[one]
    elif how == "double":
        entries.insert(other, entries[one])
    else:
        entries[one], entries[other] = entries[other], entries[one]
    changed = replace(whole, entries=tuple(entries))
    is_the_same = changed == whole
    expected = Verdict.COMPLETE if is_the_same else Verdict.INVALID
    report = judge_bytes(write_transcript(changed), find_game=find_small).report
    assert report.verdict is expected
    assert report.culprit is None
    assert is_the_same or (report.check is not None and report.check.value == "chain")


def another_table() -> Transcript:
    made = stage(2, cards=2)
    made.finish()
    return read_transcript(made.record())


@pytest.mark.parametrize("at", [0, 3, -1])
def test_entries_of_another_table(at: int) -> None:
    whole, other = read_transcript(DATA), another_table()
    entries = list(whole.entries)
    entries[at] = other.entries[at]
    report = judge_bytes(
        write_transcript(replace(whole, entries=tuple(entries))), find_game=find_small
    ).report
    assert (report.verdict, report.culprit, report.exit_code) == (Verdict.INVALID, None, 12)
    assert report.check is not None
    assert report.check.value in ("chain", "signatures")


def test_two_files_in_one() -> None:
    assert verdict_of(DATA + DATA) is Verdict.UNREADABLE
