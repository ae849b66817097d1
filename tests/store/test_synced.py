"""Whenever anything leaves, all that was stored is on the disk; what is not is only others' words.

A power cut takes from the log what was not synced. Here it takes all of that, at every turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.ledger import Entry, Ready
from nodealer.ledger.messages import LedgerMessage
from nodealer.store import opening
from nodealer.store.database import LOG_PAGES
from nodealer.store.journal import NOTE_BYTES_MAX, Journal
from nodealer.store.old_copies import Doubt, MarkFile
from nodealer.store.opening import open_journal
from nodealer.store.transcripts import glance
from nodealer.store.trouble import Trouble
from nodealer.table import Table
from tests.store.logs import PAGE_BYTES, log_of, used_of
from tests.store.playing import Sitting, recorded
from tests.store.troubles import trouble, without_room

TURNS = 12


class Disk:
    """What of a journal a power cut leaves, as the statements tell that its database was given."""

    def __init__(self, journal: Journal, mark: Path) -> None:
        self._path, self._mark = journal.path, mark
        self._log = log_of(journal.path)
        self._level = "full"
        self._is_synced = True
        self.look()
        journal._connection.set_trace_callback(self._note)

    def _note(self, statement: str) -> None:
        if statement.startswith("PRAGMA synchronous = "):
            self._level = statement.rpartition(" ")[2]
        if statement == "COMMIT":
            self._is_synced = self._level == "full"

    def has_all(self) -> bool:
        """Say whether all that the database was given is on the disk."""
        return self._is_synced

    @property
    def written(self) -> int:
        """How much of the log is in use."""
        return used_of(self._log.read_bytes())

    def look(self) -> None:
        """Remember the log as it is, if all of it is on the disk."""
        if self._is_synced:
            self._synced = self._log.read_bytes()

    def left(self) -> dict[Path, bytes]:
        """Return what a power cut leaves now; the mark may be as new as it was written."""
        whole = {path: path.read_bytes() for path in (self._path, self._mark)}
        return whole | {self._log: self._synced}


def put_back(files: Mapping[Path, bytes]) -> None:
    """Write files anew; each stays the file that it is."""
    for path, data in files.items():
        path.write_bytes(data)


class Powered(Sitting):
    """Seats whose disks are looked at whenever they have stored something."""

    def __init__(self, folder: Path, turns: int) -> None:
        self.disks: dict[int, Disk] = {}
        self.waiting: list[tuple[LedgerMessage, ...]] = []
        super().__init__(folder, turns)

    def store(self, seat: int, table: Table, ready: Ready) -> None:
        """Store a batch, and look at what is on the disk before anything of it leaves."""
        journal = self.journals[seat]
        if seat not in self.disks:
            mark = self.homes[seat].profile.mark(journal.table)
            self.disks[seat] = Disk(journal, mark)
        super().store(seat, table, ready)
        self.disks[seat].look()
        assert self.disks[seat].has_all() or not ready.send
        if not self.disks[seat].has_all():
            self.waiting.append(ready.persist)

    def stop(self, seat: int) -> None:
        """Close the program of a seat; another start is another connection."""
        super().stop(seat)
        del self.disks[seat]


@pytest.fixture
def powered(tmp_path: Path) -> Iterator[Powered]:
    made = Powered(tmp_path, turns=4)
    yield made
    made.close()


def test_before_anything_leaves_all_that_was_stored_is_synced(powered: Powered) -> None:
    powered.play()
    assert all(table.position.is_closed for table in powered.tables.values())
    assert len(powered.waiting) > TURNS, "half of all batches can wait"
    assert {type(one) for batch in powered.waiting for one in batch} == {Entry}


def test_a_seat_plays_on_after_a_power_cut_at_any_turn(powered: Powered) -> None:
    lost = 0
    for turn in range(TURNS):
        powered.play(1)
        seat = turn % 2
        height = powered.tables[seat].ledger.tip.height
        left = powered.disks[seat].left()
        powered.stop(seat)
        put_back(left)
        powered.start(seat)
        assert powered.doubt(seat) is None
        assert powered.suspect(seat) is None
        lost += powered.tables[seat].ledger.tip.height < height
        powered.settle()
        assert len(powered.tips()) == 1
    assert lost, "a power cut takes something away"
    powered.play()
    assert all(table.position.is_closed for table in powered.tables.values())


def test_what_says_nothing_new_syncs_what_came_before(powered: Powered) -> None:
    powered.play(1)
    seat = next(seat for seat, disk in powered.disks.items() if not disk.has_all())
    journal, disk = powered.journals[seat], powered.disks[seat]
    journal.append((), syncs=False)
    assert not disk.has_all()
    before = journal.records()
    written = disk.written
    journal.append(())
    assert disk.has_all()
    assert disk.written > written, "the database syncs only what it writes"
    assert journal.records() == before


def test_doubt_is_synced_though_nothing_leaves(powered: Powered) -> None:
    journal, disk = powered.journals[0], powered.disks[0]
    journal.append((), syncs=False, is_suspect=True)
    assert disk.has_all()
    assert journal.doubt is Doubt.SHOWN


def test_who_closes_has_synced_all_and_marked_it(powered: Powered) -> None:
    powered.play(1)
    seat = next(seat for seat, disk in powered.disks.items() if not disk.has_all())
    journal, disk = powered.journals[seat], powered.disks[seat]
    mark = MarkFile(powered.homes[seat].profile.mark(journal.table))
    with closing(mark):
        before = mark.read()
        powered.stop(seat)
        after = mark.read()
    assert disk.has_all()
    assert before is not None
    assert after is not None
    assert before.count < after.count == journal.count


def test_a_note_that_could_not_be_written_finishes_the_journal(powered: Powered) -> None:
    """Its sync was the first over all that waited, and the disk tells of a failure once."""
    journal = powered.journals[0]
    with trouble(Trouble.FULL), without_room(journal):
        for number in range(100):
            journal.note(f"note {number}", bytes(NOTE_BYTES_MAX))
    with trouble(Trouble.FINISHED):
        journal.append(())
    with trouble(Trouble.FINISHED):
        journal.note("one", b"more")


def test_a_log_is_brought_into_the_database_only_by_what_is_synced(powered: Powered) -> None:
    """Bringing it there syncs it; if that failed in a batch that may wait, nobody would hear it."""
    journal, disk = powered.journals[0], powered.disks[0]
    (batch,) = recorded().after(0, 0)[:1]
    while disk.written < 2 * LOG_PAGES * PAGE_BYTES:
        before = disk.written
        journal.append(batch * 100, syncs=False)
        assert disk.written > before, "a log that was brought into the database begins anew"
    in_database = journal.path.stat().st_size
    journal.append(())
    assert journal.path.stat().st_size > in_database


def test_who_opens_a_journal_again_has_synced_what_is_in_it(
    powered: Powered, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nothing is new: the same process has it open once more, in the same second."""
    powered.play(1)
    seat = next(seat for seat, disk in powered.disks.items() if not disk.has_all())
    journal, home = powered.journals[seat], powered.homes[seat]
    log = log_of(journal.path)
    killed = {path: path.read_bytes() for path in (journal.path, log)}
    holder = glance(journal.path).holder
    powered.stop(seat)
    put_back(killed)
    monkeypatch.setattr(opening, "this_process", lambda: holder)
    with closing(open_journal(home.profile, journal.table, home.identity)):
        assert used_of(log.read_bytes()) > used_of(killed[log])
    powered.start(seat)
