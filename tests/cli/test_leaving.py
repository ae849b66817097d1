"""`leave`, `move`, `watch`, and tables of another version: real files, and programs where needed.

Commands that only look and refuse are called in this process: a start costs more than what they do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from nodealer.cli.main import main
from nodealer.kernel import Seat
from nodealer.store.identity import open_identity
from nodealer.store.opening import create, open_journal
from nodealer.store.places import Profile
from nodealer.store.records import JournalOrigin
from tests.cli.practising import founded_against_a_bot
from tests.cli.test_play import LOOPBACK, WAIT_SECONDS, at_home, begun
from tests.node.tables import Circle
from tests.store.players import charter_for, home_in, seed_of

FIRST_LINE = "four words are enough\n"


class Done(NamedTuple):
    """What a command has answered."""

    returncode: int
    stdout: str
    stderr: str


Here: TypeAlias = Callable[..., Done]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Return what runs a command of the player at a home, in this process."""

    def run(home: Path, *arguments: str) -> Done:
        monkeypatch.setenv("NODEALER_HOME", str(home))
        capsys.readouterr()
        return Done(main(arguments), *capsys.readouterr())

    return run


def home_with_table(folder: Path) -> tuple[Profile, str]:
    """Give a player a table among three that has not begun; return its mark."""
    circle = Circle(folder, 3)
    circle.found()
    return circle.homes[0].profile, circle.charter.table.hex()[:6]


def secured(folder: Path) -> str:
    file = folder / "passphrase"
    file.touch(mode=0o600)
    file.write_text(FIRST_LINE)
    return str(file)


def test_a_game_against_bots_can_be_left_once(tmp_path: Path) -> None:
    playing = begun(tmp_path, "play", "macaua", "--bots", "1", "--plain")
    told, complained = playing.communicate(timeout=WAIT_SECONDS)
    assert playing.returncode == 0, complained
    mark = told.partition("nodealer resume ")[2][:6]
    unsure = at_home(tmp_path, "leave", mark)
    assert unsure.returncode == 1
    assert "--yes" in unsure.stderr
    left = at_home(tmp_path, "leave", mark, "--yes")
    assert left.returncode == 0, left.stderr
    assert "the others know it" in left.stdout
    assert "over; Ada won" in at_home(tmp_path, "tables").stdout
    again = at_home(tmp_path, "leave", mark, "--yes", "--json")
    assert again.returncode == 1
    assert "over" in again.stderr
    assert "Traceback" not in again.stderr


def test_a_player_moves_with_all_tables_and_the_old_copy_signs_nothing(
    tmp_path: Path, here: Here
) -> None:
    old, new = tmp_path / "0", tmp_path / "there"
    _, mark = home_with_table(tmp_path)
    file, by = str(tmp_path / "me.move"), ("--secured-by", secured(tmp_path))
    gone = here(old, "move", "export", file, *by)
    assert gone.returncode == 0, gone.stderr
    assert "1 table" in gone.stdout
    for refused in (("resume", mark, "--auto"), ("leave", mark, "--yes"), ("play", "macaua")):
        done = here(old, *refused)
        assert done.returncode == 1
        assert "moved to another machine" in done.stderr
        assert "Traceback" not in done.stderr
    assert "moved away on" in here(old, "tables").stdout
    came = here(new, "move", "import", file, *by)
    assert came.returncode == 0, came.stderr
    assert mark in here(new, "tables").stdout
    twice = here(new, "move", "import", file, *by)
    assert twice.returncode == 1
    assert "there is one already" in twice.stderr


def test_a_game_against_bots_does_not_go_on_elsewhere(tmp_path: Path, here: Here) -> None:
    new = tmp_path / "there"
    _, table = founded_against_a_bot(tmp_path / "here")
    file, by = str(tmp_path / "me.move"), ("--secured-by", secured(tmp_path))
    assert here(tmp_path / "here", "move", "export", file, *by).returncode == 0
    assert here(new, "move", "import", file, *by).returncode == 0
    assert table.hex()[:6] in here(new, "tables").stdout
    done = here(new, "resume", "--auto")
    assert done.returncode == 1
    assert "bots stay where" in done.stderr
    assert "nodealer play" in done.stderr


def test_what_cannot_be_moved_is_said(tmp_path: Path, here: Here) -> None:
    profile, _ = home_with_table(tmp_path)
    by = ("--secured-by", secured(tmp_path))
    file = tmp_path / "me.move"
    assert (
        "there is no such file" in here(tmp_path / "empty", "move", "export", str(file), *by).stderr
    )
    assert "no --secured-by FILE" in here(tmp_path / "0", "move", "export", str(file)).stderr
    table = charter_for(3).table
    with closing(open_journal(profile, table, open_identity(profile.key))):
        held = here(tmp_path / "0", "move", "export", str(file), *by)
    assert held.returncode == 1
    assert "another process has it open" in held.stderr
    assert not file.exists()
    # Nothing was retired: it can still be moved, and brought back.
    assert "not moved away" in here(tmp_path / "0", "move", "back", "--yes").stderr
    assert here(tmp_path / "0", "move", "export", str(file), *by).returncode == 0
    file.write_bytes(file.read_bytes()[:-1])
    assert (
        "not those that were written"
        in here(tmp_path / "there", "move", "import", str(file), *by).stderr
    )
    assert "--yes" in here(tmp_path / "0", "move", "back").stderr
    back = here(tmp_path / "0", "move", "back", "--yes")
    assert back.returncode == 0
    assert "said what you have signed" in back.stdout


def test_a_table_of_a_later_version_waits_for_that_version(tmp_path: Path, here: Here) -> None:
    """The journal is of a later program, or the rules that the table agreed on are not here."""
    profile, mark = home_with_table(tmp_path)
    with closing(sqlite3.connect(profile.journal(charter_for(3).table))) as connection:
        connection.execute("PRAGMA user_version = 99")
    later = later_rules(tmp_path / "0")
    listed = here(tmp_path / "0", "tables")
    assert listed.returncode == 0
    assert "a later version of nodealer" in listed.stdout
    assert "not installed" in listed.stdout
    for begin, words in ((mark, "use that version"), (later, "install that version")):
        done = here(tmp_path / "0", "resume", begin, "--auto")
        assert done.returncode == 1
        assert words in done.stderr
        assert "Traceback" not in done.stderr


def later_rules(folder: Path) -> str:
    """Give the player a table whose game is of a version that is not here; return its mark."""
    home = home_in(folder)
    charter = charter_for(2, "later", version=999)
    origin = JournalOrigin(charter, Seat(0), home.identity.public)
    create(home.profile, origin, home.identity, seed_of(0, "later")).close()
    return charter.table.hex()[:6]


def test_an_invite_to_play_is_not_one_to_watch(tmp_path: Path, here: Here) -> None:
    hosting = begun(
        tmp_path / "host", "host", "macaua", "--name", "Ana", "--watch-invite", *LOOPBACK
    )
    assert hosting.stdout is not None
    assert hosting.stderr is not None
    invite = hosting.stdout.readline()
    assert "the second line is for whoever is to watch" in hosting.stderr.readline()
    assert "pass the first line on" in hosting.stderr.readline()
    done = here(tmp_path / "guest", "watch", invite, *LOOPBACK)
    hosting.terminate()
    hosting.communicate(timeout=WAIT_SECONDS)
    assert done.returncode == 1
    assert "nodealer join" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("8049f5",), "the whole mark"),
        (("0" * 64,), "the address of a player"),
        (("0" * 64, "/ip4/127.0.0.1/tcp/1"), "ends with /p2p/"),
        (("0" * 64, "/ip4/127.0.0.1/tcp/1/p2p/nobody"), "nobody"),
        (("no invite at all",), "invite"),
    ],
)
def test_what_cannot_be_watched_is_said(
    tmp_path: Path, here: Here, arguments: tuple[str, ...], words: str
) -> None:
    done = here(tmp_path, "watch", *arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_at_which_one_plays_is_not_watched(tmp_path: Path, here: Here) -> None:
    _, mark = home_with_table(tmp_path)
    done = here(tmp_path / "0", "watch", mark)
    assert done.returncode == 1
    assert f"nodealer resume {mark}" in done.stderr
