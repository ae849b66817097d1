"""`nodealer new-game` writes a game that works, and never overwrites anything."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from nodealer.cli.new_game import _next_commands, _write, game_name, skeleton
from nodealer.games.registry import BUILT_IN
from tests.cli.program import nodealer
from tests.games.installed import SAMPLE, install_project


def files_of(place: Path) -> dict[str, str]:
    """Return the files of a directory, as text."""
    return {
        path.relative_to(place).as_posix(): path.read_text(encoding="utf-8")
        for path in place.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_sample_game_is_what_the_command_writes() -> None:
    """So lint, types and all tests of the sample are those of the templates.

    Who changes a template writes the sample anew by the command, into another directory.
    """
    assert files_of(SAMPLE) == skeleton("high-card")


def test_a_new_game_is_installed_tested_and_listed(tmp_path: Path) -> None:
    done = nodealer("new-game", "nine-lives-2", "--into", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    made, installed = tmp_path / "nine-lives-2", tmp_path / "installed"
    assert files_of(made) == skeleton("nine-lives-2")
    install_project(installed, made)
    tested = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", made],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), *sys.path])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert tested.returncode == 0, tested.stdout
    assert "9 passed" in tested.stdout
    listed = nodealer("rules", beside=installed).stdout
    assert [line.split()[0] for line in listed.splitlines()] == sorted([*BUILT_IN, "nine-lives-2"])
    page = nodealer("rules", "nine-lives-2", beside=installed).stdout
    assert page.startswith("# Nine lives 2\n")


def test_the_next_commands_are_told(tmp_path: Path) -> None:
    place = tmp_path / "a place"
    place.mkdir()
    told = nodealer("new-game", "nine-lives", "--into", str(place)).stdout
    assert "-m pip install " in told
    assert f"--editable '{place / 'nine-lives'}'" in told
    assert f"{sys.executable} -m pytest '{place / 'nine-lives'}'" in told
    assert f"{sys.executable} -m nodealer rules nine-lives\n" in told


def test_what_is_not_installed_is_installed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {}
    for installed in (True, False):
        found = ModuleSpec("found", None) if installed else None
        monkeypatch.setattr("importlib.util.find_spec", lambda _, found=found: found)
        told[installed] = _next_commands(Path("nine-lives"), "nine-lives")
    assert "pip install --no-build-isolation --no-deps --editable nine-lives" in told[True]
    assert "pip install --editable nine-lives" in told[False]
    assert "pip install pytest" in told[False]
    assert "pip install pytest" not in told[True]


@pytest.mark.parametrize("kind", ["directory", "file", "link"])
def test_nothing_is_overwritten(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "nine-lives"
    if kind == "directory":
        place.mkdir()
    elif kind == "file":
        place.write_text("mine")
    else:
        place.symlink_to("nowhere")
    done = nodealer("new-game", "nine-lives", "--into", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{place} exists already" in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["nine-lives"]
    assert kind != "file" or place.read_text() == "mine"


def test_a_directory_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    done = nodealer("new-game", "nine-lives", "--into", str(tmp_path / "gone"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be made: No such file or directory" in done.stderr


def test_half_a_game_is_taken_away_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "nine-lives"
    too_long = "x" * 1000
    assert not _write(place, {"README.md": "one", too_long: "two"})
    assert not place.exists()
    assert "cannot be written: File name too long" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("macaua", "there is a game 'macaua' already"),
        ("cbor2", "a module 'cbor2' is installed already"),
        ("nodealer", "a module 'nodealer' is installed already"),
    ],
)
def test_a_name_that_is_taken(tmp_path: Path, name: str, told: str) -> None:
    done = nodealer("new-game", name, "--into", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr
    assert not list(tmp_path.iterdir())


BAD_NAMES = [
    "",
    "High-card",
    "high_card",
    "high--card",
    "-high",
    "high-",
    "9-lives",
    "../evil",
    "a/b",
    "höhe",
    "a b",
    "a\n",
    "x" * 41,
    "class",
    "random",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_what_is_no_name(name: str, tmp_path: Path) -> None:
    done = nodealer("new-game", f"--into={tmp_path}", "--", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert "argument NAME: " in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a", "high-card", "x2", "a-1-b", "x" * 40])
def test_what_is_a_name(name: str) -> None:
    assert game_name(name) == name
