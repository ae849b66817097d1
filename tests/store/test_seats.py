"""A seat comes back from its journal as it was; from one in doubt it asks before it signs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nodealer.games import game
from nodealer.kernel import EntryId, Seat
from nodealer.ledger import Ready, Seal
from nodealer.ledger.messages import Recall, Sealed
from nodealer.store import seats
from nodealer.store.identity import Identity
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import create, open_journal
from nodealer.store.records import JournalOrigin
from nodealer.store.seats import come_back_to
from nodealer.store.trouble import StoreError, Trouble
from tests.store.damage import broken_into
from tests.store.players import charter_for, drawn, home_in, origin_of, seed_of
from tests.store.playing import Sitting, recorded

ONE = Seat(1)


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path, turns=4)
    yield made
    made.close()


def test_a_game_is_played_from_journals_to_its_end(sitting: Sitting) -> None:
    sitting.play()
    assert all(table.position.is_closed for table in sitting.tables.values())
    assert sitting.tips() == recorded().tips()


def test_a_seat_that_is_closed_in_the_middle_comes_back_and_plays_on(sitting: Sitting) -> None:
    for seat in (0, 1, 0):
        sitting.play(2)
        before = sitting.tables[seat].ledger
        sitting.stop(seat)
        sitting.start(seat)
        assert sitting.tables[seat].ledger.tip.id == before.tip.id
        assert sitting.journals[seat].doubt is None
        assert sitting.tables[seat].ledger.suspect is None
    assert len(sitting.tips()) == 1


def test_a_seat_comes_back_that_has_stored_nothing(tmp_path: Path) -> None:
    home, charter = home_in(tmp_path), charter_for(2)
    create(home.profile, origin_of(charter, 0), home.identity, seed_of(0)).close()
    journal = open_journal(home.profile, charter.table, home.identity)
    _, ready = come_back_to(journal)
    assert [type(record) for record in ready.persist] == [Sealed]
    journal.close()


@pytest.mark.parametrize("watches", [False, True])
def test_who_has_just_sat_down_waits_from_then_on(tmp_path: Path, watches: bool) -> None:
    home, charter = home_in(tmp_path), charter_for(2)
    if watches:
        create(home.profile, JournalOrigin(charter)).close()
    else:
        create(home.profile, origin_of(charter, 0), home.identity, seed_of(0)).close()
    owner = None if watches else home.identity
    with closing(open_journal(home.profile, charter.table, owner)) as journal:
        table, _ = come_back_to(journal, 5_000_000)
    assert {one.since for one in table.ledger.reading().waits} == {5_000_000}


def test_a_journal_in_doubt_without_records_comes_back_suspect(tmp_path: Path) -> None:
    home, charter = home_in(tmp_path), charter_for(2)
    create(home.profile, origin_of(charter, 0), home.identity, seed_of(0)).close()
    home.profile.mark(charter.table).unlink()
    journal = open_journal(home.profile, charter.table, home.identity)
    table, ready = come_back_to(journal)
    assert journal.doubt is Doubt.UNMARKED
    assert table.ledger.suspect == {}
    assert any(isinstance(one.message, Recall) for one in ready.send)
    journal.close()


def test_an_old_copy_asks_before_it_signs_and_catches_up(sitting: Sitting) -> None:
    sitting.stop(1)
    path = sitting.path(1)
    shutil.copy(path, copy := path.with_suffix(".copy"))
    sitting.start(1)
    sitting.play(3)
    played = sitting.tables[1].ledger.tip.height
    sitting.stop(1)
    shutil.copy(copy, path)

    sitting.start(1)
    assert sitting.doubt(1) is Doubt.BEHIND
    assert sitting.suspect(1) == {}
    assert sitting.tables[1].ledger.tip.height < played
    assert not sitting.tables[1].ledger.asked
    sitting.stop(1)  # before anybody has answered
    sitting.start(1)
    assert sitting.doubt(1) is Doubt.BEHIND
    sitting.settle()
    assert sitting.suspect(1) is None
    assert sitting.doubt(1) is None
    assert len(sitting.tips()) == 1
    sitting.play(2)
    assert not sitting.tables[0].ledger.proven
    assert len(sitting.tips()) == 1


def test_a_signature_that_the_journal_lacks_is_remembered_over_a_restart(sitting: Sitting) -> None:
    tip = sitting.tables[1].ledger.tip
    signer = sitting.homes[1].identity.signer
    seal = Seal(tip.table, tip.moment().height, tip.id, EntryId(drawn("other")), 0, ONE, b"")
    seal = replace(seal, signature=signer.sign("nodealer/1/seal", seal.body()))
    sitting.done(1, *sitting.tables[1].receive(Sealed(seal), Seat(0)))
    assert sitting.doubt(1) is Doubt.SHOWN
    sitting.stop(1)
    sitting.wires.clear()
    sitting.start(1)
    assert sitting.doubt(1) is Doubt.SHOWN
    assert sitting.suspect(1) == {}


def test_a_spectator_has_a_journal_without_keys(sitting: Sitting, tmp_path: Path) -> None:
    profile = home_in(tmp_path / "spectator", 7).profile
    watching = create(profile, JournalOrigin(sitting.charter))
    watching.append(sitting.journals[0].records())
    watching.close()
    profile.mark(sitting.charter.table).unlink()
    watching = open_journal(profile, sitting.charter.table)
    assert watching.doubt is Doubt.UNMARKED
    table, ready = come_back_to(watching)
    assert not ready.persist
    assert table.ledger.suspect is None
    assert table.ledger.tip.id == sitting.tables[0].ledger.tip.id
    watching.close()


def test_other_rules_than_the_table_agreed_on_make_it_wait(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting.stop(0)
    monkeypatch.setattr(seats, "game", lambda name, version: game(name, version + 98))
    home = sitting.homes[0]
    journal = open_journal(home.profile, sitting.charter.table, home.identity)
    with pytest.raises(StoreError) as caught:
        come_back_to(journal)
    assert caught.value.trouble is Trouble.RULES
    assert "macaua" in str(caught.value)
    journal.close()


def test_a_table_of_an_earlier_version_goes_on_by_it(tmp_path: Path) -> None:
    earlier = game("66", 1)
    assert game("66").version > 1
    home, charter = home_in(tmp_path), charter_for(2, rules=earlier)
    create(home.profile, origin_of(charter, 0), home.identity, seed_of(0)).close()
    with closing(open_journal(home.profile, charter.table, home.identity)) as journal:
        table, _ = come_back_to(journal)
    assert table.position.game is earlier


def test_a_seed_of_somebody_else_is_noticed(tmp_path: Path) -> None:
    home, charter = home_in(tmp_path), charter_for(2)
    journal = create(home.profile, origin_of(charter, 0), home.identity, drawn("another"))
    with pytest.raises(StoreError) as caught:
        come_back_to(journal)
    assert caught.value.trouble is Trouble.DAMAGED
    journal.close()


def test_records_that_do_not_fit_the_ledger_are_damage(sitting: Sitting) -> None:
    sitting.stop(0)
    home, table = sitting.homes[0], sitting.charter.table
    records = sitting.journals[1].records()
    journal = open_journal(home.profile, table, home.identity)
    journal.append(records[len(records) // 2 :][:3])
    with pytest.raises(StoreError) as caught:
        come_back_to(journal)
    assert caught.value.trouble is Trouble.DAMAGED
    journal.close()


def test_a_charter_that_does_not_hold_is_damage(tmp_path: Path) -> None:
    home, charter = home_in(tmp_path), charter_for(2)
    broken = replace(charter, keys=(charter.keys[0], Identity(drawn("x")).public))
    journal = create(home.profile, origin_of(broken, 0), home.identity, seed_of(0))
    with pytest.raises(StoreError) as caught:
        come_back_to(journal)
    assert caught.value.trouble is Trouble.DAMAGED
    assert "charter" in caught.value.found
    journal.close()


def test_nothing_is_stored_for_nothing(sitting: Sitting) -> None:
    journal = sitting.journals[0]
    with broken_into(journal.path) as database:
        before = database.total_changes
        count = journal.count
        sitting.done(0, sitting.tables[0], Ready())
        assert journal.count == count
        assert database.total_changes == before
