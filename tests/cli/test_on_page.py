"""The place where a table is shown: a page where there is a screen, the terminal where not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nodealer.node.practice import identity_in
from nodealer.store.opening import open_journal
from tests.cli.person import GLANCE_SECONDS, PATIENCE_SECONDS, person
from tests.cli.practising import founded_against_a_bot
from tests.cli.program import nodealer

PLAY = ("play", "macaua", "--bots", "1")

HOST = ("host", "macaua", "--seats", "2", "--listen", "/ip4/127.0.0.1/tcp/0", "--no-lan")

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/#token=[0-9a-f]{32}")

Screen = Callable[..., Path]


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Sit in front of a screen, with a browser that notes what it is given."""

    def sit(**changed: str) -> Path:
        browser, seen = tmp_path / "bin" / "xdg-open", tmp_path / "seen"
        browser.parent.mkdir()
        browser.write_text(f'#!/bin/sh\n/bin/cat "$1" >{seen}.part\n/bin/mv {seen}.part {seen}\n')
        browser.chmod(0o755)
        monkeypatch.setenv("PATH", f"{browser.parent}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("DISPLAY", ":0")
        monkeypatch.delenv("SSH_TTY")
        for name, value in changed.items():
            monkeypatch.setenv(name, value)
        return seen

    return sit


def given(seen: Path) -> str:
    """Wait until the browser was given something, and return it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not seen.exists():
        assert time.monotonic() < deadline, "no browser was started"
        time.sleep(0.01)
    return seen.read_text()


def test_a_table_is_on_a_page_where_there_is_a_screen(tmp_path: Path, screen: Screen) -> None:
    seen = screen()
    with person(tmp_path / "home", *PLAY) as player:
        player.reads("your browser shows this page: ")
        address = player.rest_of_line().strip()
        assert ADDRESS.fullmatch(address)
        assert address in given(seen)
        assert player.interrupt() == 0
        assert "resume" in player.seen
        assert "Traceback" not in player.seen


def test_a_lobby_is_on_the_page_and_its_invite_in_no_terminal(
    tmp_path: Path, screen: Screen
) -> None:
    screen()
    with person(tmp_path / "home", *HOST) as host:
        host.reads("Ctrl-C ends it here")
        lobbies = tmp_path / "home" / "data" / "profiles" / "default" / "lobbies"
        while not list(lobbies.glob("*.host")):
            host.glances()
        host.glances()
        assert host.interrupt() == 0
        assert "nodealer1" not in host.seen
        assert "Traceback" not in host.seen


@pytest.mark.parametrize(
    ("arguments", "changed"),
    [
        (PLAY, {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}),
        ((*PLAY, "--terminal"), {}),
        ((*PLAY, "--plain"), {}),
    ],
    ids=["over ssh", "if asked for", "with a look of its own"],
)
def test_a_table_is_in_the_terminal(
    tmp_path: Path, screen: Screen, arguments: tuple[str, ...], changed: dict[str, str]
) -> None:
    seen = screen(**changed)
    with person(tmp_path / "home", *arguments) as player:
        told = player.reads("Macaua")
        player.interrupt()
        assert not ADDRESS.search(told + player.seen)
    assert not seen.exists()


def test_what_is_piped_is_never_on_a_page(tmp_path: Path, screen: Screen) -> None:
    seen = screen()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", *PLAY],
        env={**os.environ, "NODEALER_HOME": str(tmp_path / "home")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        while process.poll() is None and not seen.exists():
            time.sleep(GLANCE_SECONDS)
        process.terminate()
        told, complaints = process.communicate()
    assert not seen.exists()
    assert process.returncode == 0, complaints
    assert "The judge has read the record" in told
    assert not ADDRESS.search(complaints)


@pytest.mark.parametrize("command", ["page", "play", "join"])
def test_the_home_is_on_a_page_where_nothing_else_is_named(
    tmp_path: Path, screen: Screen, command: str
) -> None:
    seen = screen()
    with person(tmp_path / "home", command) as player:
        player.reads("your browser shows this page: ")
        assert player.rest_of_line().strip() in given(seen)
        assert player.interrupt() == 0
        assert "Traceback" not in player.seen


def test_for_a_table_that_another_process_has_open_there_is_no_page(tmp_path: Path) -> None:
    places, table = founded_against_a_bot(tmp_path)
    profile = places.profile()
    with closing(open_journal(profile, table, identity_in(profile))):
        refused = nodealer("resume", "--page", NODEALER_HOME=str(tmp_path), SSH_TTY="no screen")
    assert refused.returncode == 1
    assert "another process has it open" in refused.stderr
    assert "http" not in refused.stdout + refused.stderr
