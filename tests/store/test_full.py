"""Where nothing can be stored nothing leaves; what was stored is there when there is room again."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.store.journal import Journal
from nodealer.store.opening import create, open_journal
from nodealer.store.trouble import Trouble, told_of
from tests.store.players import Home, charter_for, home_in, origin_of, seed_of
from tests.store.playing import Sitting, recorded
from tests.store.troubles import trouble, without_room
from tests.tidy.project import ROOT

CHARTER = charter_for(2)

LIMITED = """
import resource, sys
from pathlib import Path
from nodealer.store.opening import create, open_journal
from nodealer.store.trouble import StoreError
from tests.store.players import charter_for, home_in, origin_of, seed_of
from tests.store.playing import recorded
home, charter = home_in(Path(sys.argv[1])), charter_for(2)
batches = recorded().after(4, 0)
limit = int(sys.argv[2]), resource.RLIM_INFINITY
if sys.argv[3] == "before":
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
journal = create(home.profile, origin_of(charter, 0), home.identity, seed_of(0))
resource.setrlimit(resource.RLIMIT_FSIZE, limit)
stored = 0
try:
    for batch in batches:
        journal.append(batch)
        stored += 1
except StoreError as error:
    print(stored, error.slug)
    try:
        journal.append(batches[stored])
    except StoreError as error:
        print(error.slug)
journal.close()
print("closed")
"""
"""A file of this process becomes no longer than so many bytes; its log may be laid out already."""

READ_ONLY = """
import os, sys
from pathlib import Path
from nodealer.store.opening import create, open_journal
from nodealer.store.identity import create_identity
from nodealer.store.places import places_of
from nodealer.store.trouble import StoreError
if os.geteuid() == 0:
    os.setuid(65534)
places = places_of({"NODEALER_HOME": sys.argv[1]})
for action in (places.profile().make, lambda: create_identity(Path(sys.argv[1]) / "key")):
    try:
        action()
    except StoreError as error:
        print(error.slug)
"""
"""A user who may write nothing; the superuser may always."""


def ran(program: str, *arguments: object) -> list[str]:
    """Run a program in a process of its own, and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = home_in(tmp_path)
    create(made.profile, origin_of(CHARTER, 0), made.identity, seed_of(0)).close()
    return made


def again(home: Home) -> Journal:
    return open_journal(home.profile, CHARTER.table, home.identity)


@pytest.mark.parametrize("begins", ["before", "after"])
def test_a_limit_for_files_ends_the_journal_and_loses_nothing(tmp_path: Path, begins: str) -> None:
    told = ran(LIMITED, tmp_path, 150_000, begins)
    stored, slug = told[0].split()
    assert slug in {"store/full", "store/failed"}
    assert told[1:] == ["store/finished", "closed"]
    batches = recorded().after(4, 0)
    assert 0 < int(stored) < len(batches)
    with closing(again(home_in(tmp_path))) as journal:
        assert journal.records() == sum(batches[: int(stored)], ())
        assert journal.doubt is None
        journal.append(batches[int(stored)])


def test_on_a_full_disk_a_batch_is_told_and_the_journal_finished(home: Home) -> None:
    batches = recorded().after(4, 0)
    journal = again(home)
    journal.append(batches[0])
    stored = 1
    with trouble(Trouble.FULL, "full"), without_room(journal):
        for batch in batches[1:]:
            journal.append(batch)
            stored += 1
    with trouble(Trouble.FINISHED):
        journal.append(batches[stored])
    journal.close()
    with closing(again(home)) as journal:
        assert journal.records() == sum(batches[:stored], ())
        journal.append(batches[stored])
        assert journal.doubt is None


def test_what_could_not_be_stored_does_not_leave(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, turns=4)
    with trouble(Trouble.FULL), without_room(sitting.journals[0]):
        sitting.play()
    assert not sitting.tables[0].position.is_closed
    sitting.stop(0)
    sitting.wires.clear()
    sitting.start(0)
    sitting.settle()
    # Had anything left that is not in its journal, the other would show it now.
    assert sitting.suspect(0) is None
    assert sitting.doubt(0) is None
    sitting.play(2)
    assert len(sitting.tips()) == 1
    sitting.close()


def test_a_mark_that_cannot_be_written_ends_the_journal(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error")

    journal = again(home)
    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", fails)
        with trouble(Trouble.FAILED):
            journal.append(recorded().after(0, 0)[0])
    with trouble(Trouble.FINISHED):
        journal.append(recorded().after(0, 0)[1])
    journal.close()
    with closing(again(home)) as journal:
        assert journal.records() == recorded().after(0, 0)[0]
        assert journal.doubt is None


def test_where_nothing_may_be_written_nothing_is_begun(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    place = tmp_path / "locked"
    place.mkdir()
    place.chmod(0o555)
    is_superuser = os.geteuid() == 0  # then the directory is that of another user as well
    second = "store/owner" if is_superuser else "store/unwritable"
    assert ran(READ_ONLY, place) == ["store/unwritable", second]


def test_what_the_database_says_becomes_a_trouble(tmp_path: Path) -> None:
    said = {
        sqlite3.SQLITE_FULL: Trouble.FULL,
        sqlite3.SQLITE_READONLY: Trouble.UNWRITABLE,
        sqlite3.SQLITE_IOERR: Trouble.FAILED,
        sqlite3.SQLITE_IOERR_FSYNC: Trouble.FAILED,
        sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
        sqlite3.SQLITE_NOTADB: Trouble.FOREIGN,
        sqlite3.SQLITE_BUSY: Trouble.HELD,
        sqlite3.SQLITE_CANTOPEN: Trouble.UNWRITABLE,
    }
    for code, expected in said.items():
        error = sqlite3.OperationalError("what it says")
        error.sqlite_errorcode = code
        with trouble(expected, "what it says"), told_of(tmp_path):
            raise error
