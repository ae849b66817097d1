"""Whenever a process is killed, what it had finished is there, and the rest whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from nodealer.ledger import LedgerMessage
from nodealer.store.identity import open_identity, read_key_file
from nodealer.store.moving import arrive, leave
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import create, open_journal
from nodealer.store.places import Profile
from nodealer.store.trouble import Trouble
from tests.store.dying import CHARTER, CHEAP, SCENARIOS, SECURED
from tests.store.logs import log_of, used_of
from tests.store.players import home_in, identity_of, origin_of, places_in, seed_of
from tests.store.playing import recorded
from tests.store.troubles import trouble
from tests.tidy.project import ROOT

STRIDES = {"make": 7, "append": 1, "draw": 3, "protect": 1, "leave": 6, "arrive": 13}
"""Of the points so many are passed over in an ordinary run; each was chosen to take a second."""

LEAST = {"make": 15, "append": 40, "draw": 10, "protect": 10, "leave": 15, "arrive": 10}
"""Fewer points than these would mean that the processes do not die where they should."""

TABLE = CHARTER.table


def killed(scenario: str, place: Path, *, is_full: bool) -> Iterator[tuple[Path, list[str]]]:
    """Kill processes in a scenario; yield each folder that is left, and what was finished in it."""
    stride = 1 if is_full else STRIDES[scenario]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.store.dying", scenario, str(place), str(stride)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) >= LEAST[scenario]
    folders = sorted(place.iterdir(), key=lambda folder: int(folder.name))
    for folder in folders:
        finished = folder / "done"
        yield folder, finished.read_text().split() if finished.exists() else []
    assert (folders[-1] / "done").exists(), "the last one comes through"


def records(batches: int) -> tuple[LedgerMessage, ...]:
    return sum(recorded().after(0, 0)[:batches], ())


def test_every_scenario_is_tried() -> None:
    assert set(SCENARIOS) == set(STRIDES) == set(LEAST)


def test_a_batch_is_there_whole_or_not_at_all(tmp_path: Path, is_full: bool) -> None:
    kept = set()
    for folder, finished in killed("append", tmp_path, is_full=is_full):
        profile = places_in(folder).profile()
        with closing(open_journal(profile, TABLE, identity_of(0))) as journal:
            found, batches = journal.records(), len(finished)
            assert found in {records(1 + batches), records(2 + batches)}
            assert journal.doubt is None
            journal.append(recorded().after(0, 0)[3])
        kept.add(len(found))
    assert kept == {len(records(batches)) for batches in (1, 2, 3)}


def test_a_journal_is_there_whole_or_not_at_all(tmp_path: Path, is_full: bool) -> None:
    for folder, finished in killed("make", tmp_path, is_full=is_full):
        home = home_in(folder)
        if home.profile.journal(TABLE).exists():
            made = open_journal(home.profile, TABLE, home.identity)
        else:
            assert not finished
            made = create(home.profile, origin_of(CHARTER, 0), home.identity, seed_of(0))
        with closing(made):
            assert made.records() == ()
            assert made.seed() == seed_of(0)
            assert made.doubt is None


def test_an_identity_is_there_whole_or_not_at_all(tmp_path: Path, is_full: bool) -> None:
    for folder, finished in killed("draw", tmp_path, is_full=is_full):
        profile = places_in(folder).profile()
        if profile.key.exists():
            assert open_identity(profile.key).public == read_key_file(profile.key).public
        else:
            assert not finished
            home_in(folder)


def test_an_identity_is_under_the_old_passphrase_or_the_new(tmp_path: Path, is_full: bool) -> None:
    for folder, finished in killed("protect", tmp_path, is_full=is_full):
        key = places_in(folder).profile().key
        is_protected = read_key_file(key).is_protected
        assert is_protected >= bool(finished)
        assert open_identity(key, SECURED).public == identity_of(0).public


def signs(profile: Profile) -> bool:
    """Whether a program that is started on this profile could sign at the table."""
    if read_key_file(profile.key).retired:
        with trouble(Trouble.RETIRED):
            open_identity(profile.key)
        return False
    open_journal(profile, TABLE, open_identity(profile.key)).close()
    return True


def test_what_was_written_to_a_file_never_signs_again(tmp_path: Path, is_full: bool) -> None:
    for folder, _ in killed("leave", tmp_path, is_full=is_full):
        profile = home_in(folder).profile
        file = folder / "moved"
        was_retired = bool(read_key_file(profile.key).retired)
        is_again = was_retired and not file.exists()
        if file.exists():
            assert not signs(profile)
        else:
            leave(profile, None, file, secured_by=SECURED, why="again", cost=CHEAP)
        with trouble(Trouble.RETIRED):
            open_journal(profile, TABLE, identity_of(0))
        there = places_in(folder / "there").profile()
        arrived = arrive(there, file, secured_by=SECURED, cost=CHEAP)
        assert arrived == ((TABLE, Doubt.AGAIN if is_again else None),)
        assert signs(there)


def test_what_arrived_in_part_arrives_again(tmp_path: Path, is_full: bool) -> None:
    for folder, finished in killed("arrive", tmp_path, is_full=is_full):
        there = places_in(folder / "there").profile()
        if finished:
            with trouble(Trouble.EXISTS):
                arrive(there, folder / "moved", secured_by=SECURED, cost=CHEAP)
        elif not there.key.exists():
            arrive(there, folder / "moved", secured_by=SECURED, cost=CHEAP)
        with closing(open_journal(there, TABLE, open_identity(there.key))) as journal:
            assert journal.records() == records(1)


# What a power cut leaves of the log: any beginning of it, and anything behind that.


@dataclass
class Torn:
    """A journal that a power cut left with a log, and where in that batches end."""

    profile: Profile
    log: bytes
    ends: list[int]
    behind: bytes
    """What was in the place of the log before."""

    def left_with(self, log: bytes) -> tuple[LedgerMessage, ...]:
        """Return what the journal gives back if this is its log."""
        path = self.profile.journal(TABLE)
        whole = path.read_bytes()
        try:
            log_of(path).write_bytes(log)
            found = self._read()
            assert self._read() == found, "what was brought into the database is what was read"
            return found
        finally:
            path.write_bytes(whole)

    def _read(self) -> tuple[LedgerMessage, ...]:
        with closing(open_journal(self.profile, TABLE, identity_of(0))) as journal:
            return journal.records()

    def whole_in(self, log: bytes) -> tuple[LedgerMessage, ...]:
        """Return what is in the batches before the first byte that is another."""
        return records(max(0, sum(self._has(log, end) for end in self.ends) - 1))

    def _has(self, log: bytes, end: int) -> bool:
        return len(log) >= end and log[:end] == self.log[:end]


@pytest.fixture(params=["laid out", "begun anew"])
def torn(request: pytest.FixtureRequest, tmp_path: Path) -> Torn:
    """Return a journal that was left with a full log, of four batches."""
    home = home_in(tmp_path / "torn")
    with closing(create(home.profile, origin_of(CHARTER, 0), home.identity, seed_of(0))) as journal:
        log = log_of(journal.path)
        if request.param == "begun anew":
            for number in range(20):
                journal.note(f"note {number}", b"of the round before")
            journal._connection.execute("PRAGMA wal_checkpoint").fetchall()
        whole, behind = journal.path.read_bytes(), log.read_bytes()
        journal.note("the first", b"of this round")
        ends = [used_of(log.read_bytes())]
        for batch in recorded().after(0, 0)[:4]:
            journal.append(batch)
            ends.append(used_of(log.read_bytes()))
        data = log.read_bytes()
    shutil.rmtree(home.profile.marks)
    journal.path.write_bytes(whole)
    return Torn(home.profile, data[: ends[-1]], ends, behind)


def test_any_beginning_of_the_log_gives_a_beginning_of_the_batches(
    torn: Torn, is_full: bool
) -> None:
    stride = 101 if is_full else 1777
    ends = torn.ends
    for at in sorted({*range(0, len(torn.log), stride), *ends, *(end - 1 for end in ends)}):
        for log in (torn.log[:at], torn.log[:at] + torn.behind[at:]):
            assert torn.left_with(log) == torn.whole_in(log), at


def test_a_log_with_a_hole_in_it_gives_a_beginning_of_the_batches(torn: Torn) -> None:
    for at in range(0, len(torn.log) - 512, 2999):
        for hole in (torn.behind[at : at + 512], b"\xa5" * 512):
            log = torn.log[:at] + hole + torn.log[at + 512 :]
            assert torn.left_with(log) == torn.whole_in(log), at
