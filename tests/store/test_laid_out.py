"""The log of a journal has its place on the disk before it is needed, or grows as it can."""

from __future__ import annotations

import errno
import os
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.store.database import LOG_PAGES
from nodealer.store.friends import Friends
from nodealer.store.journal import Journal
from nodealer.store.opening import create, open_journal
from nodealer.store.trouble import Trouble
from tests.store.damage import broken_into
from tests.store.logs import FRAME_BYTES, HEAD_BYTES, log_of, used_of
from tests.store.players import Home, charter_for, home_in, origin_of, seed_of
from tests.store.playing import recorded
from tests.store.troubles import trouble

CHARTER = charter_for(2)

LOG_BYTES = HEAD_BYTES + LOG_PAGES * FRAME_BYTES


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = home_in(tmp_path)
    with closing(create(made.profile, origin_of(CHARTER, 0), made.identity, seed_of(0))) as journal:
        journal.append(recorded().after(0, 0)[0])
    return made


@pytest.fixture
def path(home: Home) -> Path:
    return home.profile.journal(CHARTER.table)


def again(home: Home, *, even_retired: bool = False) -> Journal:
    return open_journal(home.profile, CHARTER.table, home.identity, even_retired=even_retired)


def is_of(path: Path, handle: int) -> bool:
    return path.exists() and os.path.samestat(os.fstat(handle), path.stat())


def test_while_it_is_written_to_its_length_stays(home: Home, path: Path) -> None:
    log = log_of(path)
    with closing(again(home)) as journal:
        used = used_of(log.read_bytes())
        for number, batch in enumerate(recorded().after(0, 0)[1:]):
            journal.append(batch, syncs=bool(number % 2))
            assert used < (used := used_of(log.read_bytes()))
            assert log.stat().st_size == LOG_BYTES
    assert not log.exists()


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_it_is_for_its_owner_only_whoever_begins_it(home: Home, path: Path, mode: str) -> None:
    with broken_into(path) as database:
        database.execute(f"PRAGMA journal_mode = {mode}").fetchall()
    former = os.umask(0)
    try:
        with closing(again(home)):
            found = log_of(path).stat()
    finally:
        os.umask(former)
    assert found.st_mode & 0o777 == 0o600
    assert found.st_size == LOG_BYTES


def test_its_length_is_on_the_disk_before_the_first_transaction(
    home: Home, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_of(path)
    synced: list[tuple[int, int]] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        sync(handle)
        if is_of(log, handle):
            synced.append((os.fstat(handle).st_size, used_of(log.read_bytes())))

    monkeypatch.setattr(os, "fsync", noted)
    again(home).close()
    assert synced == [(LOG_BYTES, HEAD_BYTES)]


def test_only_a_journal_to_be_played_from_has_room(home: Home, path: Path) -> None:
    with closing(again(home, even_retired=True)) as journal:
        journal.retire("moved")
        log = log_of(path)
        assert log.stat().st_size == used_of(log.read_bytes())
    friends = home.profile.friends
    with closing(Friends(friends)) as book:
        book.remember("Ann", home.identity.public, 1)
        log = log_of(friends)
        assert log.stat().st_size == used_of(log.read_bytes())


def failing(path: Path, number: int, patched: pytest.MonkeyPatch) -> None:
    """Let a file take a part of what is written into it, and then fail."""
    write, length = os.pwrite, LOG_BYTES // 4

    def taken(handle: int, data: bytes, at: int) -> int:
        if not is_of(path, handle):
            return write(handle, data, at)
        if at >= length:
            raise OSError(number, os.strerror(number))
        return write(handle, data[: length - at], at)

    patched.setattr(os, "pwrite", taken)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_without_room_it_grows(
    home: Home, path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_of(path)
    failing(log, number, monkeypatch)
    with closing(again(home)) as journal:
        journal.append(recorded().after(0, 0)[1])
        assert log.stat().st_size == used_of(log.read_bytes())
    with closing(again(home)) as journal:
        assert journal.records() == sum(recorded().after(0, 0)[:2], ())


@pytest.mark.parametrize("has_room", [True, False])
def test_what_a_killed_process_has_left_in_it_stays(
    home: Home, path: Path, has_room: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_of(path)
    with closing(again(home)) as journal:
        journal.append(recorded().after(0, 0)[1])
        left = {one: one.read_bytes() for one in (path, log)}
    left[log] = left[log][: used_of(left[log])]
    for one, data in left.items():
        one.write_bytes(data)
    if not has_room:
        failing(log, errno.ENOSPC, monkeypatch)
    with closing(again(home)) as journal:
        assert log.read_bytes().startswith(left[log])
        assert (log.stat().st_size == LOG_BYTES) is has_room
        assert journal.records() == sum(recorded().after(0, 0)[:2], ())
        assert journal.doubt is None


def test_any_other_failure_is_told(home: Home, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        failing(log_of(path), errno.EIO, patched)
        with trouble(Trouble.FAILED):
            again(home)
    again(home).close()


def test_a_sync_that_failed_is_told_whatever_it_says(
    home: Home, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A former process may have left in it what was not synced; the disk tells of that once."""

    def fails(handle: int) -> None:
        if is_of(log_of(path), handle):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fails)
        with trouble(Trouble.FULL):
            again(home)
    again(home).close()
