"""Packages with games, as they lie beside us once they are installed."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from nodealer.games.registry import GROUP

SAMPLE = Path(__file__).resolve().parents[1] / "sample_game"


def install(place: Path, package: str, points: Mapping[str, str]) -> None:
    """Write the metadata of an installed package with these entry points."""
    info = place / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{GROUP}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def install_sample(place: Path) -> None:
    """Install the sample game, as its own pyproject.toml says."""
    project = tomllib.loads((SAMPLE / "pyproject.toml").read_text())["project"]
    install(place, project["name"].replace("-", "_"), project["entry-points"][GROUP])
    (place / "high_card.py").write_text((SAMPLE / "high_card.py").read_text())


@contextmanager
def beside_us(place: Path) -> Iterator[None]:
    """Make what is installed in a place importable for a while."""
    known = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(place))
        yield
    for name in set(sys.modules) - known:
        if getattr(sys.modules[name], "__file__", None) and str(place) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]
