"""A journal gives back what was stored, in order, and notices everything else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.kernel import LocalError, Seat, TableId
from nodealer.store import database
from nodealer.store.identity import Identity, write_identity
from nodealer.store.journal import NOTE_BYTES_MAX, Journal
from nodealer.store.layouts import JOURNAL
from nodealer.store.locks import Holder, this_process
from nodealer.store.opening import create, open_journal
from nodealer.store.records import JournalOrigin, linked
from nodealer.store.salvage import salvage
from nodealer.store.transcripts import glance
from nodealer.store.trouble import StoreError, Trouble
from tests.store.damage import broken_into, change
from tests.store.players import (
    Home,
    charter_for,
    drawn,
    home_in,
    identity_of,
    origin_of,
    places_in,
    seed_of,
)
from tests.store.playing import recorded
from tests.store.troubles import trouble

CHARTER = charter_for(2)
TABLE = CHARTER.table


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_in(tmp_path)


def begun(home: Home, batches: int = 3) -> Path:
    """Make a journal of so many batches, close it, and return its file."""
    with closing(create(home.profile, origin_of(CHARTER, 0), home.identity, seed_of(0))) as made:
        for batch in recorded().after(0, 0)[:batches]:
            made.append(batch)
        return made.path


def again(home: Home) -> Journal:
    """Open the journal again."""
    return open_journal(home.profile, TABLE, home.identity)


@pytest.fixture
def journal(home: Home) -> Iterator[Journal]:
    begun(home, 0)
    with closing(again(home)) as made:
        yield made


def test_it_gives_back_what_was_stored(home: Home) -> None:
    begun(home, 3)
    batches = recorded().after(0, 0)
    with closing(again(home)) as journal:
        assert journal.records() == sum(batches[:3], ())
        journal.append(batches[3])
        assert journal.records() == sum(batches[:4], ())
        assert journal.count == len(journal.records())
    with closing(again(home)) as journal:
        assert journal.records() == sum(batches[:4], ())
        assert (journal.table, journal.seat, journal.charter) == (TABLE, Seat(0), CHARTER)
        assert journal.doubt is None
        assert journal.seed() == seed_of(0)
        assert journal.signer().verify_key.raw == identity_of(0).public


def test_nothing_is_no_batch(journal: Journal) -> None:
    journal.append(())
    assert journal.count == 0


def test_a_transaction_is_synced_when_it_returns(home: Home) -> None:
    begun(home)
    with closing(again(home)) as journal:
        connection = journal._connection
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_where_no_log_can_be_kept_nothing_is_stored(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PRAGMAS", ("PRAGMA synchronous = full",))
    with trouble(Trouble.FAILED):
        begun(home)


def test_a_closed_journal_stores_nothing(home: Home) -> None:
    begun(home)
    journal = again(home)
    journal.close()
    with trouble(Trouble.FINISHED):
        journal.append(recorded().after(0, 0)[0])
    with trouble(Trouble.FINISHED):
        journal.note("a", b"b")


def test_its_text_shows_nothing_of_what_is_in_it(journal: Journal) -> None:
    assert repr(journal) == f"<journal of seat 0 at {TABLE.hex()[:12]}, 0 records>"


def test_notes_are_kept(home: Home) -> None:
    begun(home)
    with closing(again(home)) as journal:
        assert journal.noted("address") is None
        journal.note("address", b"one")
        journal.note("address", b"two")
        journal.note("muted", b"")
    with closing(again(home)) as journal:
        assert journal.noted("address") == b"two"
        assert journal.notes() == (("address", b"two"), ("muted", b""))


@pytest.mark.parametrize(("name", "size"), [("n" * 65, 0), ("n", NOTE_BYTES_MAX + 1)])
def test_a_note_is_no_place_for_files(journal: Journal, name: str, size: int) -> None:
    with pytest.raises(LocalError, match="local/argument"):
        journal.note(name, bytes(size))


def test_an_identity_that_is_in_no_file_has_journals_too(tmp_path: Path) -> None:
    profile = places_in(tmp_path).profile("bot")
    create(profile, origin_of(CHARTER, 0), identity_of(0), seed_of(0)).close()
    open_journal(profile, TABLE, identity_of(0)).close()


def test_a_spectator_has_no_secrets(tmp_path: Path) -> None:
    profile = places_in(tmp_path).profile("spectator")
    with closing(create(profile, JournalOrigin(CHARTER))) as journal:
        assert journal.seat is None
        for secret in (journal.seed, journal.signer):
            with pytest.raises(LocalError, match="local/argument"):
                secret()


# What must not be there, and what is not.


def test_a_journal_is_made_once(home: Home) -> None:
    begun(home)
    with trouble(Trouble.EXISTS):
        begun(home)
    again(home).close()


def test_what_a_killed_maker_has_left_is_no_hindrance(home: Home) -> None:
    path = home.profile.journal(TABLE)
    for end in ("", "-wal", "-shm"):
        path.with_name(f".{path.name}.new{end}").write_bytes(b"left")
    begun(home)
    again(home).close()
    assert [one.name for one in home.profile.tables.iterdir()] == [path.name]


def test_a_table_that_was_never_played_has_no_journal(home: Home) -> None:
    with trouble(Trouble.MISSING):
        open_journal(home.profile, TableId(bytes(32)), home.identity)


@pytest.mark.parametrize("other", [identity_of(1), None])
def test_another_identity_does_not_open_it(home: Home, other: Identity | None) -> None:
    begun(home)
    with trouble(Trouble.OTHER_KEY):
        open_journal(home.profile, TABLE, other)


def test_it_is_open_once(home: Home) -> None:
    begun(home)
    with closing(again(home)), trouble(Trouble.HELD, this_process().machine):
        again(home)
    again(home).close()


def test_a_copy_under_another_profile_is_not_open_at_the_same_time(home: Home) -> None:
    path = begun(home)
    other = home.profile.places.profile("other")
    other.make()
    write_identity(other.key, home.identity)
    copy = other.journal(TABLE)
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o600)
    with closing(again(home)), trouble(Trouble.HELD):
        open_journal(other, TABLE, home.identity)
    with closing(open_journal(other, TABLE, home.identity)) as journal:
        assert journal.doubt is not None


def test_one_that_is_open_on_another_machine_is_opened_only_to_take_it_over(home: Home) -> None:
    path = begun(home)
    elsewhere = Holder(17, "elsewhere/1234", "2026-11-18T12:00:00+00:00")
    change(path, "UPDATE standing SET holder = ?", str(elsewhere))
    with trouble(Trouble.ELSEWHERE, "process 17 on elsewhere/1234"):
        again(home)
    open_journal(home.profile, TABLE, home.identity, takes_over=True).close()
    again(home).close()


@pytest.mark.parametrize(
    "tag", [str(this_process()), "nobody", ""], ids=["this process", "nobody", "nothing"]
)
def test_a_process_that_was_killed_here_holds_nothing(home: Home, tag: str) -> None:
    path = begun(home)
    change(path, "UPDATE standing SET holder = ?", tag)
    again(home).close()


# Retired.


def test_a_retired_journal_is_read_and_never_appended_to(home: Home) -> None:
    begun(home)
    with closing(again(home)) as journal:
        journal.retire("moved")
        with trouble(Trouble.RETIRED, "moved"):
            journal.append(recorded().after(0, 0)[3])
    with trouble(Trouble.RETIRED, "moved"):
        again(home)
    with closing(open_journal(home.profile, TABLE, home.identity, even_retired=True)) as journal:
        assert len(journal.records()) == journal.count
        with trouble(Trouble.RETIRED):
            journal.append(recorded().after(0, 0)[3])


# Other files in its place.


def test_a_journal_under_the_name_of_another_table_is_refused(home: Home) -> None:
    path = begun(home)
    other = TableId(drawn("table"))
    path.rename(home.profile.journal(other))
    with trouble(Trouble.FOREIGN, TABLE.hex()):
        open_journal(home.profile, other, home.identity)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", Trouble.FOREIGN),
        (b"something else, long enough to be looked at" * 100, Trouble.FOREIGN),
    ],
)
def test_what_is_no_journal_is_refused_and_left_alone(
    home: Home, data: bytes, expected: Trouble
) -> None:
    path = begun(home)
    path.write_bytes(data)
    with trouble(expected):
        again(home)
    assert path.read_bytes() == data


def test_a_database_of_another_kind_is_refused(home: Home) -> None:
    change(begun(home), "PRAGMA application_id = 5")
    with trouble(Trouble.FOREIGN, "0x5"):
        again(home)


def test_a_later_version_is_refused_and_left_alone(home: Home) -> None:
    path = begun(home)
    change(path, "PRAGMA user_version = 99")
    with trouble(Trouble.NEWER, "version 99, not 2"):
        again(home)
    with broken_into(path) as later:
        assert later.execute("PRAGMA user_version").fetchone() == (99,)


def test_an_earlier_version_is_brought_up(home: Home) -> None:
    path = begun(home)
    change(path, "DROP TABLE notes")
    change(path, "PRAGMA user_version = 1")
    with closing(again(home)) as journal:
        assert journal.records() == sum(recorded().after(0, 0)[:3], ())
        journal.note("new", b"in version 2")
    with broken_into(path) as now:
        assert now.execute("PRAGMA user_version").fetchone() == (JOURNAL.version,)


def test_bringing_up_is_done_whole_or_not_at_all(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(home)
    broken = database.DatabaseKind(
        JOURNAL.application, (*JOURNAL.steps, ("CREATE TABLE more (a)", "CREATE nonsense"))
    )
    monkeypatch.setattr("nodealer.store.opening.JOURNAL", broken)
    with trouble(Trouble.FAILED):
        again(home)
    monkeypatch.undo()
    with broken_into(path) as now:
        tables = {row[0] for row in now.execute("SELECT name FROM sqlite_master")}
    assert "more" not in tables
    again(home).close()


# Damage.

EDITS = [
    "UPDATE records SET body = x'00' WHERE number = 2",
    "UPDATE records SET body = zeroblob(length(body)) WHERE number = 2",
    "UPDATE records SET body = 'text' WHERE number = 2",
    "UPDATE records SET body = 0.5 WHERE number = 2",
    "UPDATE records SET link = zeroblob(32) WHERE number = 3",
    "UPDATE records SET link = 7 WHERE number = 3",
    "DELETE FROM records WHERE number = 2",
    "DELETE FROM records WHERE number = 1",
    "DELETE FROM records WHERE number = (SELECT max(number) FROM records)",
    "DELETE FROM records",
    "UPDATE records SET number = number + 1000 WHERE number = 2",
    "UPDATE records SET number = -number",
    "UPDATE standing SET count = count - 1",
    "UPDATE standing SET count = count + 1",
    "UPDATE standing SET head = zeroblob(32)",
]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_journal_is_noticed(home: Home, edit: str) -> None:
    change(begun(home), edit)
    with closing(again(home)) as journal, trouble(Trouble.DAMAGED):
        journal.records()


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM founding",
        "DELETE FROM standing",
        "UPDATE founding SET charter = x'8000'",
        "UPDATE founding SET charter = 'text'",
        "UPDATE founding SET charter = (SELECT body FROM records WHERE number = 1)",
        "UPDATE founding SET seat = 1",
        "UPDATE founding SET seat = 17",
        "UPDATE founding SET seat = NULL",
    ],
)
def test_a_journal_whose_beginning_is_damaged_is_refused(home: Home, edit: str) -> None:
    change(begun(home), edit)
    with trouble(Trouble.DAMAGED):
        again(home)


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM private",
        "UPDATE private SET box = zeroblob(60)",
        "UPDATE private SET box = x''",
    ],
)
def test_a_damaged_box_is_noticed(home: Home, edit: str) -> None:
    change(begun(home), edit)
    with closing(again(home)) as journal, trouble(Trouble.DAMAGED, "the box"):
        journal.seed()


def test_the_box_of_another_table_does_not_open(home: Home) -> None:
    path = begun(home)
    other = charter_for(2, "another")
    made = create(home.profile, origin_of(other, 0), home.identity, seed_of(0))
    with closing(made), broken_into(made.path) as database_of_other:
        box = database_of_other.execute("SELECT box FROM private").fetchone()[0]
    change(path, "UPDATE private SET box = ?", box)
    with closing(again(home)) as journal, trouble(Trouble.DAMAGED):
        journal.seed()


def test_a_record_that_only_a_later_program_can_read(home: Home) -> None:
    path = begun(home, 0)
    with closing(again(home)) as journal:
        body = b"\x83\x02\x61a\x00"  # a message of version 2
        link = linked(journal.origin.link(), 1, body)
    change(path, "INSERT INTO records VALUES (1, 1, ?, ?)", body, link)
    change(path, "UPDATE standing SET count = 1, head = ?", link)
    with closing(again(home)) as journal, trouble(Trouble.NEWER, "encoding/version"):
        journal.records()


def test_damage_anywhere_in_the_file_never_gives_other_records(home: Home, is_full: bool) -> None:
    path = begun(home, 3)
    whole, expected = path.read_bytes(), sum(recorded().after(0, 0)[:3], ())
    noticed = 0
    for at in range(0, len(whole), 97 if is_full else 1999):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            with closing(again(home)) as journal:
                assert journal.records() == expected
                assert journal.seed() == seed_of(0)
        except StoreError:
            noticed += 1
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    assert noticed


def test_a_file_that_was_cut_is_noticed(home: Home) -> None:
    path = begun(home, 3)
    whole = path.read_bytes()
    for pages in range(1, len(whole) // 4096):
        path.write_bytes(whole[: pages * 4096])
        with pytest.raises(StoreError), closing(again(home)) as journal:
            journal.records()


def test_what_the_check_of_the_database_finds_is_damage(home: Home) -> None:
    path = begun(home)
    with broken_into(path) as careless:
        careless.execute("PRAGMA ignore_check_constraints = on")
        careless.execute("UPDATE standing SET one = 2")
    with trouble(Trouble.DAMAGED, "CHECK constraint"):
        again(home)


def test_something_else_in_the_place_of_a_journal_is_refused(home: Home) -> None:
    home.profile.journal(TABLE).mkdir()
    with trouble(Trouble.FOREIGN, "not an ordinary file"):
        again(home)


def test_something_else_in_the_place_of_a_mark_is_told(home: Home) -> None:
    begun(home)
    home.profile.mark(TABLE).unlink()
    home.profile.mark(TABLE).mkdir()
    with trouble(Trouble.FAILED):
        again(home)
    home.profile.mark(TABLE).rmdir()
    again(home).close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET body = x'00'",
        "DELETE FROM records",
        "UPDATE founding SET seat = 1",
    ],
)
def test_what_was_stored_is_not_changed_by_mistake(home: Home, statement: str) -> None:
    with (
        broken_into(begun(home)) as guarded,
        pytest.raises(sqlite3.IntegrityError, match=r"never|once"),
    ):
        guarded.execute(statement)


def test_a_link_in_the_place_of_a_journal_is_not_followed(home: Home, tmp_path: Path) -> None:
    path = begun(home)
    place = tmp_path / "elsewhere.journal"
    path.symlink_to(path.rename(place))
    before = place.read_bytes()
    with trouble(Trouble.FOREIGN, "not an ordinary file"):
        again(home)
    with trouble(Trouble.FOREIGN, "not an ordinary file"):
        glance(path)
    with trouble(Trouble.FOREIGN, "not an ordinary file"):
        salvage(home.profile, TABLE, home.identity)
    assert place.read_bytes() == before


RECORDS = "SELECT 1 AS number, 1 AS batch, x'00' AS body, x'00' AS link"
"""Such a question may as well have an answer without end."""


@pytest.mark.parametrize(
    "made",
    [
        f"CREATE VIEW records AS {RECORDS}",
        f"CREATE TABLE records AS {RECORDS}",
        "CREATE TRIGGER more AFTER UPDATE ON standing BEGIN DELETE FROM notes; END",
    ],
)
def test_what_no_program_of_ours_has_made_is_not_asked(home: Home, made: str) -> None:
    path = begun(home)
    if "TRIGGER" not in made:
        change(path, "DROP TABLE records")
    change(path, made)
    with trouble(Trouble.DAMAGED, "is none of ours"):
        again(home)
    with trouble(Trouble.DAMAGED, "is none of ours"):
        glance(path)
    with trouble(Trouble.LOST, "is none of ours"):
        salvage(home.profile, TABLE, home.identity)


def test_a_note_that_is_damaged_is_none(home: Home) -> None:
    path = begun(home)
    with closing(again(home)) as journal:
        journal.note("one", b"whole")
        journal.note("two", b"damaged")
    change(path, "UPDATE notes SET value = 7 WHERE name = 'two'")
    with closing(again(home)) as journal:
        assert journal.noted("one") == b"whole"
        assert journal.noted("two") is None
        assert journal.notes() == (("one", b"whole"),)
