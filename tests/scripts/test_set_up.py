"""Set-up from the first start on, with a small project in place of nodealer.

The small project needs no packages and brings its own build backend, so that nothing is fetched;
everything else is the real thing: the scripts, venv, pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts import set_up
from scripts.set_up import Environment, SetUpError

ROOT = Path(__file__).resolve().parents[2]

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "nodealer"
version = "1"
"""

BACKEND = '''\
"""Installs the project by a path file, which is all that an editable installation is."""

import pathlib
import zipfile


def build_editable(directory, settings=None, metadata=None):
    name = "nodealer-1-py3-none-any.whl"
    info = "nodealer-1.dist-info"
    with zipfile.ZipFile(pathlib.Path(directory, name), "w") as wheel:
        wheel.writestr("nodealer.pth", str(pathlib.Path("src").resolve()))
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: nodealer\\nVersion: 1\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return name
'''

MAIN = "import sys; print('started with', *sys.argv[1:])\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the small project, in a directory whose name has a space; its first start."""
    place = tmp_path_factory.mktemp("set up") / "a project"
    package = place / "src" / "nodealer"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text(MAIN)
    (place / "backend.py").write_text(BACKEND)
    (place / "pyproject.toml").write_text(PYPROJECT)
    (place / "requirements").mkdir()
    for name in ("build", "run", "test"):
        (place / "requirements" / f"{name}.lock").write_text("# nothing\n")
    shutil.copytree(ROOT / "scripts", place / "scripts")
    first = start(place, "one", "two words")
    assert first.returncode == 0, first.stderr
    assert first.stdout == "started with one two words\n"
    assert "setting up" in first.stderr
    assert (place / ".venv" / "setup.log").stat().st_size
    return place


@pytest.fixture
def mark(project: Path) -> Path:
    """Leave something in the environment; making it anew takes that away."""
    path = project / ".venv" / "mark"
    path.touch()
    return path


def command(place: Path, *arguments: str) -> list[str | Path]:
    return [place / "scripts" / "nodealer", *arguments]


def environment() -> dict[str, str]:
    # PYTHON chooses the interpreter; the tests are about what happens when nobody has chosen.
    return {key: value for key, value in os.environ.items() if key != "PYTHON"}


def start(
    place: Path, *arguments: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(place, *arguments),
        cwd=cwd,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_second_start_does_nothing_but_start(project: Path) -> None:
    before = (project / ".venv" / "setup.log").read_bytes()
    second = start(project, "again")
    assert (second.stdout, second.stderr) == ("started with again\n", "")
    assert (project / ".venv" / "setup.log").read_bytes() == before


def test_it_starts_from_anywhere(project: Path, tmp_path: Path) -> None:
    # Were the current directory on the module path, this would be what starts.
    (tmp_path / "nodealer.py").write_text("print('the wrong one')")
    link = tmp_path / "link"
    link.symlink_to(project / "scripts" / "nodealer")
    directory_link = tmp_path / "directory"
    directory_link.symlink_to(project)
    for program in (link, directory_link / "scripts" / "nodealer"):
        done = subprocess.run(
            [program, "here"],
            cwd=tmp_path,
            env=environment() | {"CDPATH": "/usr:/"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert (done.stdout, done.stderr) == ("started with here\n", "")


def test_it_starts_by_a_relative_name(project: Path) -> None:
    done = subprocess.run(
        ["sh", "nodealer", "here"],  # noqa: S607 - as people type it
        cwd=project / "scripts",
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert (done.stdout, done.stderr) == ("started with here\n", "")


def test_a_changed_project_is_installed_again_into_the_same_environment(
    project: Path, mark: Path
) -> None:
    (project / "pyproject.toml").write_text(PYPROJECT + "# changed\n")
    done = start(project)
    assert done.returncode == 0
    assert "installing nodealer itself" in done.stderr
    assert mark.exists()


def test_a_changed_lock_makes_the_environment_anew(project: Path, mark: Path) -> None:
    (project / "requirements" / "run.lock").write_text("# still nothing\n")
    done = start(project)
    assert done.returncode == 0
    assert "setting up" in done.stderr
    assert not mark.exists()


def test_an_interrupted_set_up_is_done_again(project: Path, mark: Path) -> None:
    (project / ".venv" / "stamp-run").unlink()
    done = start(project)
    assert done.returncode == 0
    assert "setting up" in done.stderr
    assert not mark.exists()


def test_of_two_first_starts_one_sets_up_and_both_start(project: Path) -> None:
    shutil.rmtree(project / ".venv")
    processes = [
        subprocess.Popen(
            command(project),
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    endings = [process.communicate() for process in processes]
    assert [output for output, _ in endings] == ["started with\n"] * 2
    messages = "".join(message for _, message in endings)
    assert messages.count("ready after") == 1
    assert messages.count("another start is setting up") == 1


def test_the_lock_goes_with_its_holder(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            (
                "import sys, time\n"
                "from pathlib import Path\n"
                "from scripts.set_up import exclusive\n"
                "with exclusive(Path(sys.argv[1])):\n"
                "    print('held', flush=True)\n"
                "    time.sleep(60)\n"
            ),
            tmp_path,
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    with holder:
        holder.stdout.readline()
        holder.kill()
    started = time.monotonic()
    with set_up.exclusive(tmp_path):
        assert time.monotonic() - started < 10


def test_a_directory_that_cannot_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(SetUpError, match=r"cannot write to .*Permission denied(.|\n)*copy the"):
        set_up.create(Environment(tmp_path))


def test_a_failure_shows_the_end_of_the_log_and_advice(tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    environment.path.mkdir()
    source = "print(*range(100), 'No space left on device', sep='\\n'); raise SystemExit(1)"
    with pytest.raises(SetUpError) as caught:
        set_up.run(environment, [sys.executable, "-c", source])
    lines = str(caught.value).splitlines()
    assert "  | No space left on device" in lines
    assert "  | 10" not in lines
    assert "The disk is full: make room and start again." in lines
    assert str(environment.log) in lines[-1]
    assert len(environment.log.read_text().splitlines()) == 101


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("error: command 'gcc' failed: No such file or directory", "no built version"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "mirror"),
        ("WARNING: Retrying (Retry(total=4)) after connection broken", "pip config"),
    ],
)
def test_advice_fits_what_went_wrong(output: str, words: str) -> None:
    assert words in set_up.explain(output, Path("setup.log"))
