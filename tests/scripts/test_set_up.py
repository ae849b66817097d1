"""Set-up from the first start on, with a small project in place of nodealer.

The small project needs two small packages, which lie beside it, so that nothing is fetched;
everything else is the real thing: the scripts, venv, pip.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from scripts import set_up
from scripts.set_up import Environment, SetUpError

ROOT = Path(__file__).resolve().parents[2]

MAIN = """\
import importlib.util, os, sys
if sys.argv[1:] == ["host"] and importlib.util.find_spec("wide") is None:
    assert os.environ["NODEALER_LAYER"] == "core"
    starter = os.environ["NODEALER_STARTER"]
    os.execve(starter, [starter, "host"], os.environ | {"NODEALER_LAYER": "net"})
there = [name for name in ("narrow", "wide") if importlib.util.find_spec(name)]
print("started with", *sys.argv[1:], *there)
"""
"""It has `host`, which needs more than the rest does, and is like ours in that."""


def put_wheel(place: Path, name: str) -> str:
    """Write the wheel of a package of one empty module, and return the lines of a lock for it."""
    place.mkdir(exist_ok=True)
    file = place / f"{name}-1-py3-none-any.whl"
    info = f"{name}-1.dist-info"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr(f"{name}.py", "")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/RECORD,,\n")
    return f"{name}==1 --hash=sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the small project, in a directory whose name has a space; its first start."""
    place = tmp_path_factory.mktemp("set-up") / "a project"
    package = place / "src" / "nodealer"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "1"\n')
    (package / "__main__.py").write_text(MAIN)
    (place / "pyproject.toml").write_text("# nothing\n")
    locks = place / "requirements"
    locks.mkdir()
    core = put_wheel(place.parent / "wheels", "narrow")
    net = core + put_wheel(place.parent / "wheels", "wide")
    for name, text in (("build", ""), ("core", core), ("net", net), ("test", net)):
        (locks / f"{name}.lock").write_text(f"# written by hand\n{text}")
    shutil.copytree(ROOT / "scripts", place / "scripts")
    first = start(place, "one", "two words")
    assert first.returncode == 0, first.stderr
    assert first.stdout == "started with one two words narrow\n"
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


def environment(wheels: Path | None = None) -> dict[str, str]:
    # PYTHON chooses the interpreter; the tests are about what happens when nobody has chosen.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NODEALER_")}
    for name in ("PYTHON", "PYTHONPATH"):
        kept.pop(name, None)
    places = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)} if wheels else {}
    return kept | places | {"NODEALER_UV": "no"}


def start(
    place: Path, *arguments: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(place, *arguments),
        cwd=cwd,
        env=environment(place.parent / "wheels"),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_second_start_does_nothing_but_start(project: Path) -> None:
    before = (project / ".venv" / "setup.log").read_bytes()
    second = start(project, "again")
    assert (second.stdout, second.stderr) == ("started with again narrow\n", "")
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
        assert (done.stdout, done.stderr) == ("started with here narrow\n", "")


def test_it_starts_by_a_relative_name(project: Path) -> None:
    done = subprocess.run(
        ["sh", "nodealer", "here"],  # noqa: S607 - as people type it
        cwd=project / "scripts",
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert (done.stdout, done.stderr) == ("started with here narrow\n", "")


def installed(project: Path) -> str:
    """Return which version of nodealer whoever looks at its metadata finds."""
    source = "from importlib.metadata import version; print(version('nodealer'))"
    done = subprocess.run(
        [project / ".venv" / "bin" / "python", "-I", "-c", source],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.strip()


def test_it_has_metadata_and_a_command_of_its_own(project: Path) -> None:
    assert installed(project) == "1"
    done = subprocess.run(
        [project / ".venv" / "bin" / "nodealer", "one", "two words"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == "started with one two words narrow\n"


def test_a_changed_project_is_installed_again_into_the_same_environment(
    project: Path, mark: Path
) -> None:
    (project / "pyproject.toml").write_text("# changed\n")
    (project / "src" / "nodealer" / "__init__.py").write_text('__version__ = "2"\n')
    done = start(project)
    assert done.returncode == 0
    assert "ready after" in done.stderr
    assert "installing" not in done.stderr
    assert mark.exists()
    assert installed(project) == "2"


def test_a_changed_lock_makes_the_environment_anew(project: Path, mark: Path) -> None:
    lock = project / "requirements" / "core.lock"
    lock.write_text(f"# changed\n{lock.read_text()}")
    done = start(project)
    assert done.returncode == 0
    assert "setting up" in done.stderr
    assert not mark.exists()


def test_an_interrupted_set_up_is_done_again(project: Path, mark: Path) -> None:
    (project / ".venv" / "stamp-core").unlink()
    done = start(project)
    assert done.returncode == 0
    assert "setting up" in done.stderr
    assert not mark.exists()


def test_of_two_first_starts_one_sets_up_and_both_start(project: Path) -> None:
    shutil.rmtree(project / ".venv")
    processes = [
        subprocess.Popen(
            command(project),
            env=environment(project.parent / "wheels"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    endings = [process.communicate() for process in processes]
    assert [output for output, _ in endings] == ["started with narrow\n"] * 2
    messages = "".join(message for _, message in endings)
    assert messages.count("ready after") == 1
    assert messages.count("another start is setting up") == 1


def test_what_the_network_needs_is_installed_when_it_is_first_wanted(project: Path) -> None:
    shutil.rmtree(project / ".venv")
    assert start(project).returncode == 0
    site = next((project / ".venv" / "lib").glob("python*/site-packages"))
    (site / "a_game_of_others").mkdir()
    first = start(project, "host")
    assert (first.returncode, first.stdout) == (0, "started with host narrow wide\n")
    assert "installing 2 packages of net.lock" in first.stderr
    assert (site / "a_game_of_others").exists()
    second = start(project, "host")
    assert (second.stdout, second.stderr) == ("started with host narrow wide\n", "")


def test_a_network_that_was_installed_is_kept_up_to_date(project: Path, mark: Path) -> None:
    assert start(project, "host").stdout == "started with host narrow wide\n"
    lock = project / "requirements" / "net.lock"
    whole = lock.read_text()
    lock.write_text("".join(line for line in whole.splitlines(True) if "wide" not in line))
    done = start(project)
    assert done.stdout == "started with narrow\n", done.stderr
    assert mark.exists()
    lock.write_text(whole)
    assert start(project, "host").stdout == "started with host narrow wide\n"


def test_what_the_network_needs_and_cannot_be_had_leaves_the_rest_alone(project: Path) -> None:
    shutil.rmtree(project / ".venv")
    assert start(project).returncode == 0
    away = project.parent / "away"
    (project.parent / "wheels").rename(away)
    site = next((project / ".venv" / "lib").glob("python*/site-packages"))
    failed = start(project, "host")
    away.rename(project.parent / "wheels")
    assert failed.returncode == 1
    assert "set-up failed" in failed.stderr
    # As if it had been stopped in the middle.
    (site / "half").mkdir()
    assert start(project, "still").stdout == "started with still narrow\n"
    assert start(project, "host").stdout == "started with host narrow wide\n"
    assert not (site / "half").exists()


def test_where_uv_does_not_succeed_pip_goes_on(project: Path, tmp_path: Path) -> None:
    uv = tmp_path / "uv"
    uv.write_text('#!/bin/sh\necho uv was asked for: "$@"\nexit 1\n')
    uv.chmod(0o755)
    shutil.rmtree(project / ".venv")
    with_uv = environment(project.parent / "wheels") | {
        "NODEALER_UV": "",
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        command(project), env=with_uv, capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "started with narrow\n", done.stderr
    assert "uv did not succeed" in done.stderr
    log = (project / ".venv" / "setup.log").read_text()
    assert "uv was asked for: pip install --no-deps" in log
    assert "--require-hashes" in log


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


def test_packages_go_where_the_environment_has_them_whichever_python_sets_up(
    tmp_path: Path,
) -> None:
    site = tmp_path / ".venv" / "lib" / "python3.99" / "site-packages"
    site.mkdir(parents=True)
    (tmp_path / ".venv" / "bin").mkdir()
    package = tmp_path / "src" / "nodealer"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "1"\n')
    set_up.put_in_place(Environment(tmp_path))
    assert (site / "nodealer.pth").read_text() == f"{tmp_path / 'src'}\n"


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
