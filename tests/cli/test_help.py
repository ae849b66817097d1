"""What nodealer says about itself."""

from __future__ import annotations

import pytest

from nodealer import __version__
from tests.cli.program import nodealer


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
    assert done.stdout.startswith("usage: nodealer")
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
