"""The locks hold what `pyproject.toml` asks for, agree with one another, and name no addresses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.tidy.project import ROOT

LOCKS = {path.stem: path for path in (ROOT / "requirements").glob("*.lock")}

with (ROOT / "pyproject.toml").open("rb") as file:
    PYPROJECT = tomllib.load(file)

CORE = PYPROJECT["project"]["dependencies"]
NET = CORE + PYPROJECT["project"]["optional-dependencies"]["net"]

WANTED = {
    "core": CORE,
    "net": NET,
    "test": NET + PYPROJECT["dependency-groups"]["test"],
    "build": PYPROJECT["dependency-groups"]["build"],
}


def versions(path: Path) -> dict[str, str]:
    """Return the packages that a lock names, with their versions."""
    return dict(re.findall(r"^([a-z0-9][\w.-]*)==([^ ;\\]+)", path.read_text(), re.MULTILINE))


def test_there_is_a_lock_for_each_purpose() -> None:
    assert LOCKS.keys() == WANTED.keys()


@pytest.mark.parametrize("name", WANTED)
def test_a_lock_names_no_address(name: str) -> None:
    assert "://" not in LOCKS[name].read_text()


@pytest.mark.parametrize("name", WANTED)
def test_a_lock_has_a_hash_for_every_package(name: str) -> None:
    entries = re.split(r"^(?=[a-z0-9])", LOCKS[name].read_text(), flags=re.MULTILINE)[1:]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize("name", WANTED)
def test_a_lock_fits_what_is_asked_for(name: str) -> None:
    locked = versions(LOCKS[name])
    for text in WANTED[name]:
        wanted = Requirement(text)
        assert wanted.specifier.contains(locked[wanted.name]), f"{wanted}: run ./scripts/lock"


def test_locks_agree() -> None:
    everything: dict[str, set[str]] = {}
    for path in LOCKS.values():
        for package, version in versions(path).items():
            everything.setdefault(package, set()).add(version)
    assert not {package: found for package, found in everything.items() if len(found) > 1}


def test_each_layer_has_what_is_below_it() -> None:
    core, net, test = (versions(LOCKS[name]).items() for name in ("core", "net", "test"))
    assert core < net < test
