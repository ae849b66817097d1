"""Packages with games, as they lie beside us once they are installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest

from nodealer.games.registry import GROUP, look_again

SAMPLE = Path(__file__).resolve().parents[1] / "sample_game"


def install(place: Path, package: str, points: Mapping[str, str]) -> None:
    """Write the metadata of an installed package with these entry points.

    These two files are all by which an installed package is found, whoever has put them there.
    """
    info = place / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{GROUP}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def install_project(place: Path, project: Path) -> None:
    """Install a project with a game, as its pyproject.toml says.

    Where the tool is at hand that builds it (`./scripts/test` has it), that builds a wheel, and
    the wheel is unpacked, which is what pip does. Elsewhere the same files are put in place by
    hand. Neither needs a network.
    """
    if find_spec("hatchling"):
        with TemporaryDirectory() as made:
            command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", made]
            subprocess.run(command, cwd=project, check=True, capture_output=True)
            (wheel,) = Path(made).glob("*.whl")
            with ZipFile(wheel) as packed:
                packed.extractall(place)
        return
    told = tomllib.loads((project / "pyproject.toml").read_text())
    name = told["project"]["name"].replace("-", "_")
    install(place, name, told["project"]["entry-points"][GROUP])
    for package in told["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        shutil.copytree(
            project / package,
            place / Path(package).name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )


def install_sample(place: Path) -> None:
    """Install the sample game."""
    install_project(place, SAMPLE)


@contextmanager
def beside_us(place: Path) -> Iterator[None]:
    """Make what is installed in a place importable for a while."""
    known = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(place))
        look_again()
        yield
    look_again()
    for name in set(sys.modules) - known:
        if getattr(sys.modules[name], "__file__", None) and str(place) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]
