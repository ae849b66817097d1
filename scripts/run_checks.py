"""Runs the project's checks, two at a time, and says which of them hold.

`./scripts/test` starts this file in an environment that has the tools. The checks are data, the
table `CHECKS`; to add one is to add a row. They begin in the order of the table, quick ones first,
and a failure does not stop the rest. Two run at a time: while one waits, the other works.
Each prints one line, with the time it took and the time that processors worked for it; what a
failed check wrote follows its line, and everything that any check wrote is kept in `.checks/`.

What a check needs and cannot have (a tool, the root user) makes it be left out, with a word on how
to get it. With `CI=true` that is a failure: there, a check that nobody notices missing is lost.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import TemporaryFile

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".checks"

LINES_SHOWN_MAX = 200
"""Of a failed check's output; the end says most, and the log has it all."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a check cannot do without (a tool, the root user), and how to get it."""

    name: str
    is_there: Callable[[], bool]
    advice: str


@dataclass(frozen=True, slots=True)
class Check:
    """A command whose exit code 0 means that something holds."""

    name: str
    shows: str
    command: tuple[str, ...]
    full_command: tuple[str, ...] | None = None
    needs: tuple[Need, ...] = ()
    verdict: Callable[[str], str] = lambda _: ""
    """Looks at the output of a command that succeeded; an answer that is not empty says what is
    wrong with it."""


class Result(Enum):
    """How a check ended, as its line says it."""

    OK = "ok"
    FAILED = "FAILED"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Spent:
    """Time: on the clock, and of processors, which says more where others work beside."""

    seconds: float
    processor_seconds: float

    @staticmethod
    def since(started: float, used: resource.struct_rusage) -> Spent:
        """Return what was spent since then by programs that have used this much."""
        return Spent(time.monotonic() - started, used.ru_utime + used.ru_stime)

    def __str__(self) -> str:
        return f"{self.seconds:6.1f} s {self.processor_seconds:6.1f} s cpu"


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a check: what is wrong, if anything, what it wrote, and the time it took."""

    failure: str
    output: str
    spent: Spent


def module(name: str) -> Need:
    """Return the need of an importable module."""
    return Need(
        name,
        lambda: importlib.util.find_spec(name) is not None,
        "start the checks with ./scripts/test, which installs it",
    )


def program(name: str, advice: str) -> Need:
    """Return the need of a program on the PATH."""
    return Need(name, lambda: shutil.which(name) is not None, advice)


def of_debian(name: str) -> Need:
    """Return the need of a program that a package of Debian brings, as the one list has it."""
    lines = (ROOT / "requirements" / "debian.txt").read_text(encoding="utf-8").splitlines()
    packages = dict(line.split() for line in lines if not line.startswith("#"))
    return program(name, f"as root: ./scripts/set_up_checks, or apt-get install {packages[name]}")


def wants_one_json_document(output: str) -> str:
    """Judge output that programs read."""
    try:
        json.loads(output)
    except ValueError as error:
        return f"standard output is not one JSON document: {error}"
    return ""


PYTHON = (sys.executable, "-P")

SHELL_SCRIPTS = tuple(
    f"scripts/{name}"
    for name in ("nodealer", "test", "lock", "bootstrap.sh", "release", "set_up_checks")
)

QUICK_TESTS = ("tests/tidy", "tests/cli", "tests/scripts")
"""Tests that say soon whether the outside of the project is in order."""

SPECTATOR_TESTS = "tests/js"
"""Tests that need what npm installs."""

BROWSER_TESTS = (
    "tests/page/cards",
    "tests/page/home",
    "tests/page/table",
    "tests/page/test_in_browser.py",
    "tests/page/test_picture.py",
)
"""Tests that look at a page in the browser of the system."""

UNWATCHED = tuple(
    line
    for line in (ROOT / "tests" / "unwatched.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
"""Tests that are run without watching which lines they reach; the file says which, and why."""

UNWATCHED_FILES = tuple(dict.fromkeys(line.partition("::")[0] for line in UNWATCHED))

WHOLLY_UNWATCHED = tuple(line for line in UNWATCHED if "::" not in line)

TESTS_ELSEWHERE = (*QUICK_TESTS, SPECTATOR_TESTS, *BROWSER_TESTS, *WHOLLY_UNWATCHED)
"""Tests that checks of their own run."""

BESIDE = 2
"""So many checks run at once: while one of them waits, or comes to its end, the other goes on."""

WORKERS = max(os.cpu_count() or 1, 2)
"""Of each check. A worker more would collect all tests once more, and find nothing idle."""

# A worker takes tests that stand together, so what they share is made once; then it takes from
# whoever has more to do.
PYTEST = (*PYTHON, "-m", "pytest", "-q", f"--numprocesses={WORKERS}", "--dist=worksteal")

SYSTEM = tuple(of_debian(name) for name in ("git", "mount", "unshare"))
"""What tests use of the system: histories, disks and networks of their own."""

CHECKS = (
    Check(
        "lint",
        "the code follows the rules of ruff",
        (*PYTHON, "-m", "ruff", "check"),
        needs=(module("ruff"),),
    ),
    Check(
        "format",
        "the code is laid out as ruff does it",
        (*PYTHON, "-m", "ruff", "format", "--check"),
        needs=(module("ruff"),),
    ),
    Check(
        "shell",
        "the shell scripts can be read by a POSIX shell",
        ("sh", "-c", 'for script; do sh -n "$script" || exit; done', "sh", *SHELL_SCRIPTS),
    ),
    Check(
        "types",
        "mypy finds no mistake",
        (*PYTHON, "-m", "mypy"),
        needs=(module("mypy"),),
    ),
    Check(
        "imports",
        "the layers import only what they may",
        # Its command is the one way to start it that is documented.
        ("lint-imports", "--no-cache"),
        needs=(program("lint-imports", "start the checks with ./scripts/test"),),
    ),
    Check(
        "collect",
        "all tests can be collected",
        # The checks behind find the tests compiled, which each of their processes would do else.
        (*PYTHON, "-m", "pytest", "-qq", "--collect-only"),
        needs=(module("pytest"),),
    ),
    Check(
        "vectors",
        "the test vectors are what the code generates",
        (*PYTHON, "scripts/gen_vectors.py", "--check"),
    ),
    Check(
        "bench",
        "the benchmark runs and answers in JSON",
        (*PYTHON, "-m", "nodealer", "bench", "deck", "--cards", "10", "--seats", "2", "--json"),
        verdict=wants_one_json_document,
    ),
    Check(
        "outside",
        "tests of style, command line and set-up",
        (*PYTEST, *QUICK_TESTS),
        needs=(module("pytest"), module("xdist"), *SYSTEM),
    ),
    Check(
        "spectator",
        "a node of js-libp2p follows a game to its close, and the page's scripts have right types",
        (*PYTEST, SPECTATOR_TESTS),
        needs=(
            module("pytest"),
            of_debian("npm"),  # the version of Node that runs is fetched by npm
        ),
    ),
    Check(
        "browser",
        "what people see in a real browser",
        (*PYTEST, *BROWSER_TESTS),
        needs=(module("pytest"), module("playwright"), of_debian("chromium")),
    ),
    Check(
        "deep",
        "tests of searches, fleets and whole games",
        (*PYTEST, "--watched=no", *UNWATCHED_FILES),
        needs=(module("pytest"), module("xdist"), *SYSTEM),
    ),
    Check(
        "tests",
        "all other tests, with every branch of the core reached",
        (*PYTEST, "--watched=yes", *(f"--ignore={path}" for path in TESTS_ELSEWHERE), "--cov"),
        needs=(
            module("pytest"),
            module("xdist"),
            module("pytest_cov"),
            of_debian("node"),
            *SYSTEM,
        ),
    ),
    Check(
        "plants",
        "flaws that are planted on purpose are noticed",
        (*PYTHON, "scripts/plant_flaws.py", "--sample", f"--jobs={WORKERS}"),
        full_command=(*PYTHON, "scripts/plant_flaws.py", "--full", f"--jobs={WORKERS}"),
        needs=(module("pytest"), of_debian("chromium")),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks that `arguments` select."""
    # A shell that starts this behind its back has Ctrl-C ignored; programs under test must hear it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # checks quote anything
    selected = [check for check in CHECKS if not args.names or check.name in args.names]
    if args.list:
        for check in selected:
            print(f"{check.name:<9} {check.shows}")
        return 0
    started = time.monotonic()
    results = list(run(selected, full=args.full))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"in all{'':<12}{Spent.since(started, used)}")
    return report(results)


def run(checks: Sequence[Check], *, full: bool) -> Iterator[Result]:
    """Run checks, so many at once, and print their lines in order."""
    with ThreadPoolExecutor(BESIDE) as pool:
        begun = [(check, pool.submit(_execute, check, full=full)) for check in checks]
        try:
            for check, ending in begun:
                # The line appears at once, so that who waits sees for what.
                print(f"{check.name:<9} ", end="", flush=True)
                yield _told(check, ending.result())
        finally:  # who interrupts it wants no more of them
            pool.shutdown(wait=False, cancel_futures=True)


def _told(check: Check, done: Done | tuple[Need, ...]) -> Result:
    """Print the rest of a check's line, and what it wrote if it failed."""
    if not isinstance(done, Done):
        return _leave_out(done)
    result = Result.FAILED if done.failure else Result.OK
    said = done.failure or closing_line(done.output)
    print(f"{result.value:<8}{done.spent}  {said}".rstrip(), flush=True)
    if done.failure:
        print("\n".join(f"  | {line}" for line in done.output.splitlines()[-LINES_SHOWN_MAX:]))
        print(f"  the whole output: {LOGS.name}/{check.name}.log", flush=True)
    return result


def report(results: Sequence[Result]) -> int:
    """Print the summary and return the exit code."""
    counts = {result: results.count(result) for result in Result}
    print(", ".join(f"{count} {result.value}" for result, count in counts.items() if count))
    return 1 if counts[Result.FAILED] else 0


def closing_line(output: str) -> str:
    """Return the line in which pytest counts; other checks have nothing to add to their result."""
    lines = output.splitlines()
    return next(
        (x.strip("= ") for x in reversed(lines) if re.search(r"\d+ (passed|tests collected)", x)),
        "",
    )


def _leave_out(missing: Sequence[Need]) -> Result:
    result = Result.FAILED if os.environ.get("CI") == "true" else Result.LEFT_OUT
    for need in missing:
        print(f"{result.value:<8}  needs {need.name}: {need.advice}", flush=True)
    return result


def _execute(check: Check, *, full: bool) -> Done | tuple[Need, ...]:
    """Run the command of a check; return how it ended, or what it lacks."""
    missing = tuple(need for need in check.needs if not need.is_there())
    if missing:
        return missing
    command = check.full_command if full and check.full_command else check.command
    environment = os.environ | {
        "NODEALER_TEST_PROFILE": "full" if full else "ci",
        # Sets in the same order in every process: workers must collect the same tests.
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",  # the sources are UTF-8, whatever the machine's locale is
    }
    # Hundreds of programs are started: to compile everything for each would be most of their work.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    LOGS.mkdir(exist_ok=True)
    log, started = LOGS / f"{check.name}.log", time.monotonic()
    with log.open("wb") as output, TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=output, stderr=complaints
            )
        except OSError as error:
            return Done(f"{command[0]} does not start: {error}", "", Spent(0, 0))
        # What this one has used, and not what others have that run beside it.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        spent = Spent.since(started, used)
        said = log.read_text(encoding="utf-8", errors="replace")
        complaints.seek(0)
        output.write(complaints.read())
    whole = log.read_text(encoding="utf-8", errors="replace")
    failure = f"exit code {process.returncode}" if process.returncode else check.verdict(said)
    return Done(failure, whole, spent)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./scripts/test",
        description="Runs the checks of the project; CI runs the same.",
        epilog="Exit codes: 0 all that ran is well, 1 something failed, 2 usage.",
        allow_abbrev=False,
    )
    names = [check.name for check in CHECKS]
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        # With choices, argparse before 3.12 would refuse an empty list.
        type=_one_of(names),
        help=f"run only these: {', '.join(names)}",
    )
    parser.add_argument("--full", action="store_true", help="full sizes instead of a fixed sample")
    parser.add_argument("--list", action="store_true", help="say what there is, and run nothing")
    return parser


def _one_of(names: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"there is no check {text!r} (see --list)")
        return text

    return read


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
