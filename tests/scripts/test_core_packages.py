"""What is done without a network needs none of the network's packages, and what needs them says so.

The packages of `core.lock`, and nothing else, are put beside the real program, in an interpreter
that looks nowhere else.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.tidy.project import ROOT

ADVICE = "pip install 'nodealer[net]'"


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a place with the packages of the core alone."""
    place = tmp_path_factory.mktemp("core")
    text = (ROOT / "requirements" / "core.lock").read_text(encoding="utf-8")
    for name in re.findall(r"^([a-z0-9][\w.-]*)==", text, re.MULTILINE):
        package = distribution(name)
        for top in {file.parts[0] for file in package.files or () if ".." not in file.parts}:
            link = place / top
            if not link.exists() and top != "__pycache__":
                link.symlink_to(Path(str(package.locate_file(top))))
    return place


def nodealer(
    core: Path, home: Path, *arguments: str, **changed: str
) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NODEALER_")}
    places = {"PYTHONPATH": f"{core}:{ROOT / 'src'}", "NODEALER_HOME": str(home)}
    return subprocess.run(
        # -S: what is installed for this interpreter is not there for the program.
        [sys.executable, "-P", "-S", "-m", "nodealer", *arguments],
        env=kept | places | changed,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_game_is_played_told_and_verified(core: Path, tmp_path: Path) -> None:
    played = nodealer(core, tmp_path, "play", "macaua", "--bots", "2", "--auto", "--json")
    assert played.returncode == 0, played.stderr
    file = json.loads(played.stdout)["transcript"]
    export = ["export", "--format", "json", file]
    for command in (["verify", file], ["replay", file], export, ["tables"], ["resume"]):
        done = nodealer(core, tmp_path, *command)
        assert done.returncode == 0, (command, done.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "macaua", "--players", "2", "--games", "1", "--seed", "1"],
        ["rules", "take5"],
        ["bench", "deck", "--cards", "10", "--seats", "2", "--json"],
        ["--help"],
        ["host", "--help"],
    ],
)
def test_what_is_done_without_a_network_needs_none(
    core: Path, tmp_path: Path, arguments: list[str]
) -> None:
    done = nodealer(core, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["host", "macaua"],
        ["join", "nonsense"],
        ["watch", "nonsense"],
        ["relay"],
        ["doctor"],
        ["bench", "net"],
        ["bench", "siege"],
        ["simulate", "macaua", "--games", "1", "--transport", "libp2p"],
    ],
)
def test_what_goes_nowhere_without_a_network_says_how_to_get_it(
    core: Path, tmp_path: Path, arguments: list[str]
) -> None:
    done = nodealer(core, tmp_path / "home", *arguments)
    assert done.returncode == 1
    assert not done.stdout
    first, advice = done.stderr.splitlines()
    assert first == "nodealer: libp2p: what tables among machines need is not installed here"
    assert ADVICE in advice
    assert not (tmp_path / "home").exists(), "nothing was begun"


def test_whoever_imports_the_network_comes_upon_the_same(core: Path, tmp_path: Path) -> None:
    source = """
import nodealer.node
from nodealer.store import StoreError
try:
    import nodealer.node.network
except StoreError as error:
    print(error.slug)
"""
    done = subprocess.run(
        [sys.executable, "-P", "-S", "-c", source],
        env=os.environ | {"PYTHONPATH": f"{core}:{ROOT / 'src'}"},
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == "store/network\n"


@pytest.mark.parametrize(("layer", "is_started"), [("core", True), ("net", False)])
def test_a_directory_of_sources_gets_it_by_itself_and_once(
    core: Path, tmp_path: Path, layer: str, *, is_started: bool
) -> None:
    starter = tmp_path / "starter"
    starter.write_text('#!/bin/sh\necho "started with $NODEALER_LAYER: $*"\n')
    starter.chmod(0o755)
    done = nodealer(
        core, tmp_path, "host", "macaua", NODEALER_STARTER=str(starter), NODEALER_LAYER=layer
    )
    assert (done.stdout == "started with net: host macaua\n") is is_started
    assert (ADVICE in done.stderr) is not is_started
