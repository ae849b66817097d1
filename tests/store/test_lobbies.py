"""Records of lobbies: one process, whole files, and older copies that are noticed."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.store import files, lobbies
from nodealer.store.lobbies import LobbyFile, records_in
from nodealer.store.places import Profile
from nodealer.store.trouble import Trouble
from tests.store.players import home_in
from tests.store.troubles import trouble

NAME = "00ff.host"


class Stop(Exception):  # noqa: N818 - what happens, and no mistake
    """The power fails."""


def profile_in(folder: Path) -> Profile:
    return home_in(folder).profile


def written(profile: Profile, *records: bytes) -> None:
    with closing(LobbyFile(profile, NAME)) as file:
        for record in records:
            file.write(record)


def read(profile: Profile) -> tuple[bytes, bool]:
    with closing(LobbyFile(profile, NAME)) as file:
        data = file.read()
        return data, file.is_sure


def test_the_last_record_is_read_again(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    written(profile, b"one", b"two")
    assert read(profile) == (b"two", True)
    assert [path.name for path in records_in(profile)] == [NAME]


def test_a_record_is_for_its_owner_and_for_one_process(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    with closing(LobbyFile(profile, NAME)) as file:
        file.write(b"one")
        assert file.path.stat().st_mode & 0o777 == 0o600
        with trouble(Trouble.HELD):
            LobbyFile(profile, NAME)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    assert records_in(profile) == ()
    with closing(LobbyFile(profile, NAME)) as file, trouble(Trouble.MISSING):
        file.read()


def test_an_older_copy_is_noticed(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    written(profile, b"one")
    path = profile.home / "lobbies" / NAME
    copy = shutil.copy2(path, tmp_path / "copy")
    written(profile, b"two")
    shutil.copy2(copy, path)
    assert read(profile) == (b"one", False)


def test_data_that_come_back_without_their_state_are_noticed(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    written(profile, b"one")
    shutil.rmtree(profile.places.state)
    assert read(profile) == (b"one", False)


def test_another_machine_is_noticed(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    written(profile, b"one")
    profile.places.machine.unlink()
    assert read(profile) == (b"one", False)


def test_a_mark_that_others_may_read_is_refused(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    written(profile, b"one")
    (profile.marks / f"{NAME}.mark").chmod(0o644)
    with trouble(Trouble.TOO_OPEN):
        read(profile)


def test_what_is_discarded_leaves_nothing(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    written(profile, b"one")
    with closing(LobbyFile(profile, NAME)) as file:
        file.discard()
        file.discard()
    assert records_in(profile) == ()
    assert not (profile.marks / f"{NAME}.mark").exists()


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("before", [(), (b"one",)])
def test_a_crash_between_two_files_raises_no_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool, before: tuple[bytes, ...]
) -> None:
    """Every record is either the old or the new one, and sure."""
    profile = profile_in(tmp_path)
    written(profile, *before)

    def failing(path: Path, data: bytes) -> None:
        if is_new:
            files.write_over(path, data)
        raise Stop

    monkeypatch.setattr(lobbies, "write_over", failing)
    with pytest.raises(Stop):
        written(profile, b"two")
    monkeypatch.undo()
    if before or is_new:
        assert read(profile) == (b"two" if is_new else b"one", True)
    else:
        assert records_in(profile) == ()
