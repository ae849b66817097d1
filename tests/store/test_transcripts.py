"""The public part of a journal is told without keys, also while somebody plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.ledger.messages import Left
from nodealer.store.locks import this_process
from nodealer.store.opening import open_journal
from nodealer.store.transcripts import glance, public_part, transcript
from nodealer.store.trouble import Trouble
from nodealer.verify import Verdict, judge_bytes, read_transcript, transcript_of
from tests.store.damage import change
from tests.store.playing import Sitting, recorded
from tests.store.troubles import trouble


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path, turns=5)
    yield made
    made.close()


def test_while_a_seat_plays_its_journal_is_told_as_the_seat_would(sitting: Sitting) -> None:
    told = transcript(sitting.path(0))
    assert told == transcript_of(sitting.tables[0].ledger)
    assert judge_bytes(told).report.verdict is Verdict.UNFINISHED


def test_a_finished_game_is_complete_and_the_same_for_both(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, turns=len(recorded().until) - 1)
    assert sitting.tables[0].position.is_closed
    sitting.close()
    told = [transcript(sitting.path(seat)) for seat in (0, 1)]
    assert told[0] == told[1]
    assert judge_bytes(told[0]).report.verdict is Verdict.COMPLETE


def test_a_leave_is_told(sitting: Sitting) -> None:
    sitting.done(0, *sitting.tables[0].leave())
    told = transcript(sitting.path(0))
    assert [one for one in read_transcript(told).open if isinstance(one, Left)]
    assert told == transcript_of(sitting.tables[0].ledger)


def test_what_a_glance_shows(sitting: Sitting) -> None:
    seen = glance(sitting.path(1))
    assert (seen.charter, seen.seat) == (sitting.charter, 1)
    assert seen.identity == sitting.charter.keys[1]
    assert (seen.doubt, seen.retired) == (None, None)
    assert seen.holder is not None
    assert seen.holder.process == this_process().process
    sitting.stop(1)
    assert glance(sitting.path(1)).holder is None


def test_the_public_part_is_of_one_moment(sitting: Sitting) -> None:
    charter, records = public_part(sitting.path(0))
    assert charter == sitting.charter
    assert records == sitting.journals[0].records()


def test_a_retired_journal_is_told(sitting: Sitting) -> None:
    sitting.stop(0)
    home, table = sitting.homes[0], sitting.charter.table
    with closing(open_journal(home.profile, table, home.identity)) as journal:
        journal.retire("moved")
    assert judge_bytes(transcript(sitting.path(0))).report.verdict is Verdict.UNFINISHED


def test_records_that_do_not_fit_are_damage(sitting: Sitting) -> None:
    sitting.stop(0)
    home, table = sitting.homes[0], sitting.charter.table
    with closing(open_journal(home.profile, table, home.identity)) as journal:
        journal.append(sitting.journals[1].records()[20:22])
    with trouble(Trouble.DAMAGED):
        transcript(sitting.path(0))


def test_damage_is_told(sitting: Sitting) -> None:
    sitting.stop(0)
    change(sitting.path(0), "DELETE FROM records WHERE number = 7")
    with trouble(Trouble.DAMAGED, "6 of"):
        public_part(sitting.path(0))
    change(sitting.path(0), "PRAGMA user_version = 77")
    with trouble(Trouble.NEWER):
        glance(sitting.path(0))
