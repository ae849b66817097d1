"""What is whole of a damaged journal is saved, and the damaged files are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from nodealer.kernel import TableId
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import create, open_journal
from nodealer.store.records import JournalOrigin
from nodealer.store.salvage import salvage
from nodealer.store.trouble import StoreError, Trouble
from tests.store.damage import change
from tests.store.players import home_in, identity_of
from tests.store.playing import Sitting
from tests.store.troubles import trouble


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path, turns=5)
    yield made
    made.close()


def test_a_game_goes_on_from_a_journal_with_a_hole(sitting: Sitting) -> None:
    sitting.stop(1)
    home, path = sitting.homes[1], sitting.path(1)
    change(path, "UPDATE records SET body = x'00' WHERE number = 30")
    damaged = path.read_bytes()
    saved = salvage(home.profile, sitting.charter.table, home.identity)
    assert saved.records == 29
    assert saved.aside.read_bytes() == damaged
    sitting.start(1)
    assert sitting.doubt(1) is Doubt.SALVAGED
    assert sitting.suspect(1) == {}
    sitting.settle()
    assert sitting.suspect(1) is None
    assert len(sitting.tips()) == 1
    sitting.play(2)
    assert not sitting.tables[0].ledger.proven
    assert len(sitting.tips()) == 1


def test_a_file_with_broken_pages_gives_what_was_before_them(sitting: Sitting) -> None:
    sitting.stop(1)
    home, path = sitting.homes[1], sitting.path(1)
    whole = path.read_bytes()
    counts = set()
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: page * 4096] + b"\xa5" * 4096 + whole[(page + 1) * 4096 :])
        before = set(path.parent.iterdir())
        try:
            saved = salvage(home.profile, sitting.charter.table, home.identity)
        except StoreError as error:
            counts.add(error.slug)
            assert {*path.parent.glob("*.journal*")} - before <= log_of(path)
            continue
        counts.add("saved")
        with closing(open_journal(home.profile, sitting.charter.table, home.identity)) as journal:
            assert journal.doubt is Doubt.SALVAGED
            assert len(journal.records()) == saved.records
    assert "saved" in counts


def log_of(path: Path) -> set[Path]:
    """Return the files of a log, which reading makes; they are empty then."""
    return {path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm")}


def test_damaged_files_are_never_written_over(sitting: Sitting) -> None:
    sitting.stop(1)
    home = sitting.homes[1]
    log = sitting.path(1).with_name(f"{sitting.path(1).name}-wal")
    log.write_bytes(b"the rest of a log")
    names = [
        salvage(home.profile, sitting.charter.table, home.identity).aside.name for _ in range(2)
    ]
    assert [name.rpartition(".")[2] for name in names] == ["damaged-1", "damaged-2"]
    assert not log.exists()
    assert (log.parent / f"{names[0]}-wal").read_bytes() == b"the rest of a log"


@pytest.mark.parametrize("damage", ["count = 'x'", "count = -1", "head = 7"])
def test_numbers_that_are_none_are_damage(sitting: Sitting, damage: str) -> None:
    sitting.stop(1)
    home, table = sitting.homes[1], sitting.charter.table
    change(sitting.path(1), "UPDATE standing SET " + damage)  # noqa: S608 - of a test
    with trouble(Trouble.DAMAGED):
        open_journal(home.profile, table, home.identity)
    salvage(home.profile, table, home.identity)
    open_journal(home.profile, table, home.identity).close()


@pytest.mark.parametrize("damage", ["DELETE FROM private", "UPDATE private SET box = 7"])
def test_without_its_seed_nothing_is_saved(sitting: Sitting, damage: str) -> None:
    sitting.stop(1)
    home = sitting.homes[1]
    change(sitting.path(1), damage)
    with trouble(Trouble.LOST):
        salvage(home.profile, sitting.charter.table, home.identity)


def test_notes_are_kept_as_far_as_they_can_be_read(sitting: Sitting) -> None:
    sitting.journals[1].note("addresses/0", b"/memory/0")
    sitting.journals[1].note("chat/muted", b"")
    sitting.stop(1)
    home, path = sitting.homes[1], sitting.path(1)
    change(path, "UPDATE notes SET value = 7 WHERE name = 'chat/muted'")
    salvage(home.profile, sitting.charter.table, home.identity)
    with closing(open_journal(home.profile, sitting.charter.table, home.identity)) as journal:
        assert journal.notes() == (("addresses/0", b"/memory/0"),)


def test_only_its_owner_salvages_it(sitting: Sitting) -> None:
    with trouble(Trouble.HELD):
        salvage(sitting.homes[1].profile, sitting.charter.table, identity_of(1))
    sitting.stop(1)
    with trouble(Trouble.OTHER_KEY):
        salvage(sitting.homes[1].profile, sitting.charter.table, identity_of(0))
    with trouble(Trouble.MISSING):
        salvage(sitting.homes[1].profile, TableId(bytes(32)), identity_of(1))


def test_what_another_machine_has_open_is_salvaged_only_to_take_it_over(sitting: Sitting) -> None:
    sitting.stop(1)
    home, path, table = sitting.homes[1], sitting.path(1), sitting.charter.table
    holder = "process 7 on cellar/0badc0de since 2026-01-01T00:00:00+00:00"
    change(path, "UPDATE standing SET holder = ?", holder)
    with closing(connect(path)) as database:
        root, size = database.execute(
            "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = 'notes'"
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * size)
    with trouble(Trouble.DAMAGED):
        open_journal(home.profile, table, home.identity)
    with trouble(Trouble.ELSEWHERE):
        salvage(home.profile, table, home.identity)
    assert salvage(home.profile, table, home.identity, takes_over=True).records
    open_journal(home.profile, table, home.identity).close()


def test_a_journal_that_says_nothing_of_who_has_it_open_is_salvaged(sitting: Sitting) -> None:
    sitting.stop(1)
    home, table = sitting.homes[1], sitting.charter.table
    change(sitting.path(1), "DROP TABLE standing")
    assert salvage(home.profile, table, home.identity).records


def test_a_table_that_is_only_watched_is_salvaged_too(sitting: Sitting, tmp_path: Path) -> None:
    profile = home_in(tmp_path / "own", 7).profile
    with closing(create(profile, JournalOrigin(sitting.charter))) as watched:
        watched.append(sitting.journals[0].records())
    change(profile.journal(sitting.charter.table), "DELETE FROM records WHERE number = 9")
    assert salvage(profile, sitting.charter.table).records == 8
