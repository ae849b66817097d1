"""What nodealer says about itself."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from nodealer import __version__
from nodealer.cli.main import COMMANDS, parser
from tests.cli.program import nodealer
from tests.tidy.project import ROOT


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["-h"],
        ["bench", "-h"],
        ["bench", "deck", "-h"],
        ["rules", "-h"],
        ["seat", "-h"],
        ["simulate", "-h"],
        ["new-game", "-h"],
        ["verify", "-h"],
        ["replay", "-h"],
        ["export", "-h"],
    ],
)
def test_help_is_data(arguments: list[str]) -> None:
    done = nodealer(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith("usage: python -m nodealer ")
    assert not done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["bench", "deck", "--help"],
        ["rules", "--help"],
        ["simulate", "--help"],
        ["new-game", "--help"],
    ],
)
def test_examples_come_before_options(arguments: list[str]) -> None:
    text = nodealer(*arguments).stdout
    assert text.index("examples:") < text.index("options:")


def test_help_begins_with_what_players_do() -> None:
    examples = nodealer("--help").stdout.partition("examples:\n")[2].splitlines()
    assert [line.split()[3] for line in examples[:4]] == ["page", "play", "host", "join"]


def test_every_example_of_a_help_can_be_typed() -> None:
    for command in COMMANDS:
        text = getattr(command, "DESCRIPTION", "")
        for example in re.findall(r"^  nodealer (.+?)(?:  .*)?$", text, re.MULTILINE):
            typed = shlex.split(re.split(r" [|<>]", example)[0].replace("...", "ab" * 30))
            assert parser().parse_args(typed).module is not None


@pytest.mark.parametrize("command", [[], ["play"], ["verify"], ["seat"], ["simulate"], ["bench"]])
def test_help_fits_a_terminal_of_80_columns(command: list[str]) -> None:
    for line in nodealer(*command, "--help", COLUMNS="80").stdout.splitlines():
        assert len(line) <= 80 or line.startswith("  "), "but for examples and lists"


def test_help_documents_the_exit_codes() -> None:
    text = nodealer("--help").stdout
    codes = [line.split()[0] for line in text.partition("exit codes:\n")[2].splitlines()]
    assert codes == ["0", "1", "2", "10", "11", "12", "13", "14", "130", "141"]


def test_help_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in nodealer("--help").stdout


def test_version() -> None:
    done = nodealer("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"nodealer {__version__}\n", "")


COMMAND = re.compile(r"^ *\./scripts/nodealer (.+?)(?: +#.*)?$", re.MULTILINE)
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def in_page(page: Path) -> list[str]:
    """Return the commands that a page shows to be typed."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [command for block in blocks for command in COMMAND.findall(block)]


README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "specs" / "guide").glob("*.md")))


@pytest.mark.parametrize("command", sorted({one for page in PAGES for one in in_page(page)}))
def test_the_commands_of_readme_and_guides_can_be_typed(command: str) -> None:
    asked = parser().parse_args(command.replace("...", "").split())
    assert importlib.util.find_spec(asked.module) is not None


def test_the_readme_leads_from_nothing_to_a_game_with_a_friend() -> None:
    named = {command.split()[0] for command in in_page(README)}
    assert {"play", "host", "join", "tables", "resume", "verify", "simulate", "new-game"} <= named


def test_the_readme_is_read_in_a_minute() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 80
    assert any(line.startswith("![") and "specs/pictures/page.png" in line for line in lines)
