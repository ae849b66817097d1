"""A profile moves whole, signs in one place only, and needs no catching up where it arrives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nodealer.crypto.boxes import Cost, key_of_passphrase, opened, shut
from nodealer.kernel import LocalError, Seat
from nodealer.store.friends import Friends
from nodealer.store.identity import open_identity, read_key_file, write_identity
from nodealer.store.move_file import HEAD, JOURNAL, NOTE, MovedNote, MoveHead
from nodealer.store.moving import arrive, bring_back, leave
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import create, open_journal
from nodealer.store.places import Profile
from nodealer.store.records import JournalOrigin
from nodealer.store.seats import come_back_to
from nodealer.store.transcripts import glance, transcript
from nodealer.store.trouble import Trouble
from nodealer.wire import split
from tests.store.players import (
    charter_for,
    drawn,
    home_in,
    identity_of,
    origin_of,
    places_in,
    seed_of,
)
from tests.store.playing import Sitting, recorded
from tests.store.troubles import trouble

CHEAP = Cost(10)
SECURED = "for the journey"
OTHER = "another passphrase"


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path, turns=3)
    yield made
    made.close()


def left(profile: Profile, file: Path, why: str = "moved") -> int:
    return leave(profile, None, file, secured_by=SECURED, why=why, cost=CHEAP)


def arrived(profile: Profile, file: Path) -> tuple[tuple[bytes, Doubt | None], ...]:
    return arrive(profile, file, secured_by=SECURED, cost=CHEAP)


def new_home(tmp_path: Path, name: str = "there") -> Profile:
    return places_in(tmp_path / name).profile()


def test_a_seat_plays_on_elsewhere_at_once(sitting: Sitting, tmp_path: Path) -> None:
    before = sitting.tables[0].ledger.tip.id
    sitting.journals[0].note("address", b"here")
    sitting.stop(0)
    profile, file, there = sitting.homes[0].profile, tmp_path / "file", new_home(tmp_path)
    with closing(Friends(profile.friends)) as book:
        book.remember("Bea", identity_of(1).public, 10)
        book.confirm(identity_of(1).public, 11)
        friends = tuple(book)
    assert left(profile, file) == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert arrived(there, file) == ((sitting.charter.table, None),)

    sitting.homes[0] = replace(sitting.homes[0], profile=there)
    sitting.start(0)
    assert sitting.tables[0].ledger.tip.id == before
    assert sitting.suspect(0) is None
    assert sitting.journals[0].noted("address") == b"here"
    with closing(Friends(there.friends)) as book:
        assert tuple(book) == friends
    sitting.play(2)
    assert len(sitting.tips()) == 1


def test_where_it_left_nothing_signs_any_more(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    home = sitting.homes[0]
    left(home.profile, tmp_path / "file", "moved to the attic")
    with trouble(Trouble.RETIRED, "moved to the attic"):
        open_identity(home.profile.key)
    with trouble(Trouble.RETIRED, "moved to the attic"):
        open_journal(home.profile, sitting.charter.table, home.identity)
    assert glance(sitting.path(0)).retired == "moved to the attic"
    assert transcript(sitting.path(0))


def test_a_program_that_runs_on_sits_down_nowhere_after_its_profile_has_left(
    tmp_path: Path,
) -> None:
    home, charter = home_in(tmp_path), charter_for(2)
    identity = open_identity(home.profile.key)
    left(home.profile, tmp_path / "file")
    with trouble(Trouble.RETIRED):
        create(home.profile, origin_of(charter, 0), identity, seed_of(0))
    assert not home.profile.journals()
    create(home.profile, JournalOrigin(charter)).close()  # to watch is no matter of keys


def test_what_left_can_be_written_again(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    profile = sitting.homes[0].profile
    left(profile, tmp_path / "one", "first")
    left(profile, tmp_path / "two", "second")
    assert read_key_file(profile.key).retired == "first"
    table, home = sitting.charter.table, new_home(tmp_path)
    assert arrived(home, tmp_path / "two") == ((table, Doubt.AGAIN),)


def test_while_it_is_open_nothing_is_changed(sitting: Sitting, tmp_path: Path) -> None:
    profile, file = sitting.homes[0].profile, tmp_path / "file"
    with trouble(Trouble.HELD):
        left(profile, file)
    assert not file.exists()
    assert not read_key_file(profile.key).retired
    sitting.play(1)
    assert sitting.journals[0].retired is None


def test_what_is_there_is_not_written_over(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    profile, file = sitting.homes[0].profile, tmp_path / "file"
    file.write_bytes(b"mine")
    with trouble(Trouble.EXISTS):
        left(profile, file)
    with trouble(Trouble.WEAK):
        leave(profile, None, tmp_path / "other", secured_by="short", why="moved", cost=CHEAP)
    assert not read_key_file(profile.key).retired
    assert file.read_bytes() == b"mine"


def test_what_leaves_says_why(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    with pytest.raises(LocalError, match="local/argument"):
        left(sitting.homes[0].profile, tmp_path / "file", "")
    assert not (tmp_path / "file").exists()


def test_it_needs_its_passphrase_to_leave(tmp_path: Path) -> None:
    home = home_in(tmp_path / "own", 1)
    home.profile.key.unlink()
    write_identity(home.profile.key, home.identity, OTHER, CHEAP)
    with trouble(Trouble.PROTECTED):
        left(home.profile, tmp_path / "file")
    assert not read_key_file(home.profile.key).retired
    leave(home.profile, OTHER, tmp_path / "file", secured_by=SECURED, why="moved", cost=CHEAP)
    there = new_home(tmp_path)
    arrive(there, tmp_path / "file", secured_by=SECURED, passphrase=OTHER, cost=CHEAP)
    assert open_identity(there.key, OTHER).public == home.identity.public


def test_a_profile_that_is_in_use_is_not_written_over(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    file = tmp_path / "file"
    left(sitting.homes[0].profile, file)
    other = home_in(tmp_path / "other", 1).profile
    with trouble(Trouble.EXISTS):
        arrived(other, file)
    there = new_home(tmp_path)
    arrived(there, file)
    with trouble(Trouble.EXISTS):
        arrived(there, file)


def test_there_and_back_again(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    here, there = sitting.homes[0].profile, new_home(tmp_path)
    left(here, tmp_path / "one")
    arrived(there, tmp_path / "one")
    table, identity = sitting.charter.table, identity_of(0)
    more = recorded().after(4, 0)[len(recorded().after(3, 0)) :]
    with closing(open_journal(there, table, identity)) as journal:
        journal.append(more[0])
        whole = journal.records()
    left(there, tmp_path / "two")
    assert arrived(here, tmp_path / "two") == ((table, None),)
    with closing(open_journal(here, table, open_identity(here.key))) as journal:
        assert journal.records() == whole
        assert journal.doubt is None


def test_an_older_file_is_noticed_where_more_is_known(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    here, there = sitting.homes[0].profile, new_home(tmp_path)
    table, identity = sitting.charter.table, identity_of(0)
    left(here, tmp_path / "one")
    arrived(there, tmp_path / "one")
    with closing(open_journal(there, table, identity)) as journal:
        journal.append(recorded().after(4, 0)[len(recorded().after(3, 0))])
    left(there, tmp_path / "two")
    left(here, tmp_path / "three")  # what was left here, once more
    assert arrived(there, tmp_path / "three") == ((table, Doubt.AGAIN),)
    with closing(open_journal(there, table, identity)) as journal:
        assert journal.doubt is Doubt.AGAIN
        assert come_back_to(journal)[0].ledger.suspect == {}


def test_a_file_that_arrives_twice_is_in_doubt(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    here, there = sitting.homes[0].profile, new_home(tmp_path)
    left(here, tmp_path / "one")
    arrived(there, tmp_path / "one")
    left(there, tmp_path / "two")
    assert arrived(there, tmp_path / "one") == ((sitting.charter.table, Doubt.AGAIN),)


def test_doubt_travels(sitting: Sitting, tmp_path: Path) -> None:
    sitting.stop(0)
    here = sitting.homes[0].profile
    here.mark(sitting.charter.table).unlink()
    left(here, tmp_path / "one")
    assert arrived(new_home(tmp_path), tmp_path / "one") == (
        (sitting.charter.table, Doubt.UNMARKED),
    )


def test_a_table_that_is_only_watched_moves_too(sitting: Sitting, tmp_path: Path) -> None:
    home = home_in(tmp_path / "own", 7)
    with closing(create(home.profile, JournalOrigin(sitting.charter))) as watched:
        watched.append(sitting.journals[0].records())
        records = watched.records()
    left(home.profile, tmp_path / "file")
    there = new_home(tmp_path)
    arrived(there, tmp_path / "file")
    with closing(open_journal(there, sitting.charter.table)) as watched:
        assert watched.records() == records
        assert watched.seat is None


def test_what_was_lost_elsewhere_comes_back_to_life_in_doubt(
    sitting: Sitting, tmp_path: Path
) -> None:
    sitting.stop(0)
    profile = sitting.homes[0].profile
    left(profile, tmp_path / "file")
    bring_back(profile, None, CHEAP)
    sitting.start(0)
    assert sitting.doubt(0) is Doubt.REVIVED
    assert sitting.suspect(0) == {}
    sitting.settle()
    assert sitting.suspect(0) is None
    assert sitting.doubt(0) is None
    sitting.play(1)
    assert len(sitting.tips()) == 1


# Files that are not as they were written.


@pytest.fixture
def file(sitting: Sitting, tmp_path: Path) -> Path:
    sitting.stop(0)
    left(sitting.homes[0].profile, tmp_path / "file")
    return tmp_path / "file"


def test_another_passphrase_opens_nothing(file: Path, tmp_path: Path) -> None:
    there = new_home(tmp_path)
    with trouble(Trouble.PASSPHRASE):
        arrive(there, file, secured_by=OTHER)
    assert not there.key.exists()


def test_damage_is_told_from_a_wrong_passphrase(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    there = new_home(tmp_path)
    for at in (30, 60, 80, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with trouble(Trouble.DAMAGED):
            arrived(there, file)
    for cut in (len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:cut])
        with trouble(Trouble.DAMAGED):
            arrived(there, file)
    assert not there.key.exists()


@pytest.mark.parametrize("data", [b"", b"\x00", b"something else", b"\xff" * 50])
def test_what_is_no_such_file_is_told(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    with trouble(Trouble.FOREIGN):
        arrived(new_home(tmp_path), file)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with trouble(Trouble.MISSING):
        arrived(new_home(tmp_path), tmp_path / "file")


def forged(content: bytes, form: int = 1, cost: int = 10) -> bytes:
    """Return a file with this content, as whoever has the passphrase can write it."""
    salt, nonce = drawn("salt")[:16], drawn("nonce")[:12]
    head = MoveHead(form, drawn("number")[:16], cost, salt, nonce, bytes(32))
    box = shut(key_of_passphrase(SECURED, salt, CHEAP), nonce, content, head.beside())
    return HEAD.write(replace(head, check=head.check_of(box))) + box


def test_a_later_format_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(forged(b"", form=2))
    with trouble(Trouble.NEWER, "format 2"):
        arrived(new_home(tmp_path), tmp_path / "file")


def test_a_file_cannot_ask_for_too_little_or_too_much(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(forged(b"", cost=3))
    with trouble(Trouble.FOREIGN):
        arrived(new_home(tmp_path), tmp_path / "file")


def test_a_box_with_something_else_in_it_is_damaged(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    head = HEAD.read(next(split(data)))
    key = key_of_passphrase(SECURED, head.salt, CHEAP)
    content = opened(key, head.nonce, data[len(HEAD.write(head)) :], head.beside())
    items = list(split(content))
    there = new_home(tmp_path)
    charter_again = [items[0], items[1].replace(b"ledger/charter", b"ledger/chArter"), *items[2:]]
    journal = JOURNAL.read(items[1])
    seatless = [
        replace(journal, charter=items[2]),
        replace(journal, seat=Seat(1)),
        replace(journal, seat=Seat(7)),
        replace(journal, seat=None),
        replace(journal, seed=journal.seed[1:]),
        replace(journal, notes=journal.notes + 2),
    ]
    note = NOTE.write(MovedNote("one", b"value"))
    first_notes = 2 + journal.records + journal.notes
    twice = [*items[2:first_notes], note, note, *items[first_notes:]]
    journals = [[items[0], JOURNAL.write(one), *items[2:]] for one in seatless[:-1]]
    journals.append([items[0], JOURNAL.write(seatless[-1]), *twice])
    for wrong in ([], items[:1], items[:2], items[:-1], items[1:], charter_again, *journals):
        file.write_bytes(forged(b"".join(wrong)))
        with trouble(Trouble.DAMAGED):
            arrived(there, file)
    assert not there.key.exists()
