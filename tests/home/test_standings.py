"""What was told of tables is believed until they have gone on."""

from __future__ import annotations

import os
from pathlib import Path

from nodealer.home.my_tables import FoundTable
from nodealer.home.standings import NOTES_MAX, StandingNotes, StandingTold

TOLD = StandingTold("over; Ana won", is_over=True)


def journal(folder: Path, number: int) -> FoundTable:
    path = folder / f"{number:064x}.journal"
    path.write_bytes(b"")
    return FoundTable(path)


def test_what_was_told_is_believed_until_the_journal_is_written(tmp_path: Path) -> None:
    one = journal(tmp_path, 1)
    notes = StandingNotes(tmp_path / "standings")
    assert notes.known(one) is None
    notes.note(one, TOLD)
    notes.keep()
    again = StandingNotes(tmp_path / "standings")
    assert again.known(one) == TOLD
    os.utime(one.path, ns=(0, one.written + 1))
    assert again.known(one) is None


def test_no_more_is_kept_than_has_a_use(tmp_path: Path) -> None:
    notes = StandingNotes(tmp_path / "standings")
    tables = [journal(tmp_path, number) for number in range(NOTES_MAX + 2)]
    for one in tables:
        notes.note(one, TOLD)
    notes.keep()
    again = StandingNotes(tmp_path / "standings")
    assert [again.known(one) for one in tables[:3]] == [None, None, TOLD]
