"""What checks need of Debian: nothing is done where it is there, else what is missing is named.

The tools are stand-ins on a PATH that holds nothing else.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.run_checks import CHECKS
from tests.tidy.project import ROOT

LIST = ROOT / "requirements" / "debian.txt"

PACKAGES = dict(
    line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if line[0] != "#"
)


def start(path: Path, programs: Sequence[str], *, user: int) -> tuple[int, str, list[str]]:
    """Run the script; return its exit code, what it said, and what was asked of apt-get."""
    path.mkdir()
    asked = path / "asked"
    sources = dict.fromkeys(programs, "#!/bin/sh\n")
    sources["id"] = f"#!/bin/sh\necho {user}\n"
    sources["apt-get"] = f'#!/bin/sh\necho "$@" >>{asked}\n'
    for name, source in sources.items():
        (path / name).write_text(source)
        (path / name).chmod(0o755)
    for name in ("sh", "dirname"):
        (path / name).symlink_to(shutil.which(name) or "")
    done = subprocess.run(
        [ROOT / "scripts" / "set_up_checks"],
        env={"PATH": str(path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = asked.read_text().splitlines() if asked.exists() else []
    return done.returncode, done.stdout + done.stderr, lines


@pytest.mark.parametrize("user", [0, 1000])
def test_where_everything_is_there_nothing_is_done(tmp_path: Path, user: int) -> None:
    assert start(tmp_path / "bin", list(PACKAGES), user=user) == (0, "", [])


def test_what_is_missing_is_installed_by_root_and_nothing_else(tmp_path: Path) -> None:
    there = [name for name in PACKAGES if name != "unshare"]
    code, _, asked = start(tmp_path / "bin", there, user=0)
    assert code == 0
    assert asked == ["update -qq", "install --yes --no-install-recommends util-linux"]


def test_without_root_what_is_missing_is_named_with_its_command(tmp_path: Path) -> None:
    code, said, asked = start(tmp_path / "bin", ["chromium", "git", "mount"], user=1000)
    assert (code, asked) == (1, [])
    assert "as root: apt-get install --yes --no-install-recommends nodejs npm util-linux" in said


def test_each_program_of_the_list_is_what_a_check_needs() -> None:
    advice = {need.name: need.advice for check in CHECKS for need in check.needs}
    for name, package in PACKAGES.items():
        assert advice[name].endswith(f"apt-get install {package}")
