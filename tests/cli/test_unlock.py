"""Keys behind a passphrase: asked for without being shown, read from private files, never else."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from nodealer.cli import unlock
from nodealer.cli.unlock import identity_of
from nodealer.crypto.boxes import Cost
from nodealer.store.files import write_new
from nodealer.store.identity import create_identity, open_identity, read_key_file, set_retired
from nodealer.store.places import Profile
from nodealer.store.trouble import StoreError, Trouble
from tests.cli.person import person
from tests.store.players import places_in
from tests.store.troubles import trouble

CHOSEN = "correct horse battery"
QUICK = Cost(10)


def profile_in(folder: Path) -> Profile:
    unlock._identity.cache_clear()
    profile = places_in(folder).profile()
    profile.make()
    return profile


def arguments(file: Path | None = None, *, protect: bool = False) -> Namespace:
    return Namespace(passphrase_file=file, protect=protect)


def file_of(folder: Path, text: str) -> Path:
    path = folder / "passphrase"
    write_new(path, text.encode())
    return path


def answering(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Let somebody at a terminal answer; return the list that the questions go to."""
    asked: list[str] = []
    left = list(answers)

    def answer(prompt: str) -> str:
        asked.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr(unlock, "getpass", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    return asked


def test_a_new_key_has_no_passphrase_unless_it_is_asked_for(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    made = identity_of(arguments(), profile)
    assert not read_key_file(profile.key).is_protected
    assert identity_of(arguments(), profile) is made, "once in a process"


@pytest.mark.parametrize("is_there", [False, True])
def test_a_key_is_protected_from_a_file(tmp_path: Path, is_there: bool) -> None:
    profile = profile_in(tmp_path)
    known = create_identity(profile.key).public if is_there else None
    file = file_of(tmp_path, f"{CHOSEN}\nmore\n")
    made = identity_of(arguments(file, protect=True), profile)
    assert read_key_file(profile.key).is_protected
    assert open_identity(profile.key, CHOSEN).public == made.public
    assert known in (None, made.public)


def test_a_new_passphrase_is_asked_for_until_it_is_long_and_typed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = profile_in(tmp_path)
    asked = answering(monkeypatch, "short", CHOSEN, "another one", CHOSEN, CHOSEN)
    identity_of(arguments(protect=True), profile)
    assert len(asked) == 5
    told = capsys.readouterr().err
    assert "fewer than 8" in told
    assert "not the same" in told
    open_identity(profile.key, CHOSEN)


def test_a_wrong_passphrase_can_be_typed_again_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = profile_in(tmp_path)
    create_identity(profile.key, CHOSEN, QUICK)
    answering(monkeypatch, "no", CHOSEN)
    identity_of(arguments(), profile)
    unlock._identity.cache_clear()
    asked = answering(monkeypatch, "no", "no", "no", CHOSEN)
    with trouble(Trouble.PASSPHRASE):
        identity_of(arguments(), profile)
    assert len(asked) == 3
    unlock._identity.cache_clear()
    answering(monkeypatch)
    with trouble(Trouble.PROTECTED):
        identity_of(arguments(), profile)


def test_what_is_wrong_with_a_protected_key_is_said(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    create_identity(profile.key, CHOSEN, QUICK)
    with trouble(Trouble.PROTECTED, "no terminal"):
        identity_of(arguments(), profile)
    with trouble(Trouble.PASSPHRASE):
        identity_of(arguments(file_of(tmp_path, "")), profile)
    (tmp_path / "passphrase").chmod(0o644)
    with trouble(Trouble.TOO_OPEN):
        identity_of(arguments(tmp_path / "passphrase"), profile)
    set_retired(profile.key, "moved")
    with trouble(Trouble.RETIRED):
        identity_of(arguments(), profile)
    profile.key.write_bytes(b"damaged")
    with pytest.raises(StoreError):
        identity_of(arguments(), profile)


def test_a_passphrase_is_not_shown_while_it_is_typed(tmp_path: Path) -> None:
    profile = profile_in(tmp_path)
    create_identity(profile.key, CHOSEN, QUICK)
    with person(tmp_path, "host", "macaua", "--listen", "/ip4/127.0.0.1/tcp/0") as ana:
        ana.reads("passphrase of 'default': ")
        ana.types("wrong one")
        ana.reads("that is not the passphrase")
        ana.reads("passphrase of 'default': ")
        ana.types(CHOSEN)
        shown = ana.reads("nodealer1")
        assert ana.interrupt() == 130
    assert CHOSEN not in shown + ana.seen
