"""`play`, `host`, `join`, `tables`, `resume`: real programs, real journals, links on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.program import nodealer

WAIT_SECONDS = 120
LOOPBACK = ("--listen", "/ip4/127.0.0.1/tcp/0")


def at_home(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a player whose things are in this folder."""
    return nodealer(*arguments, NODEALER_HOME=str(home))


def begun(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Begin a command of a player whose things are in this folder."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", *arguments],
        env={**os.environ, "NODEALER_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_game_against_bots_is_played_at_once_and_can_be_verified(tmp_path: Path) -> None:
    done = at_home(tmp_path, "play", "macaua", "--bots", "2", "--auto", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["verdict"] == "complete"
    assert sorted(seat for place in told["places"] for seat in place) == [0, 1, 2]
    verified = nodealer("verify", told["transcript"])
    assert verified.returncode == 0, verified.stdout
    listed = at_home(tmp_path, "tables")
    assert told["table"][:6] in listed.stdout
    assert "over; " in listed.stdout
    again = at_home(tmp_path, "resume", "--auto", "--json")
    later = json.loads(again.stdout)
    assert [one["seat"] for one in told.pop("links")] == [1, 2]
    del told["counts"], later["links"], later["counts"]
    assert later == told


def test_without_a_terminal_a_bot_plays(tmp_path: Path) -> None:
    done = at_home(tmp_path, "play", "macaua", "--bots", "1")
    assert done.returncode == 0, done.stderr
    assert "transcript: " in done.stdout


def test_a_game_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    playing = begun(tmp_path, "play", "macaua", "--bots", "3", "--auto")
    tables = tmp_path / "data" / "profiles" / "default" / "tables"
    deadline = time.monotonic() + WAIT_SECONDS
    while not list(tables.glob("*.journal-wal")) and time.monotonic() < deadline:
        time.sleep(0.05)
    playing.send_signal(signal.SIGKILL)
    playing.communicate()
    done = at_home(tmp_path, "resume", "--auto", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] == "complete"


def test_two_machines_meet_by_an_invite_and_play_to_the_close(tmp_path: Path) -> None:
    hosting = begun(
        tmp_path / "host", "host", "macaua", "--name", "Ana", "--auto", "--json", *LOOPBACK
    )
    assert hosting.stdout is not None
    invite = hosting.stdout.readline()
    joining = at_home(
        tmp_path / "guest", "join", invite, "--name", "Bea", "--auto", "--json", *LOOPBACK
    )
    told, complained = hosting.communicate(timeout=WAIT_SECONDS)
    assert joining.returncode == 0, joining.stderr
    assert hosting.returncode == 0, complained
    one, other = json.loads(told), json.loads(joining.stdout)
    assert one["names"] == other["names"] == ["Ana", "Bea"]
    assert one["table"] == other["table"]
    assert one["verdict"] == other["verdict"] == "complete"
    for seat, each in ((1, one), (0, other)):
        (link,) = each["links"]
        assert (link["seat"], link["way"] is None) == (seat, link["cause"] is not None)
        assert link["received"] > 0
    assert one["counts"]["opened"] > 0, "the guest has dialled"
    assert "Bea" in complained
    assert "the table is founded" in joining.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("play", "no-such-game"), "there is no game"),
        (("play", "macaua", "--option", "hand=7"), "has no option"),
        (("play", "macaua", "--name", "\u202eevil"), "name"),
        (("join", "nodealer1torn"), "invite"),
        (("join", "something else"), "invite"),
        (("resume",), "there is no table yet"),
        (("resume", "abc"), "there is no table"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = at_home(tmp_path, *arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    first = begun(tmp_path / "one", "host", "macaua", "--listen", "/ip4/127.0.0.1/tcp/42137")
    assert first.stdout is not None
    assert first.stdout.readline()
    second = at_home(tmp_path / "two", "host", "macaua", "--listen", "/ip4/127.0.0.1/tcp/42137")
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=WAIT_SECONDS)
    assert second.returncode == 1
    assert "42137" in second.stderr
    assert "Traceback" not in second.stderr
    listed = at_home(tmp_path / "two", "tables")
    assert "there is no table yet" in listed.stderr, "nothing was changed, as it says"
