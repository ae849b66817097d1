"""Small files are whole or not there, and of their owner alone."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

import pytest

from nodealer.store.files import (
    make_directory,
    read_private,
    require_own_directory,
    write_new,
    write_over,
)
from nodealer.store.places import Directories, places_of
from nodealer.store.trouble import StoreError, Trouble, told_of
from tests.store.troubles import trouble


def test_directories_are_made_private(tmp_path: Path) -> None:
    make_directory(tmp_path / "a" / "b")
    make_directory(tmp_path / "a" / "b")
    for one in ("a", "a/b"):
        assert (tmp_path / one).stat().st_mode & 0o777 == 0o700


def test_a_file_in_the_place_of_a_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with trouble(Trouble.UNWRITABLE, "not a directory"):
        make_directory(tmp_path / "file")
    with trouble(Trouble.UNWRITABLE):
        make_directory(tmp_path / "file" / "below")


def test_a_directory_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with trouble(Trouble.OWNER):
        require_own_directory(tmp_path)


def test_a_file_is_written_once_and_over_only_on_purpose(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_new(path, b"one")
    with trouble(Trouble.EXISTS):
        write_new(path, b"two")
    assert read_private(path, 10) == b"one"
    write_over(path, b"three")
    assert read_private(path, 10) == b"three"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_has_left_is_written_over(tmp_path: Path) -> None:
    (tmp_path / ".file.new").write_bytes(b"a long rest of somebody who was killed")
    write_new(tmp_path / "file", b"new")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"new"]


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    other = os.open(tmp_path / ".file.new", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(other, fcntl.LOCK_EX)
    with trouble(Trouble.HELD):
        write_new(tmp_path / "file", b"new")
    os.close(other)
    write_new(tmp_path / "file", b"new")


def test_a_writer_whose_file_was_taken_away_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock

    def late(handle: int, operation: int) -> None:
        lock(handle, operation)
        (tmp_path / ".file.new").unlink()

    monkeypatch.setattr(fcntl, "flock", late)
    with trouble(Trouble.HELD):
        write_new(tmp_path / "file", b"new")


def test_what_is_long_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:7]))
    write_new(tmp_path / "file", bytes(range(100)))
    assert (tmp_path / "file").read_bytes() == bytes(range(100))


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write_new(tmp_path / "file", b"old")
    monkeypatch.setattr(os, "fsync", full)
    with trouble(Trouble.FULL, "No space"):
        write_over(tmp_path / "file", b"new")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"old"]


def test_a_link_is_not_followed_when_something_is_written(tmp_path: Path) -> None:
    (tmp_path / ".file.new").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError):
        write_new(tmp_path / "file", b"new")
    assert not (tmp_path / "elsewhere").exists()


def test_what_the_system_says_becomes_a_trouble(tmp_path: Path) -> None:
    said = {
        errno.ENOSPC: Trouble.FULL,
        errno.EDQUOT: Trouble.FULL,
        errno.EFBIG: Trouble.FULL,
        errno.EROFS: Trouble.UNWRITABLE,
        errno.EACCES: Trouble.UNWRITABLE,
        errno.ENOENT: Trouble.MISSING,
        errno.EIO: Trouble.FAILED,
    }
    for number, expected in said.items():
        with trouble(expected), told_of(tmp_path):
            raise OSError(number, os.strerror(number))
    with trouble(Trouble.FAILED, "OSError"), told_of(tmp_path):
        raise OSError


# Places.


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    whole = {"NODEALER_HOME": str(tmp_path), "XDG_DATA_HOME": "/elsewhere", "HOME": "/home/a"}
    assert places_of(whole) == Directories(
        tmp_path / "config", tmp_path / "data", tmp_path / "state", is_apart=True
    )


def test_the_usual_places_are_those_of_xdg() -> None:
    assert places_of({"HOME": "/home/a"}) == Directories(
        Path("/home/a/.config/nodealer"),
        Path("/home/a/.local/share/nodealer"),
        Path("/home/a/.local/state/nodealer"),
    )
    chosen = {"HOME": "/home/a", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "relative"}
    assert places_of(chosen) == Directories(
        Path("/home/a/.config/nodealer"),
        Path("/home/a/.local/share/nodealer"),
        Path("/s/nodealer"),
    )


def test_nowhere_is_told() -> None:
    for environment in ({}, {"HOME": "", "NODEALER_HOME": "relative"}):
        with trouble(Trouble.NOWHERE):
            places_of(environment)


def test_profiles_have_plain_names(tmp_path: Path) -> None:
    places = Directories(tmp_path / "c", tmp_path / "d", tmp_path / "s")
    for name in ("", "A", "-a", "../a", "a/b", "a" * 33, "1", "ä", "a\n"):
        with trouble(Trouble.NAME):
            places.profile(name)
    for name in ("default", "a", "second-one", "a_2"):
        assert places.profile(name).name == name


def test_only_journals_are_journals(tmp_path: Path) -> None:
    profile = Directories(tmp_path / "c", tmp_path / "d", tmp_path / "s").profile()
    assert profile.journals() == ()
    profile.make()
    for name in ("b" * 64, "a" * 64):
        (profile.tables / f"{name}.journal").write_text("")
    for name in ("copy.journal", f"{'a' * 64}.journal-wal", f"{'a' * 64}.journal.damaged-1"):
        (profile.tables / name).write_text("")
    assert [path.stem for path in profile.journals()] == ["a" * 64, "b" * 64]


def test_making_places_twice_changes_nothing(tmp_path: Path) -> None:
    profile = Directories(tmp_path / "c", tmp_path / "d", tmp_path / "s").profile()
    with suppress(AssertionError):
        profile.make()
    profile.make()
    assert profile.tables.is_dir()
