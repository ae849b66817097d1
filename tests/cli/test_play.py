"""`play`, `host`, `join`, `tables`, `resume`: real programs, real journals, links on loopback."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.person import person
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
    assert {one["seat"] for one in told["shuffles"]} == {0, 1, 2}
    assert all(one["ms"] > 0 for one in told["shuffles"])
    assert told["proven"]["shuffles"] == len(told["shuffles"])
    assert later["shuffles"] == [], "nothing was shuffled when the table was opened again"
    for one in (told, later):
        assert one.pop("judged_ms") > 0
        del one["counts"], one["shuffles"]
    del later["links"]
    assert later == told


def test_without_a_terminal_a_bot_plays_and_the_story_is_told(tmp_path: Path) -> None:
    done = at_home(tmp_path, "play", "macaua", "--bots", "1", "--name", "Ana")
    assert done.returncode == 0, done.stderr
    story, _, end = done.stdout.partition("\nThe judge has read the record and checked it anew in ")
    lines = story.splitlines()
    assert lines[0].startswith("Ana and Ada sit down to Macaua. Nobody deals")
    made = [line for line in lines if "shuffles the deck and proves it: " in line]
    assert [line.split()[0] for line in made][:2] == ["Ana", "Ada"]
    assert re.fullmatch(r"Ana shuffles the deck and proves it: \d+ ms\.", made[0])
    keys, dealt = (
        next(at for at, line in enumerate(lines) if line.startswith(begin))
        for begin in ("Ana and Ada each show a key", "The cards are dealt")
    )
    assert keys < lines.index(made[0]) < lines.index(made[1]) < dealt
    assert not any("shuffle the deck, one after the other" in line for line in lines)
    assert lines[-1].endswith(" wins.")
    said = " ".join(end.split())
    assert "Each seat shuffled the deck and proved it, " in said
    assert "Nobody cheated: every signature, every proof and every move holds." in said
    assert " countersignatures on " in said
    assert "transcript: " in end
    hints = [
        line.split()[4:] for line in end.splitlines() if line.startswith("  python -m nodealer")
    ]
    mark = hints[0][0]
    assert [line.split()[3] for line in end.splitlines()[-3:]] == ["verify", "replay", "host"]
    assert at_home(tmp_path, "verify", mark).stdout.startswith(f"{mark}: complete: ")
    assert at_home(tmp_path, "replay", mark).stdout.startswith("   0  Ana and Ada sit down")
    assert max(len(line) for line in done.stdout.splitlines() if "transcript" not in line) < 80


def test_on_a_screen_the_sentence_of_the_shuffles_stands_too(tmp_path: Path) -> None:
    with person(tmp_path, "play", "macaua", "--bots", "1", "--plain") as ana:
        ana.reads("Each seat shuffled the deck and proved it, in ")
        times = ana.reads(" ms;")
        ana.types("/quit")
        ana.reads("The judge has read the record")
        ana.reads(f"Each seat shuffled the deck and proved it, in {times} ms;")
        ana.reads("Nobody cheated so far")
        ana.reads("  python -m nodealer resume ")
        assert ana.ends() == 0


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
