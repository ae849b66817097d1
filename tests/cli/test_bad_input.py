"""What is wrong is said in a line, with advice and a documented code; and no game is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nodealer.crypto.shared_secret import SharedSecret
from nodealer.lobby import Invite, read_invite, write_invite
from nodealer.store.identity import create_identity
from tests.cli.person import person
from tests.cli.program import nodealer
from tests.store.players import places_in

LOOPBACK = ("--listen", "/ip4/127.0.0.1/tcp/0")

LATER_PROTOCOL = """
import sys
from nodealer.wire import Schema
begin = Schema.__init__
def later(self, kind, record, version=1):
    begin(self, kind, record, version + (version == 2))
Schema.__init__ = later
from nodealer.cli.main import main
sys.exit(main())
"""
"""The program of somebody who has updated it, and speaks a later version of the protocol."""


def key_in(home: Path) -> bytes:
    """Give a player a key, and return its public half."""
    profile = places_in(home).profile()
    profile.make()
    return create_identity(profile.key).public


def invite_to(host: bytes) -> Invite:
    place = ("/ip4/127.0.0.1/tcp/9",)
    return Invite(host, bytes(16), SharedSecret(bytes(range(16))), watches=False, addresses=place)


def said(done: subprocess.CompletedProcess[str], words: str, advice: str, code: int = 1) -> None:
    """Require one line that says what is wrong, one with advice, and the code."""
    assert done.returncode == code, done.stderr
    wrong, what_to_do = done.stderr.splitlines()[-2:]
    assert words in wrong
    assert advice in what_to_do
    assert "Traceback" not in done.stderr


def test_an_invite_to_oneself_a_torn_and_a_later_one(tmp_path: Path) -> None:
    line = write_invite(invite_to(key_in(tmp_path)))
    other = "b" if line[40] == "a" else "a"
    for text, words, advice in (
        (line, "your own lobby: pass the line on", "Nothing was changed"),
        (line[:-9], "9 letters are missing", "Copy the whole line"),
        (line[:40] + other + line[41:], "mistyped", "Copy the whole line"),
        (line.replace("nodealer1", "nodealer2"), "of version 2", "Copy the whole line"),
        ("https://example.org/table", "an invite begins with nodealer1", "Copy the whole line"),
    ):
        done = nodealer("join", text, NODEALER_HOME=str(tmp_path))
        said(done, words, advice)
        assert line[9:30] not in done.stderr, "the secret is not repeated"


def test_an_invite_that_a_mail_program_has_broken_is_put_together(tmp_path: Path) -> None:
    line = write_invite(invite_to(key_in(tmp_path)))
    with person(tmp_path, "join") as guest:
        guest.reads("invite: ")
        guest.types(line[:60])
        guest.reads("it goes on")
        guest.types(f"> {line[60:]}")
        guest.reads("your own lobby")
        assert guest.ends() == 1
    with person(tmp_path, "join") as guest:
        guest.types(line[:60])
        guest.reads("it goes on")
        guest.types("")
        guest.reads("letters are missing")
        assert guest.ends() == 1


def test_who_cannot_come_in_is_told_why(tmp_path: Path) -> None:
    """One lobby for two, in which Bea sits; others knock."""
    with (
        person(tmp_path / "ana", "host", "macaua", "--name", "Ana", *LOOPBACK) as host,
        person(tmp_path / "bea", "join", "--name", "Bea", *LOOPBACK) as bea,
    ):
        host.reads("nodealer1")
        line = "nodealer1" + host.reads("\n").strip()
        bea.types(line)
        bea.reads("do you sit down to this?")
        foreign = replace(read_invite(line), secret=SharedSecret(bytes(16)))
        elsewhere = replace(read_invite(line), lobby=bytes(range(16)))
        for invite, name, words, advice in (
            (line, "Cleo", "all places are taken", "ask for an invite to watch"),
            (line, "bea", "the name", "Choose another name"),
            (write_invite(foreign), "Cleo", "secret", "ask for a new one"),
            (write_invite(elsewhere), "Cleo", "lobby", "ask for a new invite"),
        ):
            arguments = ("join", invite, "--yes", "--name", name, *LOOPBACK)
            done = nodealer(*arguments, NODEALER_HOME=str(tmp_path / "cleo"))
            said(done, words, advice)
            assert done.stderr.lower().count(advice.lower()) == 1
        host.reads("turned away: all places are taken (lobby/full)")
        later = subprocess.run(
            [sys.executable, "-P", "-c", LATER_PROTOCOL, "join", line, "--yes", *LOOPBACK],
            env={**os.environ, "NODEALER_HOME": str(tmp_path / "dora")},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        said(later, "version", "the older one has to be updated")
        host.types("quit")
        assert host.ends() == 1
        bea.reads("Ask whether there will be another game")
        assert bea.ends() == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("host", "no-such-game"), "there is no game"),
        (("host",), "no open lobby"),
        (("host", "macaua", "--name", "x" * 25), "25 characters"),
        (("host", "macaua", "--listen", "somewhere"), "address"),
        (("join", "@no-such-file"), "no such file"),
        (("join",), "no invite was given"),
    ],
)
def test_wishes_that_cannot_be_granted(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = nodealer(*arguments, NODEALER_HOME=str(tmp_path))
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = nodealer("host", "macaua", NODEALER_HOME=str(tmp_path / "file" / "home"))
    said(done, "cannot be written", "set NODEALER_HOME")


def test_a_key_that_is_damaged_or_open_to_others(tmp_path: Path) -> None:
    key_in(tmp_path)
    key = places_in(tmp_path).profile().key
    key.chmod(0o644)
    said(nodealer("host", "macaua", NODEALER_HOME=str(tmp_path)), "others", "chmod 600")
    key.chmod(0o600)
    whole = key.read_bytes()
    key.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    said(nodealer("host", "macaua", NODEALER_HOME=str(tmp_path)), "not those", "good copy")
    assert key.read_bytes() != whole, "it was left as it is"


@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(tmp_path: Path, closed: str) -> None:
    """No file of ours takes their place, so nothing that is printed gets into one."""
    command = f'exec "{sys.executable}" -P -m nodealer host macaua --seats 99 {closed}'
    environment = {**os.environ, "NODEALER_HOME": str(tmp_path)}
    done = subprocess.run(["/bin/sh", "-c", command], env=environment, check=False)
    assert done.returncode == 2
    command = f'exec "{sys.executable}" -P -m nodealer join {closed}'
    done = subprocess.run(["/bin/sh", "-c", command], env=environment, check=False)
    assert done.returncode == 1


def test_no_game_is_lost_by_a_full_disk_or_a_damaged_journal(tmp_path: Path) -> None:
    """The limit of a process for its files stands for a disk that fills up in the middle."""
    play = f'"{sys.executable}" -P -m nodealer play macaua --bots 1 --auto --json'
    done = subprocess.run(
        ["/bin/sh", "-c", f"ulimit -f 100; exec {play}"],
        env={**os.environ, "NODEALER_HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said(done, "the disk", "nothing was signed that is not stored")
    tables = tmp_path / "data" / "profiles" / "default" / "tables"
    (journal,) = tables.glob("*.journal")
    for path in tables.iterdir():
        shutil.copy2(path, tmp_path)
    journal.write_bytes(journal.read_bytes()[:5000])
    said(nodealer("resume", "--auto", NODEALER_HOME=str(tmp_path)), "not those", "salvage")
    for path in tables.iterdir():
        path.unlink()
    for path in tmp_path.glob("*.journal*"):
        shutil.copy2(path, tables)
    resumed = nodealer("resume", "--auto", "--json", NODEALER_HOME=str(tmp_path))
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["verdict"] == "complete"
