"""Plants flaws on purpose and requires that the tests notice each of them.

A test that nothing can turn red shows nothing. For every known attack on a deck of this kind, and
for every design that was found broken elsewhere, this program makes a copy of the project in which
our code has the very flaw, and runs the tests that are named for it. They must fail there, and pass
on a copy without any flaw.

The flaws are data, the files `scripts/flaws/*.toml`. A flaw is a name, the attack that it opens,
one or more patches, and tests. A patch replaces a snippet that must occur exactly once in its file,
or appends lines to the file; when the code has moved on, that fails loudly, whichever flaws are to
be planted, and somebody rewrites the patch. The flaws of one kind are made here: every equation of
every relation, left out.

A flaw counts as noticed if each of its tests ran and failed. Tests that cannot even be collected,
or that hang, are no verdict.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FLAWS = ROOT / "scripts" / "flaws"

COPIED = ("src", "tests", "specs", "scripts", "requirements", "pyproject.toml")

SECONDS_MAX = 120
"""The named tests take a second or two; a planted flaw may make one of them run for ever."""

SEEN_CHARACTERS_MAX = 90
"""Of the line in which the first failing test says what it saw."""

LINES_SHOWN_MAX = 40
"""Of the output of tests that did not do what they should."""

EQUATIONS = {
    # The shape of each relation in tests/attacks/test_equations.py, and its number of equations.
    "key": 1,
    "share": 2,
    "seal": 3,
    "handover": 3,
    "exchange": 2,
    "face": 2,
    "absent": 2,
    "view_face": 3,
    "view_face_of_a_guest": 2,
    "equal": 4,
    "not_equal": 4,
}

EQUATION_TEST = "tests/attacks/test_equations.py::test_a_lie_that_breaks_one_equation_is_refused"

WITHOUT_EQUATION = """

_whole_{relation} = {relation}


def {relation}(*arguments: object) -> Statement:
    whole = _whole_{relation}(*arguments)
    left = [e for index, e in enumerate(whole.equations) if index != {index}]
    return Statement(whole.witnesses, tuple(left))
"""


class UnusableError(Exception):
    """A flaw cannot be planted as it is described."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A change of one file: `new` in the place of `old`, or at the end if there is no `old`."""

    file: str
    old: str
    new: str

    def changed(self, root: Path) -> str:
        """Return what the file below `root` would be, or raise `UnusableError`."""
        text = (root / self.file).read_text(encoding="utf-8")
        if not self.old:
            return text + self.new
        if text.count(self.old) != 1:
            raise UnusableError(f"{self.file} holds {text.count(self.old)} times: {self.old!r}")
        return text.replace(self.old, self.new)

    def apply(self, root: Path) -> None:
        """Change the file below `root`."""
        path, text = root / self.file, self.changed(root)
        path.unlink()  # it is the file of all other copies too
        path.write_text(text, encoding="utf-8")
        # Compiled forms are told apart by seconds and size only.
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw, the attack that it opens, how it is planted, and the tests that must notice."""

    name: str
    opens: str
    patches: tuple[Patch, ...]
    tests: tuple[str, ...]
    in_sample: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a flaw was noticed and how, or what happened instead."""

    flaw: Flaw
    missed: str = ""
    output: str = ""
    seen_as: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant what `arguments` select; return 1 if any flaw is not noticed."""
    flaws = read_flaws()
    args = _parser().parse_args(arguments)
    unknown = set(args.names) - {flaw.name for flaw in flaws}
    if unknown:
        print(f"there is no flaw {', '.join(sorted(unknown))} (see --list)", file=sys.stderr)
        return 2
    chosen = [flaw for flaw in flaws if flaw.name in args.names]
    if not chosen:
        chosen = [flaw for flaw in flaws if args.full or flaw.in_sample]
    if args.list:
        for flaw in chosen:
            print(f"{flaw.name:<42} {flaw.opens}")
        return 0
    if loose := [word for flaw in flaws for word in _loose_ends(flaw)]:
        print(
            "flaws that cannot be planted any more, because the code has moved on:",
            *loose,
            sep="\n",
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="flaws-") as place:
        return run(chosen, Path(place), args.jobs)


def _loose_ends(flaw: Flaw) -> Iterator[str]:
    """Return which patches of a flaw have lost their place in the code."""
    for patch in flaw.patches:
        try:
            patch.changed(ROOT)
        except UnusableError as error:
            yield f"  {flaw.name}: {error}"


def run(flaws: Sequence[Flaw], place: Path, jobs: int) -> int:
    """Plant the flaws below `place`, each in a copy of its own, and print what became of them."""
    sound = place / "sound"
    copy_project(ROOT, sound)
    code, output = run_tests(sound, sorted({test for flaw in flaws for test in flaw.tests}))
    if code != 0:
        print("without any flaw the tests do not pass:")
        print(_end_of(output))
        return 1
    missed = 0
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for verdict in pool.map(lambda flaw: judge(flaw, sound, place / flaw.name), flaws):
            if verdict.missed:
                missed += 1
                print(f"MISSED   {verdict.flaw.name:<36} {verdict.missed}")
                print(_end_of(verdict.output), flush=True)
            else:
                print(f"noticed  {verdict.flaw.name:<36} {verdict.seen_as}", flush=True)
    print(f"{len(flaws) - missed} of {len(flaws)} flaws were noticed")
    return 1 if missed else 0


def judge(flaw: Flaw, sound: Path, place: Path) -> Verdict:
    """Plant one flaw in a fresh copy at `place` and see whether its tests notice."""
    copy_project(sound, place, os.link)
    try:
        for patch in flaw.patches:
            patch.apply(place)
        code, output = run_tests(place, flaw.tests)
    except UnusableError as error:
        return Verdict(flaw, f"cannot be planted: {error}")
    except subprocess.TimeoutExpired:
        return Verdict(flaw, f"no verdict: the tests run for more than {SECONDS_MAX} s")
    finally:
        shutil.rmtree(place)
    if code == 0:
        return Verdict(flaw, "the tests are green")
    failed, broken = _marked(output, "FAILED "), _marked(output, "ERROR ")
    if code != 1 or broken or not failed:
        return Verdict(flaw, f"no verdict: exit code {code}, {len(broken)} errors", output)
    green = [test for test in flaw.tests if not any(_is_of(line, test) for line in failed)]
    if green:
        return Verdict(flaw, f"green: {', '.join(green)}", output)
    # What several tasks have raised together is told without that mark.
    seen = _marked(output, "E   ") or failed
    return Verdict(flaw, seen_as=seen[0].strip()[:SEEN_CHARACTERS_MAX])


def run_tests(root: Path, tests: Iterable[str]) -> tuple[int, str]:
    """Run tests of the project at `root`; return the exit code of pytest and its output."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root))),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "NODEALER_TEST_PROFILE": "ci",
    }
    options = ("-q", "-p", "no:cacheprovider", "--tb=short", "-rfE")
    done = subprocess.run(
        (sys.executable, "-P", "-m", "pytest", *options, *tests),
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS_MAX,
        check=False,
    )
    return done.returncode, done.stdout


def copy_project(
    source: Path, target: Path, copy: Callable[[str, str], object] = shutil.copy2
) -> None:
    """Copy what tests need. Times of files are kept, so that compiled forms stay valid."""
    target.mkdir()
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, copy_function=copy)
        else:
            copy(str(source / name), str(target / name))


def read_flaws() -> list[Flaw]:
    """Return all flaws: those of the files, then those that are made."""
    read = [
        _flaw(row)
        for path in sorted(FLAWS.glob("*.toml"))
        for row in tomllib.loads(path.read_text(encoding="utf-8"))["flaw"]
    ]
    flaws = [*read, *_equations_left_out()]
    names = [flaw.name for flaw in flaws]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise UnusableError(f"two flaws are called {', '.join(doubled)}")
    return flaws


def _flaw(row: dict[str, Any]) -> Flaw:
    """Return the flaw of one table of a file; a single patch may stand in the table itself."""
    patches = row.get("patch", [row])
    return Flaw(
        name=row["name"],
        opens=row["opens"],
        patches=tuple(Patch(patch["file"], patch["old"], patch["new"]) for patch in patches),
        tests=tuple(row["tests"]),
        in_sample=row.get("sample", False),
    )


def _equations_left_out() -> list[Flaw]:
    made = []
    for shape, count in EQUATIONS.items():
        relation = shape.removesuffix("_of_a_guest")
        for index in range(count):
            lines = WITHOUT_EQUATION.format(relation=relation, index=index)
            made.append(
                Flaw(
                    name=f"equation-{shape}-{index}".replace("_", "-"),
                    opens=f"relation {relation} without its equation {index}",
                    patches=(Patch("src/nodealer/crypto/relations.py", "", lines),),
                    tests=(f"{EQUATION_TEST}[{shape}-{index}]",),
                    in_sample=(shape, index) == ("handover", 1),
                )
            )
    return made


def _marked(output: str, mark: str) -> list[str]:
    """Return what stands behind a mark at the beginning of lines of pytest's output."""
    return [line.removeprefix(mark) for line in output.splitlines() if line.startswith(mark)]


def _is_of(line: str, test: str) -> bool:
    """Say whether a line of the summary is about a test or, if it has cases, about one of them."""
    return line == test or line.startswith((f"{test}[", f"{test} "))


def _end_of(output: str) -> str:
    return "\n".join(f"  | {line}" for line in output.splitlines()[-LINES_SHOWN_MAX:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/plant_flaws.py",
        description="Plants flaws on purpose and requires that tests notice. Without arguments: "
        "a fixed sample.",
        epilog="Exit codes: 0 all were noticed, 1 one was not, 2 usage.",
        allow_abbrev=False,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="plant only these")
    parser.add_argument("--sample", action="store_true", help="plant a fixed sample (the default)")
    parser.add_argument("--full", action="store_true", help="plant all")
    parser.add_argument("--list", action="store_true", help="say what there is, and plant nothing")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="plant N at a time")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
