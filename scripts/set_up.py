"""Builds `.venv`: the Python environment that nodealer and its checks run in.

`scripts/bootstrap.sh` runs this file, with any Python from 3.11 on, when the stamp of the last
set-up does not fit any more. It uses the standard library alone, because nothing else is there yet.

What it does, and why so:

* The environment has layers: what play against bots, simulate and verify need (`core`), what tables
  among machines need beside that (`net`), the tools of the checks (`test`). Each is installed when
  it is first needed, on those below it. Whatever stops or fails meanwhile leaves those as they are;
  the next attempt takes away first what came after them.
* Exact versions with hashes come from `requirements/*.lock`. uv installs them where it is there,
  else pip, and pip also where uv does not succeed: its configuration (a mirror, a proxy, a
  certificate) may be the only one that works here. pip comes out of the wheel that Python has of
  it, in an instant, where `ensurepip` takes four seconds.
* The locks are complete, so nothing is resolved (`--no-deps`). That also lets them hold a version
  that a package's own metadata would not allow; `[tool.uv]` in `pyproject.toml` says which.
* Packages without a wheel are built by the build tools of `build.lock` rather than in an isolated
  environment, which would be filled with versions that nobody has locked. The project itself needs
  no building: a path file and a few lines of metadata are all that an installation of it is.
* Nothing is compiled ahead: what is imported is, once, and most of what is there never is.
* A stamp of each layer is written last. Where it is missing or does not fit, set-up was interrupted
  or is out of date, and the next start sees to it.
* The lock against two set-ups at once is one that the kernel drops with its process: it cannot
  become stale.

The stamp is a copy of all that decides the contents of a layer. If its lock or that of a layer
below it changed, or the interpreter, the layer is made anew, so that it never holds leftovers; if
only `pyproject.toml` changed, only the project is put in place again.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LOCKS = {"core": ("core",), "net": ("build", "net"), "test": ("test",)}
"""The layers, lowest first, and the locks that each adds; from the second on some packages have no
wheel, and what builds them comes first."""

LAYERS = tuple(LOCKS)

INSTALL = ("install", "--no-deps", "--no-build-isolation", "--require-hashes")

PIP = ("-m", "pip", "--no-input", "--disable-pip-version-check")

LOG_LINES_SHOWN = 15

ADVICE = (
    (
        r"No space left",
        """\
The disk is full: make room and start again.""",
    ),
    (
        r"HASHES|hash",
        """\
What was downloaded is not what requirements/*.lock names. If pip is configured to use a
mirror, that has other files; otherwise start again.""",
    ),
    (
        r"gcc|g\+\+|clang|compiler|cargo|Python\.h",
        """\
A package has no built version for this system and this Python. Python 3.11 to 3.13 have
them for the usual systems; to use one: PYTHON=python3.12 ./scripts/nodealer""",
    ),
    (
        r"Connection|resolve|Retrying|timed out|SSL|No matching distribution",
        """\
pip could not fetch the packages. Is there a network? Behind a proxy, or with a mirror,
configure pip as always (`pip config`): that configuration is used.""",
    ),
)
"""What to try, by what pip's output contains; the first that fits is shown."""


class SetUpError(Exception):
    """Set-up cannot go on; the message says why and what to do."""


class Environment:
    """The `.venv` below a project's root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / ".venv"
        self.python = self.path / "bin" / "python"
        self.log = self.path / "setup.log"

    @property
    def site(self) -> Path:
        """Where its packages are; the Python that was found now may be of another version."""
        return next(self.path.glob("lib/python*/site-packages"))

    def lock(self, layer: str) -> Path:
        """Return where the packages of a layer are named."""
        return self.root / "requirements" / f"{layer}.lock"

    def stamp(self, layer: str) -> Path:
        """Return where the stamp of a layer is kept."""
        return self.path / f"stamp-{layer}"

    def before(self, layer: str) -> Path:
        """Return where is kept what was there before a layer was begun."""
        return self.path / f"before-{layer}"

    def packages_text(self, layer: str) -> bytes:
        """Return what decides which packages are there: place, interpreter and locks."""
        parts = (self.path / "pyvenv.cfg", self.lock("build"), self.lock(layer))
        text = b"".join(path.read_bytes() for path in parts)
        # Without its last line, a lock that has lost its last package would begin like the old one.
        return b"root %s\n%send of the packages\n" % (os.fsencode(self.root), text)

    def stamp_text(self, layer: str) -> bytes:
        """Return what decides everything; `stamp_text` of `bootstrap.sh` prints the same bytes."""
        return self.packages_text(layer) + (self.root / "pyproject.toml").read_bytes()

    def has_packages(self, layer: str) -> bool:
        """Tell whether the packages of a layer are installed, exactly as locked."""
        try:
            return self._runs() and self.stamp(layer).read_bytes().startswith(
                self.packages_text(layer)
            )
        except FileNotFoundError:
            return False

    def is_current(self, layer: str) -> bool:
        """Tell whether nothing is left to do for a layer."""
        return self.has_packages(layer) and self.stamp(layer).read_bytes() == self.stamp_text(layer)

    def _runs(self) -> bool:
        # Who sets PYTHON wants that interpreter, not just any that the environment was made with.
        if not self.python.exists():
            return False
        wanted = f"executable = {base_python()}"
        is_chosen = bool(os.environ.get("PYTHON"))
        return not is_chosen or wanted in (self.path / "pyvenv.cfg").read_text().splitlines()


def base_python() -> Path:
    """Return the real file of the interpreter.

    `/usr/bin/python3` may be another version after an upgrade, and an environment made from that
    name would then look for its packages in the wrong place; the real file is simply gone.
    """
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def set_up(environment: Environment, layer: str) -> None:
    """Make `environment` have a layer and those below it, doing no more than is missing."""
    wanted = LAYERS[: LAYERS.index(layer) + 1]
    with exclusive(environment.root):
        if environment.is_current(layer):
            return  # another start has done it while this one waited
        started = time.monotonic()
        for one in wanted:
            if not environment.has_packages(one):
                add(environment, one)
        put_in_place(environment)
        for one in wanted:
            environment.stamp(one).write_bytes(environment.stamp_text(one))
        say(f"ready after {time.monotonic() - started:.0f} s")
        if layer == LAYERS[0] and shutil.which("nodealer") is None:
            say("to type `nodealer` anywhere: ./scripts/nodealer integrate")


def add(environment: Environment, layer: str) -> None:
    """Install a layer on those below it, and on nothing that an earlier attempt has left."""
    number = LAYERS.index(layer)
    for one in LAYERS[number:]:
        environment.stamp(one).unlink(missing_ok=True)
    for one in LAYERS[number + 1 :]:
        environment.before(one).unlink(missing_ok=True)
    if number:
        take_away(environment, layer)
    else:
        create(environment)
    for lock in LOCKS[layer]:
        install(environment, lock)
    environment.stamp(layer).write_bytes(environment.packages_text(layer))


def take_away(environment: Environment, layer: str) -> None:
    """Take away what has come since a layer was first begun, but not the project."""
    before = environment.before(layer)
    there = [path.name for path in environment.site.iterdir()]
    if not before.exists():
        before.write_text("\n".join(there))
    kept = set(before.read_text().splitlines())
    for name in there:
        path = environment.site / name
        if name not in kept and not name.startswith("nodealer"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def exclusive(root: Path) -> Iterator[None]:
    """Hold the project's lock, waiting for another set-up to end."""
    directory = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another start is setting up; waiting for it")
            fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


def create(environment: Environment) -> None:
    """Make an empty environment with pip in it, whatever was there before."""
    say(f"setting up {environment.path} (this once)")
    try:
        shutil.rmtree(environment.path, ignore_errors=True)
        environment.path.mkdir()
        environment.log.touch()
    except OSError as error:
        raise SetUpError(
            f"cannot write to {environment.root} ({error.strerror}).\n"
            "nodealer keeps what it needs in .venv beside the sources: copy the project to a\n"
            "directory of yours, or let its owner start it once; after that everybody can."
        ) from error
    venv = [str(base_python()), "-I", "-m", "venv", str(environment.path)]
    wheel = pip_wheel()
    if wheel is None and find_uv() is None:
        run(environment, venv)
        return
    run(environment, [*venv, "--without-pip"])
    if wheel is not None:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(environment.site)


def pip_wheel() -> Path | None:
    """Return the wheel of pip that this Python has for `ensurepip`, if it lies where it should."""
    try:
        import ensurepip  # noqa: PLC0415 - some systems deliver Python without it
    except ImportError:
        return None
    elsewhere = sysconfig.get_config_var("WHEEL_PKG_DIR")
    place = Path(elsewhere) if elsewhere else Path(ensurepip.__file__).parent / "_bundled"
    return max(place.glob("pip-*.whl"), default=None)


def find_uv() -> str | None:
    """Return where uv is, if it is there and nobody has said `NODEALER_UV=no`."""
    return None if os.environ.get("NODEALER_UV") == "no" else shutil.which("uv")


def install(environment: Environment, lock: str) -> None:
    """Install the packages of a lock that are not there yet."""
    text = environment.lock(lock).read_text()
    total = len(re.findall(r"^[a-z0-9].*==", text, re.MULTILINE))
    if not total:
        return
    uv = find_uv()
    say(f"installing {total} packages of {lock}.lock with {'uv' if uv else 'pip'}")
    if uv:
        try:
            with_uv(environment, uv, lock)
        except SetUpError:
            if not (environment.site / "pip").exists():
                raise
            say("uv did not succeed (setup.log says why); pip goes on")
        else:
            return
    with_pip(environment, lock, total)


def with_uv(environment: Environment, uv: str, lock: str) -> None:
    """Install all packages of a lock with uv, from where pip would take them."""
    arguments = ["--python", str(environment.python), "-r", str(environment.lock(lock))]
    index = pip_index(environment)
    more = {"UV_DEFAULT_INDEX": index} if index and "UV_DEFAULT_INDEX" not in os.environ else {}
    run(environment, [uv, "pip", *INSTALL, *arguments], more=more)


def pip_index(environment: Environment) -> str:
    """Return the index that pip is configured to use, which uv does not read."""
    if named := os.environ.get("PIP_INDEX_URL"):
        return named
    if not (environment.site / "pip").exists():
        return ""
    command = [str(environment.python), "-I", *PIP, "config", "get", "global.index-url"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return done.stdout.strip()


def with_pip(environment: Environment, lock: str, total: int) -> None:
    """Install all packages of a lock with pip."""
    fetched = 0

    def show(line: str) -> None:
        nonlocal fetched
        fetched += line.startswith("Collecting ")
        if sys.stderr.isatty():
            print(f"\rnodealer: fetching {fetched} of {total} packages", end="", file=sys.stderr)
            sys.stderr.flush()

    # -I: packages that PYTHONPATH or the user's own directory offer are not in the environment.
    command = [str(environment.python), "-I", *PIP, *INSTALL, "--use-pep517", "--no-compile"]
    try:
        run(environment, [*command, "-r", str(environment.lock(lock))], show=show)
    finally:
        if fetched and sys.stderr.isatty():
            print(file=sys.stderr)


def put_in_place(environment: Environment) -> None:
    """Make the project's sources importable, and known to whoever asks what is installed."""
    source = environment.root / "src"
    text = (source / "nodealer" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None, "the package says its version"
    for old in environment.site.glob("nodealer-*.dist-info"):
        shutil.rmtree(old)
    info = environment.site / f"nodealer-{found[1]}.dist-info"
    info.mkdir()
    start = environment.path / "bin" / "nodealer"
    start.write_text(
        f'#!/bin/sh\nexec {shlex.quote(str(environment.python))} -P -m nodealer "$@"\n'
    )
    start.chmod(0o755)
    lines = (
        "Metadata-Version: 2.1",
        "Name: nodealer",
        f"Version: {found[1]}",
        "Provides-Extra: net",
    )
    (info / "METADATA").write_text("\n".join(lines) + "\n")
    (info / "INSTALLER").write_text("scripts/set_up.py\n")
    path = environment.site / "nodealer.pth"
    path.write_text(f"{source}\n", encoding="utf-8")
    files = (path, start, info / "METADATA", info / "INSTALLER", info / "RECORD")
    named = (os.path.relpath(file, environment.site) for file in files)
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in named))


def run(
    environment: Environment,
    command: Sequence[str],
    show: Callable[[str], None] | None = None,
    more: Mapping[str, str] | None = None,
) -> None:
    """Run `command`, its output in the log; show the end of that and advice if it fails."""
    # A pip configured for --user installs would refuse to install into an environment.
    variables = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "PYTHONHOME"}}
    variables |= {"PIP_USER": "0"} | dict(more or {})
    output = []
    with (
        environment.log.open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=variables,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        for line in process.stdout or ():
            log.write(line)
            output.append(line)
            if show:
                show(line)
    if process.returncode:
        raise SetUpError(explain("".join(output), environment.log))


def explain(output: str, log: Path) -> str:
    """Turn the output of a failed command into its last lines and something to try."""
    last = "\n".join(f"  | {line}" for line in output.splitlines()[-LOG_LINES_SHOWN:])
    advice = next((text for pattern, text in ADVICE if re.search(pattern, output)), "")
    return "\n".join(
        part
        for part in (
            "set-up failed; the end of its log:",
            last,
            advice,
            f"The whole log is in {log}; the next start tries again.",
        )
        if part
    )


def say(message: str) -> None:
    """Tell the user something; standard output belongs to the command that comes after."""
    for line in message.splitlines():
        print(f"nodealer: {line}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Set up what the one argument names."""
    if len(arguments) != 1 or arguments[0] not in LAYERS:
        say(f"usage: set_up.py {'|'.join(LAYERS)}")
        return 2
    try:
        set_up(Environment(ROOT), arguments[0])
    except SetUpError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next start goes on with set-up")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
