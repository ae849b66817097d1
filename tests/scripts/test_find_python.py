"""Which Python set-up takes, and what it says when there is none that will do.

The interpreters are stand-ins: small shell scripts that run the real Python with one thing about
it changed, on a PATH that holds nothing else.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# What the two scripts need besides a shell.
TOOLS = ("cat", "cmp", "readlink")

STAND_IN = """\
#!/bin/sh
case $1 in
    -V) echo 'Python {version}' ;;
    -c) exec '{python}' -c '
import sys
sys.version_info = ({numbers})
sys.modules.update({modules})
exec(sys.argv.pop(1))' "$2" "$3" ;;
    *) echo "{name} starts: $*" ;;
esac
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a directory of programs, to be the whole PATH."""
    directory = tmp_path / "bin"
    directory.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (directory / tool).symlink_to(found)
    return directory


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Copy the scripts to where no environment has been set up."""
    place = tmp_path / "a project"
    shutil.copytree(ROOT / "scripts", place / "scripts")
    return place


def add_python(path: Path, name: str, version: str, *, is_bare: bool = False) -> Path:
    """Put an interpreter on the PATH; a bare one is without ensurepip, as Debian delivers it."""
    file = path / name
    file.write_text(
        STAND_IN.format(
            name=name,
            version=version,
            numbers=version.replace(".", ", "),
            python=sys.executable,
            modules="ensurepip=None" if is_bare else "",
        )
    )
    file.chmod(0o755)
    return file


def start(project: Path, path: Path, python: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [project / "scripts" / "nodealer", "--help"],
        env={"PATH": str(path), "PYTHON": python},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_first_that_is_good_is_taken(project: Path, path: Path) -> None:
    add_python(path, "python3", "3.9.2")
    add_python(path, "python3.13", "3.13.0", is_bare=True)
    add_python(path, "python3.12", "3.12.1")
    add_python(path, "python3.11", "3.11.2")
    assert start(project, path).stdout.startswith("python3.12 starts: -I ")


def test_one_that_is_newer_than_the_built_packages_is_the_last_choice(
    project: Path, path: Path
) -> None:
    add_python(path, "python3", "3.15.0")
    assert start(project, path).stdout.startswith("python3 starts: ")
    add_python(path, "python3.11", "3.11.2")
    assert start(project, path).stdout.startswith("python3.11 starts: ")


def test_python_chooses(project: Path, path: Path, tmp_path: Path) -> None:
    add_python(path, "python3", "3.12.1")
    (tmp_path / "else where").mkdir()
    chosen = add_python(tmp_path / "else where", "chosen", "3.11.2")
    assert start(project, path, str(chosen)).stdout.startswith("chosen starts: ")


def test_a_chosen_python_is_not_silently_replaced(project: Path, path: Path) -> None:
    add_python(path, "python3", "3.12.1")
    done = start(project, path, "/nowhere/python")
    assert done.returncode == 1
    assert "PYTHON is set to /nowhere/python, which does not run" in done.stderr


def test_too_old(project: Path, path: Path) -> None:
    add_python(path, "python3", "3.9.2")
    done = start(project, path)
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed; python3 is Python 3.9.2." in done.stderr
    assert not done.stdout


def test_with_uv_there_need_be_no_ensurepip(project: Path, path: Path) -> None:
    add_python(path, "python3", "3.11.2", is_bare=True)
    (path / "uv").write_text("#!/bin/sh\n")
    (path / "uv").chmod(0o755)
    assert start(project, path).stdout.startswith("python3 starts: -I ")


def test_without_venv(project: Path, path: Path) -> None:
    add_python(path, "python3", "3.11.2", is_bare=True)
    done = start(project, path)
    assert done.returncode == 1
    assert "its venv or ensurepip module is missing" in done.stderr
    assert "sudo apt install python3.11-venv" in done.stderr


def test_no_python_at_all(project: Path, path: Path) -> None:
    done = start(project, path)
    assert done.returncode == 1
    assert "no python3 was found" in done.stderr
