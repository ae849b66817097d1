"""An identity is kept for its owner alone, is never lost by accident, and shows nowhere."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from nodealer.crypto.boxes import Cost
from nodealer.crypto.signing import SigningKey, VerifyKey
from nodealer.store.identity import (
    KEY_FILE,
    Identity,
    create_identity,
    open_identity,
    protect,
    read_key_file,
    set_retired,
    write_identity,
)
from nodealer.store.trouble import Trouble
from tests.store.players import drawn
from tests.store.troubles import trouble

CHEAP = Cost(10)
GOOD = "correct horse battery"
OTHER = "another passphrase"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "identity.key"


def test_it_is_drawn_and_found_again(key: Path) -> None:
    made = create_identity(key)
    assert open_identity(key).public == made.public
    assert open_identity(key).secret() == made.secret()
    assert key.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in key.parent.iterdir()] == [key.name]


def test_two_are_never_the_same(tmp_path: Path) -> None:
    assert len({create_identity(tmp_path / str(n)).public for n in range(5)}) == 5


def test_one_key_signs_and_is_the_address(key: Path) -> None:
    made = create_identity(key)
    assert SigningKey(made.secret()).verify_key.raw == made.public
    VerifyKey(made.public).verify("nodealer/1/x", 1, made.signer.sign("nodealer/1/x", 1))


def test_a_passphrase_protects_it(key: Path) -> None:
    made = create_identity(key, GOOD, CHEAP)
    assert made.secret() not in key.read_bytes()
    assert read_key_file(key).is_protected
    assert open_identity(key, GOOD).public == made.public
    with trouble(Trouble.PASSPHRASE):
        open_identity(key, OTHER)
    with trouble(Trouble.PROTECTED):
        open_identity(key)


def test_without_one_a_passphrase_is_not_asked_for(key: Path) -> None:
    made = create_identity(key)
    assert made.secret() in key.read_bytes()
    assert open_identity(key, GOOD).public == made.public


def test_a_short_passphrase_protects_nothing(key: Path) -> None:
    with trouble(Trouble.WEAK):
        create_identity(key, "seven77", CHEAP)
    assert not key.exists()


def test_the_passphrase_changes_and_the_key_does_not(key: Path) -> None:
    made = create_identity(key)
    protect(key, None, GOOD, CHEAP)
    protect(key, GOOD, OTHER, CHEAP)
    assert open_identity(key, OTHER).public == made.public
    with trouble(Trouble.PASSPHRASE):
        open_identity(key, GOOD)
    protect(key, OTHER, None)
    assert open_identity(key).public == made.public


def test_the_same_passphrase_makes_another_file(tmp_path: Path) -> None:
    identity = Identity(drawn("identity"))
    for name in "ab":
        write_identity(tmp_path / name, identity, GOOD, CHEAP)
    one, two = (read_key_file(tmp_path / name) for name in "ab")
    assert one.salt != two.salt
    assert one.nonce != two.nonce
    assert one.body != two.body


# What is there stays.


def test_a_file_that_is_there_is_left_as_it_is(key: Path) -> None:
    made = create_identity(key)
    with trouble(Trouble.EXISTS):
        create_identity(key)
    assert open_identity(key).public == made.public


def test_what_is_damaged_is_told_and_left_as_it_is(key: Path) -> None:
    create_identity(key, GOOD, CHEAP)
    whole = key.read_bytes()
    for at in range(len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]
        key.write_bytes(damaged)
        expected = Trouble.NEWER if at == 1 else Trouble.DAMAGED  # the version
        with trouble(expected):
            open_identity(key, GOOD)
        with trouble(Trouble.EXISTS):
            create_identity(key)
        assert key.read_bytes() == damaged


@pytest.mark.parametrize("data", [b"", b"nonsense", b"-----BEGIN OPENSSH PRIVATE KEY-----\n"])
def test_what_is_no_key_file_is_told(key: Path, data: bytes) -> None:
    key.write_bytes(data)
    key.chmod(0o600)
    with trouble(Trouble.DAMAGED):
        open_identity(key)


def test_a_long_file_is_something_else(key: Path) -> None:
    key.write_bytes(bytes(5000))
    key.chmod(0o600)
    with trouble(Trouble.FOREIGN):
        open_identity(key)


def test_a_later_format_is_told(key: Path) -> None:
    create_identity(key)
    key.write_bytes(KEY_FILE.write(replace(read_key_file(key), format=2).checked()))
    with trouble(Trouble.NEWER, "format 2"):
        open_identity(key)


@pytest.mark.parametrize("wrong", [{"body": bytes(31)}, {"body": drawn("x")}, {"cost": 3}])
def test_a_file_that_contradicts_itself_is_damaged(key: Path, wrong: dict[str, bytes]) -> None:
    create_identity(key)
    made = replace(read_key_file(key), **wrong)  # type: ignore[arg-type]
    key.write_bytes(KEY_FILE.write(made.checked()))
    with trouble(Trouble.DAMAGED):
        open_identity(key, GOOD)


def test_a_box_of_another_key_is_damaged(tmp_path: Path) -> None:
    for name in "ab":
        create_identity(tmp_path / name, GOOD, CHEAP)
    one, two = (read_key_file(tmp_path / name) for name in "ab")
    mixed = replace(one, salt=two.salt, nonce=two.nonce, body=two.body)
    (tmp_path / "a").write_bytes(KEY_FILE.write(mixed.checked()))
    with trouble(Trouble.PASSPHRASE):
        open_identity(tmp_path / "a", GOOD)


# Rights.


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o610, 0o777])
def test_a_file_that_others_may_open_is_refused(key: Path, mode: int) -> None:
    create_identity(key)
    key.chmod(mode)
    with trouble(Trouble.TOO_OPEN, f"{mode:o}") as _:
        open_identity(key)
    assert "chmod 600" in Trouble.TOO_OPEN.advice
    assert key.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_directory_that_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    with trouble(Trouble.TOO_OPEN, f"{mode:o}"):
        create_identity(folder / "identity.key")
    folder.chmod(0o700)
    create_identity(folder / "identity.key")
    folder.chmod(mode)
    with trouble(Trouble.TOO_OPEN):
        open_identity(folder / "identity.key")


def test_a_file_of_another_user_is_refused(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_identity(key)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with trouble(Trouble.OWNER):
        open_identity(key)


def test_what_is_not_there_is_told(key: Path) -> None:
    with trouble(Trouble.MISSING):
        open_identity(key)


def test_a_directory_is_no_key_file(key: Path) -> None:
    key.mkdir(0o700)
    with trouble(Trouble.FAILED):
        open_identity(key)


# Retired.


def test_a_retired_identity_is_not_opened(key: Path) -> None:
    made = create_identity(key, GOOD, CHEAP)
    set_retired(key, "moved on Monday")
    with trouble(Trouble.RETIRED, "moved on Monday"):
        open_identity(key, GOOD)
    set_retired(key, "")
    assert open_identity(key, GOOD).public == made.public
