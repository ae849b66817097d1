"""A start loads only what it needs: help answers at once, whatever the commands need."""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import subprocess
import sys

import pytest

from nodealer.cli import main

PROGRAM = """
import json, sys
from nodealer.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(json.dumps(sorted(sys.modules)))
"""

IN_TWO = {
    "bench": "each of its subjects has a module that measures it",
    "new-game": "what it writes is a program of its own",
}
"""The commands whose work stands in other modules, with the reason."""

HEAVY = {"cbor2", "coincurve", "cryptography", "libp2p", "segno", "trio"}


SLOW = {"dataclasses", "inspect", "secrets", "tempfile"}
"""Modules of Python that double the time of a start, and that no start needs."""


def test_the_version_is_told_without_what_takes_long() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, "--version"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert not set(json.loads(done.stdout.splitlines()[-1])) & SLOW


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["bench", "deck", "--help"],
        ["new-game", "--help"],
        ["rules", "--help"],
        ["seat", "--help"],
        ["simulate", "--help"],
        ["verify", "--help"],
        ["replay", "--help"],
        ["export", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}
    assert "nodealer" in loaded
    assert not loaded & HEAVY


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command, by its name."""
    actions = main.parser()._actions
    (commands,) = (one for one in actions if isinstance(one, argparse._SubParsersAction))
    return dict(commands.choices)


@pytest.mark.parametrize("command", parsers())
def test_a_command_is_one_file_of_its_name(command: str) -> None:
    """It describes itself and does its work, but for those that other modules do still."""
    module = importlib.import_module(f"nodealer.cli.{command.replace('-', '_')}")
    assert module in main.COMMANDS
    if command not in IN_TWO:
        assert parsers()[command].get_default("module") == module.__name__
        assert inspect.getmodule(module.run) is module


def test_reading_the_command_line_loads_nothing_heavy() -> None:
    program = "import json, sys, nodealer.cli.main; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, encoding="utf-8", check=True
    )
    loaded = set(json.loads(done.stdout))
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    ours = {name for name in loaded if name.startswith("nodealer.")}
    lists = {"nodealer.lab", "nodealer.lab.transports"}  # the choices of an option, and no more
    assert {name for name in ours if not name.startswith("nodealer.cli")} == lists


def test_what_a_player_does_loads_no_terminal() -> None:
    """So a page can stand on it, on a machine that has none."""
    program = "import json, sys, nodealer.home; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, encoding="utf-8", check=True
    )
    loaded = set(json.loads(done.stdout))
    assert "nodealer.show.snapshot" in loaded, "what is shown"
    assert not {name for name in loaded if name.startswith("nodealer.terminal")}
    assert not loaded & {"curses", "termios", "tty"}
