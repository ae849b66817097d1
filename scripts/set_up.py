"""Builds `.venv`: the Python environment that nodealer and its checks run in.

`scripts/bootstrap.sh` runs this file, with any Python from 3.11 on, when the stamp of the last
set-up does not fit any more. It uses the standard library alone, because nothing else is there yet.

What it does, and why so:

* Exact versions with hashes come from `requirements/*.lock`, installed by plain pip, so that the
  user's own pip configuration (a mirror, a proxy, a certificate) stays in effect.
* The locks are complete, so pip resolves nothing (`--no-deps`). That also lets them hold a version
  that a package's own metadata would not allow; `[tool.uv]` in `pyproject.toml` says which.
* Packages without a wheel, and the project itself, are built by the build tools of `build.lock`
  rather than in an isolated environment, which pip would fill with versions nobody has locked.
* A stamp is written last. Where it is missing or does not fit, set-up was interrupted or is out of
  date, and the next start sees to it.
* The lock against two set-ups at once is one that the kernel drops with its process: it cannot
  become stale.

The stamp is a copy of all that decides the contents of the environment. If the locks or the
interpreter changed, the environment is made anew, so that it never holds leftovers; if only
`pyproject.toml` changed, only the project is installed again.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SETS = {"run": ("run",), "test": ("run", "test")}
"""Each set of packages, and the locks that it consists of, smallest first."""

PIP_INSTALL = (
    "-m",
    "pip",
    "install",
    "--no-input",
    "--disable-pip-version-check",
    "--no-deps",
    "--no-build-isolation",
    "--use-pep517",
)

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

    def stamp(self, lock: str) -> Path:
        """Where the stamp of one lock is kept."""
        return self.path / f"stamp-{lock}"

    def packages_text(self, lock: str) -> bytes:
        """What decides which packages are there: place, interpreter and locks."""
        locks = self.root / "requirements"
        parts = (self.path / "pyvenv.cfg", locks / "build.lock", locks / f"{lock}.lock")
        return b"root %s\n" % os.fsencode(self.root) + b"".join(p.read_bytes() for p in parts)

    def stamp_text(self, lock: str) -> bytes:
        """What decides everything; `stamp_text` of `bootstrap.sh` prints the very same bytes."""
        return self.packages_text(lock) + (self.root / "pyproject.toml").read_bytes()

    def has_packages(self, lock: str) -> bool:
        """Tell whether the packages of `lock` are installed, exactly as locked."""
        try:
            return self._runs() and self.stamp(lock).read_bytes().startswith(
                self.packages_text(lock)
            )
        except FileNotFoundError:
            return False

    def is_current(self, lock: str) -> bool:
        """Tell whether nothing is left to do for `lock`."""
        return self.has_packages(lock) and self.stamp(lock).read_bytes() == self.stamp_text(lock)

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


def set_up(environment: Environment, name: str) -> None:
    """Make `environment` have the set `name`, doing no more than is missing."""
    locks = SETS[name]
    with exclusive(environment.root):
        if environment.is_current(locks[-1]):
            return  # another start has done it while this one waited
        started = time.monotonic()
        if not environment.has_packages("run"):
            create(environment)
            install(environment, "build")
        for lock in locks:
            if not environment.has_packages(lock):
                install(environment, lock)
                environment.stamp(lock).write_bytes(environment.packages_text(lock))
        say("installing nodealer itself")
        pip(environment, "--editable", str(environment.root))
        for lock in locks:
            environment.stamp(lock).write_bytes(environment.stamp_text(lock))
        say(f"ready after {time.monotonic() - started:.0f} s")


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
    say(f"setting up {environment.path} (takes about half a minute, this once)")
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
    run(environment, [str(base_python()), "-I", "-m", "venv", str(environment.path)])


def install(environment: Environment, lock: str) -> None:
    """Install the packages of a lock."""
    path = environment.root / "requirements" / f"{lock}.lock"
    total = len(re.findall(r"^[a-z0-9].*==", path.read_text(), re.MULTILINE))
    fetched = 0

    def show(line: str) -> None:
        nonlocal fetched
        fetched += line.startswith("Collecting ")
        if sys.stderr.isatty():
            print(f"\rnodealer: fetching {fetched} of {total} packages", end="", file=sys.stderr)

    say(f"installing {total} packages of {path.name}")
    try:
        pip(environment, "--require-hashes", "--requirement", str(path), show=show)
    finally:
        if fetched and sys.stderr.isatty():
            print(file=sys.stderr)


def pip(
    environment: Environment, *arguments: str, show: Callable[[str], None] | None = None
) -> None:
    """Run `pip install` inside the environment."""
    # -I: packages that PYTHONPATH or the user's own directory offer are not in the environment.
    run(environment, [str(environment.python), "-I", *PIP_INSTALL, *arguments], show=show)


def run(
    environment: Environment,
    command: Sequence[str],
    show: Callable[[str], None] | None = None,
) -> None:
    """Run `command`, its output in the log; show the end of that and advice if it fails."""
    # A pip configured for --user installs would refuse to install into an environment.
    variables = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "PYTHONHOME"}}
    variables["PIP_USER"] = "0"
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
    if len(arguments) != 1 or arguments[0] not in SETS:
        say(f"usage: set_up.py {'|'.join(SETS)}")
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
