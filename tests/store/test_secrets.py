"""No secret is in a text, an error, or a file that it has no business in."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from nodealer.crypto import SECP256K1
from nodealer.crypto.boxes import Cost
from nodealer.deck import Keyring
from nodealer.kernel import Seat
from nodealer.store.database import opened_to_read
from nodealer.store.identity import open_identity, protect, read_key_file, set_retired
from nodealer.store.layouts import JOURNAL, PUBLIC
from nodealer.store.move_file import MovedJournal, MovedProfile
from nodealer.store.moving import arrive, leave
from nodealer.store.opening import Contents, open_journal
from nodealer.store.seats import setting_of
from nodealer.store.transcripts import glance, public_part, transcript
from nodealer.store.trouble import StoreError
from tests.store.damage import change
from tests.store.players import drawn, home_in, identity_of, places_in, seed_of
from tests.store.playing import Sitting

CHEAP = Cost(10)
PASSPHRASE = "an unlikely passphrase"  # noqa: S105 - of tests
NOTE = b"/ip4/192.0.2.7/tcp/4001"


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path, turns=6)
    made.journals[0].note("address", NOTE)
    yield made
    made.close()


def secrets_of(sitting: Sitting) -> list[bytes]:
    """Return every byte string that a seat must not tell."""
    terms = setting_of(sitting.charter, "").agreed.terms
    ring = Keyring(SECP256K1, Seat(0), seed_of(0))
    seed = ring._seed
    return [
        seed_of(0),
        identity_of(0).secret(),
        identity_of(0).box_key(),
        seed._secret_key,
        seed._nonce_key,
        ring.sealing_secret(terms.hash).to_bytes(32, "big"),
        NOTE,
    ]


def test_a_transcript_holds_no_secret(sitting: Sitting) -> None:
    journal = sitting.journals[0]
    exported = transcript(journal.path)
    assert journal.charter.keys[0] in exported
    for secret in secrets_of(sitting):
        assert secret not in exported


def test_an_export_cannot_read_what_is_private(sitting: Sitting) -> None:
    path = sitting.journals[0].path
    with closing(opened_to_read(path, JOURNAL, PUBLIC)) as connection:
        for table in PUBLIC - {"sqlite_master"}:
            query = f"SELECT * FROM {table}"  # noqa: S608 - ours
            assert connection.execute(query).fetchone()
        for statement in (
            "SELECT box FROM private",
            "SELECT count(*) FROM private",
            "SELECT (SELECT box FROM private) FROM founding",
            "SELECT value FROM notes",
            "UPDATE standing SET doubt = NULL",
            "ATTACH 'other' AS other",
            "PRAGMA user_version = 3",
        ):
            with pytest.raises(Exception, match=r"prohibited|not authorized"):
                connection.execute(statement)


def test_the_seed_is_in_no_file_as_it_is(sitting: Sitting) -> None:
    home = sitting.homes[0]
    protect(home.profile.key, None, PASSPHRASE, CHEAP)
    sitting.journals[0].append((), is_suspect=False)
    kept = [one for one in home.profile.places.data.parent.rglob("*") if one.is_file()]
    assert len(kept) >= 5
    for file in kept:
        data = file.read_bytes()
        for secret in secrets_of(sitting)[:-1]:
            assert secret not in data, file


def test_the_file_of_a_move_shows_nothing(sitting: Sitting, tmp_path: Path) -> None:
    sitting.close()
    profile, file = sitting.homes[0].profile, tmp_path / "file"
    leave(profile, None, file, secured_by=PASSPHRASE, why="moved", cost=CHEAP)
    data = file.read_bytes()
    for told in (*secrets_of(sitting), sitting.charter.table, sitting.charter.keys[0]):
        assert told not in data


def test_texts_show_nothing(sitting: Sitting) -> None:
    journal, home = sitting.journals[0], sitting.homes[0]
    shown = [
        repr(one)
        for one in (
            journal,
            home,
            home.identity,
            home.identity.signer,
            read_key_file(home.profile.key),
            sitting.tables[0].player,
            glance(journal.path),
            public_part(journal.path)[0],
            Contents(journal.origin, box=seed_of(0), notes=(("address", NOTE),)),
            MovedProfile(identity_of(0).secret(), 1, 1),
            MovedJournal(b"", Seat(0), seed_of(0), None, 1, 1),
        )
    ]
    require_nothing_told(sitting, shown)


def require_nothing_told(sitting: Sitting, texts: list[str]) -> None:
    for text in texts:
        for secret in (*secrets_of(sitting), PASSPHRASE.encode()):
            told = (secret.hex(), repr(secret)[2:-1], str(int.from_bytes(secret, "big")))
            assert not [one for one in told if one in text], text


def test_errors_show_nothing(sitting: Sitting, tmp_path: Path) -> None:
    home, table = sitting.homes[0], sitting.charter.table
    key = home.profile.key
    told: list[str] = []

    def tried(action: object, *arguments: object, **named: object) -> None:
        assert callable(action)
        try:
            action(*arguments, **named)
        except StoreError as error:
            told.append("".join(traceback.format_exception(error)) + repr(error))
        else:
            raise AssertionError(action)

    tried(open_journal, home.profile, table, home.identity)
    sitting.close()
    tried(open_journal, home.profile, table, identity_of(1))
    protect(key, None, PASSPHRASE, CHEAP)
    tried(open_identity, key)
    tried(open_identity, key, PASSPHRASE + "x")
    tried(protect, key, PASSPHRASE, PASSPHRASE[:5])
    whole = key.read_bytes()
    key.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    tried(open_identity, key, PASSPHRASE)
    key.write_bytes(whole)
    file, there = tmp_path / "file", places_in(tmp_path / "there").profile()
    leave(home.profile, PASSPHRASE, file, secured_by=PASSPHRASE, why="moved", cost=CHEAP)
    tried(arrive, there, file, secured_by=PASSPHRASE + "x")
    tried(arrive, home_in(tmp_path / "third", 1).profile, file, secured_by=PASSPHRASE)
    set_retired(key, "")
    tried(open_journal, home.profile, table, home.identity)
    change(home.profile.journal(table), "UPDATE standing SET retired = NULL")
    change(home.profile.journal(table), "UPDATE private SET box = ?", drawn("box") * 2)
    with closing(open_journal(home.profile, table, home.identity)) as journal:
        tried(journal.seed)
    assert len(told) == 10
    require_nothing_told(sitting, told)


def test_the_search_finds_what_is_told(sitting: Sitting) -> None:
    for secret in secrets_of(sitting):
        with suppress(AssertionError):
            require_nothing_told(sitting, [f"so it is {secret!r}"])
            raise RuntimeError("it was not found")
