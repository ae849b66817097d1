"""A journal that may be an old copy is in doubt, and one that only crashed is not."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.ledger import LedgerMessage
from nodealer.store import old_copies
from nodealer.store.journal import Journal
from nodealer.store.locks import this_process
from nodealer.store.old_copies import Doubt, Mark, MarkFile, doubt_of, machine_mark
from nodealer.store.opening import create, open_journal
from nodealer.store.places import Directories, Profile
from nodealer.store.trouble import Trouble
from tests.store.damage import change
from tests.store.players import charter_for, home_in, identity_of, origin_of, places_in, seed_of
from tests.store.playing import recorded
from tests.store.troubles import trouble

CHARTER = charter_for(2)
TABLE = CHARTER.table


def batch(number: int) -> tuple[LedgerMessage, ...]:
    return recorded().after(0, 0)[number]


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    """Return a profile with a journal of two batches."""
    home = home_in(tmp_path)
    with closing(create(home.profile, origin_of(CHARTER, 0), home.identity, seed_of(0))) as made:
        made.append(batch(0))
        made.append(batch(1))
    return home.profile


def opened(profile: Profile) -> Journal:
    return open_journal(profile, TABLE, identity_of(0))


def doubt_in(profile: Profile) -> Doubt | None:
    """Open the journal of a profile and say what is in doubt."""
    with closing(opened(profile)) as journal:
        return journal.doubt


def played_on(profile: Profile, number: int = 2) -> None:
    """Store one batch more."""
    with closing(opened(profile)) as journal:
        journal.append(batch(number))


def elsewhere(profile: Profile, folder: Path) -> Profile:
    """Return the profile as it is found under a copy of all its files."""
    return places_in(folder).profile(profile.name)


def root_of(places: Directories) -> Path:
    return places.data.parent


def test_an_ordinary_restart_is_in_no_doubt(profile: Profile) -> None:
    assert doubt_in(profile) is None
    played_on(profile)
    assert doubt_in(profile) is None


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_crash_is_in_no_doubt_however_much_of_the_mark_was_lost(
    profile: Profile, lost: int
) -> None:
    mark = profile.mark(TABLE)
    known = [mark.read_bytes()]
    journal = opened(profile)
    for number in (2, 3):
        journal.append(batch(number))
        known.append(mark.read_bytes())
    journal._connection.close()  # as the system does when a process is killed
    journal._lock.release()
    mark.write_bytes(known[-1 - lost])
    profile_lock = next(profile.places.state.glob("locks/*"))
    profile_lock.write_text("process 17 on here since yesterday")
    with closing(opened(profile)) as journal:
        assert journal.doubt is None
        assert profile_lock.read_text() == str(this_process())


def test_the_mark_follows_every_batch(profile: Profile) -> None:
    with closing(opened(profile)) as journal, closing(MarkFile(profile.mark(TABLE))) as file:
        journal.append(batch(2))
        mark = file.read()
        assert mark is not None
        assert mark.count == journal.count


def test_a_copy_in_place_that_lacks_records(profile: Profile) -> None:
    path = profile.journal(TABLE)
    old = path.read_bytes()
    played_on(profile)
    path.write_bytes(old)
    assert doubt_in(profile) is Doubt.BEHIND


def test_a_log_that_was_lost(profile: Profile) -> None:
    path = profile.journal(TABLE)
    journal = opened(profile)
    journal.append(batch(2))
    whole = path.read_bytes()
    journal.close()
    path.write_bytes(whole)  # what was in the log is not in it
    assert doubt_in(profile) is Doubt.BEHIND


def test_another_branch_of_the_same_journal(profile: Profile) -> None:
    path = profile.journal(TABLE)
    old = path.read_bytes()
    played_on(profile, 2)
    mark = profile.mark(TABLE).read_bytes()
    path.write_bytes(old)
    profile.mark(TABLE).unlink()
    played_on(profile, 3)
    change(path, "UPDATE standing SET mark = ?, doubt = NULL", mark[:16])
    profile.mark(TABLE).write_bytes(mark)
    assert doubt_in(profile) is Doubt.BEHIND


def test_a_file_that_was_put_in_its_place(profile: Profile) -> None:
    path = profile.journal(TABLE)
    shutil.copy(path, copy := path.with_suffix(".copy"))
    copy.replace(path)
    assert doubt_in(profile) is Doubt.FILE


def test_the_state_directory_was_lost(profile: Profile) -> None:
    shutil.rmtree(profile.places.state)
    assert doubt_in(profile) is Doubt.UNMARKED


@pytest.mark.parametrize("torn", [0, 1, 40, 87])
def test_a_mark_that_is_not_whole(profile: Profile, torn: int) -> None:
    mark = profile.mark(TABLE)
    mark.write_bytes(mark.read_bytes()[:torn])
    assert doubt_in(profile) is Doubt.UNMARKED


def test_a_mark_that_was_changed(profile: Profile) -> None:
    mark = profile.mark(TABLE)
    data = bytearray(mark.read_bytes())
    data[20] ^= 1
    mark.write_bytes(bytes(data))
    assert doubt_in(profile) is Doubt.UNMARKED


def test_everything_was_copied_to_another_place(profile: Profile, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for part in ("data", "state", "config"):
        shutil.copytree(root_of(profile.places) / part, copy / part)
    other = elsewhere(profile, copy)
    os.utime(other.places.machine)
    assert doubt_in(other) is Doubt.FILE
    assert doubt_in(profile) is None


def test_everything_was_restored_into_the_same_files(profile: Profile) -> None:
    # Not even the inodes are others; only the time of the last change cannot be set back.
    machine = profile.places.machine
    drawn = machine.stat()
    data = machine.read_bytes()
    while machine.stat().st_ctime_ns // 10**9 == drawn.st_ctime_ns // 10**9:
        machine.write_bytes(data)
    os.utime(machine, ns=(drawn.st_atime_ns, drawn.st_mtime_ns))
    assert doubt_in(profile) is Doubt.MACHINE


def test_another_machine_with_the_same_files(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "machine-id"
    other.write_text("another")
    monkeypatch.setattr(old_copies, "MACHINE_ID", other)
    assert doubt_in(profile) is Doubt.MACHINE


def test_a_machine_without_a_number_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_copies, "MACHINE_ID", tmp_path / "none")
    path = tmp_path / "machine"
    assert machine_mark(path) == machine_mark(path)
    path.chmod(0o644)
    with trouble(Trouble.TOO_OPEN):
        machine_mark(path)


def test_doubt_stays_until_a_batch_says_that_the_seat_is_not_suspect(profile: Profile) -> None:
    profile.mark(TABLE).unlink()
    assert doubt_in(profile) is Doubt.UNMARKED
    with closing(opened(profile)) as journal:
        assert journal.doubt is Doubt.UNMARKED
        journal.append(batch(2))
        journal.append(batch(3), is_suspect=True)
    assert doubt_in(profile) is Doubt.UNMARKED
    with closing(opened(profile)) as journal:
        journal.append((), is_suspect=False)
    assert doubt_in(profile) is None


def test_doubt_that_the_ledger_finds_is_stored_with_the_batch(profile: Profile) -> None:
    with closing(opened(profile)) as journal:
        journal.append(batch(2), is_suspect=True)
        assert journal.doubt is Doubt.SHOWN
    assert doubt_in(profile) is Doubt.SHOWN


def test_what_another_version_doubts_is_in_doubt_here(profile: Profile) -> None:
    change(profile.journal(TABLE), "UPDATE standing SET doubt = 'LATER'")
    assert doubt_in(profile) is Doubt.UNMARKED
    assert doubt_of("LATER") is Doubt.UNMARKED
    assert doubt_of(None) is None


def test_a_journal_that_is_made_where_one_was_lost(profile: Profile) -> None:
    profile.journal(TABLE).unlink()
    with closing(create(profile, origin_of(CHARTER, 0), identity_of(0), seed_of(0))) as made:
        assert made.doubt is Doubt.BEHIND


def test_a_mark_is_of_one_length() -> None:
    sizes = {len(Mark(bytes(16), count, bytes(32)).encode()) for count in (0, 1, 1 << 40)}
    assert sizes == {88}
