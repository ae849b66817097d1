"""Scenes on small internets: real programs, on hosts of their own, with the kernel's routers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SPACES = ("unshare", "--user", "--map-root-user", "--net")
"""Namespaces of its own, in which whoever starts this may do everything; from util-linux."""

IS_FULL = os.environ.get("NODEALER_TEST_PROFILE") == "full"

ALWAYS = ("behind_routers", "on_one_network", "only_through_a_third", "bad_lines")

MORE = ("what_a_doctor_says", "through_two_routers", "strict_routers")
"""Scenes for the full profile."""


def act(scene: str, folder: Path) -> str:
    """Play a scene; return what went wrong, with what its programs have said."""
    done = subprocess.run(
        [*SPACES, sys.executable, "-m", f"tests.network.{scene}", str(folder)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
    )
    if done.returncode == 0:
        return ""
    logs = [f"--- {log.name}\n{log.read_text()}" for log in sorted(folder.glob("*.log"))]
    return "\n".join([done.stderr, *logs])


@pytest.mark.parametrize("scene", (*ALWAYS, *MORE) if IS_FULL else ALWAYS)
def test_a_scene_ends_as_it_should(scene: str, tmp_path: Path) -> None:
    assert not act(scene, tmp_path)
