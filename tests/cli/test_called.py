"""Hints name this program as it was called."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nodealer.cli.called import CALLED, as_called, called


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    called.cache_clear()
    yield
    called.cache_clear()


def installed(folder: Path) -> Path:
    program = folder / "nodealer"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("typed", ["./scripts/nodealer", "../there/scripts/nodealer"])
def test_in_a_directory_of_sources_it_is_the_script(
    typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CALLED, typed)
    assert called() == typed
    assert as_called("`nodealer tables` lists them") == f"`{typed} tables` lists them"


def test_on_the_path_it_is_its_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = installed(tmp_path)
    monkeypatch.delenv(CALLED, raising=False)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert called() == "nodealer"


def test_elsewhere_it_is_its_path_as_a_shell_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    program = installed(folder)
    monkeypatch.setenv(CALLED, str(program))
    assert called() == f"'{program}'"


def test_as_a_module_it_is_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CALLED, raising=False)
    monkeypatch.setattr(sys, "argv", ["/x/nodealer/__main__.py"])
    assert called() == "python -m nodealer"


def test_only_commands_are_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CALLED, "./scripts/nodealer")
    for text in ("nodealer is the name", "a nodealer relay", "nodealer: setting up", "`nodealer`"):
        assert as_called(text) == text
    assert as_called("examples:\n  nodealer host") == "examples:\n  ./scripts/nodealer host"
