"""`nodealer new-game`: begins a package with a game of one's own, a small one that works.

The files come from templates beside this module, in `skeleton/`. What they make for the name
`high-card` lies in the project as its sample game, and is tested there like all code; so what is
written here works for everybody.

Nothing is ever overwritten: the directory is made new, and if not everything can be written it is
taken away again.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from nodealer.cli.parsers import Commands, add_command

NAME_LETTERS_MAX = 40

FILES = {
    "README.md": "README.md.template",
    "pyproject.toml": "pyproject.toml.template",
    "src/{module}/__init__.py": "init.py.template",
    "src/{module}/page.md": "page.md.template",
    "src/{module}/rules.py": "rules.py.template",
    "tests/playthroughs/two_seats.txt": "two_seats.txt.template",
    "tests/test_rules.py": "test_rules.py.template",
}
"""Each file of the skeleton, and its template."""

DESCRIPTION = """\
Writes a package with a small game that works, to be changed into another.

examples:
  nodealer new-game high-card
  nodealer new-game high-card --into games

The directory NAME must not exist yet. It gets the rules, their page for players, tests and
what nodealer needs to find the game once the package is installed.
"""


def register(commands: Commands) -> None:
    """Describe `new-game`."""
    new_game = add_command(
        commands, "new-game", "begin a package with a game of your own", DESCRIPTION
    )
    new_game.add_argument(
        "name",
        type=game_name,
        metavar="NAME",
        help="the id of the game: small letters, digits and -, such as high-card",
    )
    new_game.add_argument(
        "--into",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="where to make the directory NAME (default: here)",
    )


def game_name(text: str) -> str:
    """Return a name from which the names of a game, a module and a package can be made."""
    if len(text) > NAME_LETTERS_MAX or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", text):
        raise argparse.ArgumentTypeError(
            f"{text[:NAME_LETTERS_MAX]!r} is not a name of small letters, digits and single -,"
            f" with a letter first and at most {NAME_LETTERS_MAX} long"
        )
    module = module_name(text)
    if keyword.iskeyword(module) or module in sys.stdlib_module_names:
        raise argparse.ArgumentTypeError(f"{text!r} is a word of Python's own; choose another")
    return text


def module_name(name: str) -> str:
    """Return the name of the module of a game."""
    return name.replace("-", "_")


def run(args: argparse.Namespace) -> int:
    """Write the skeleton, and say what to do with it."""
    from importlib.util import find_spec

    from nodealer.cli.output import emit_text
    from nodealer.games import registry
    from nodealer.kernel import LocalError, Reason

    name: str = args.name
    if name in registry.game_ids():
        raise LocalError(Reason.LOCAL_ARGUMENT, f"there is a game {name!r} already")
    if find_spec(module_name(name)) is not None:
        detail = f"a module {module_name(name)!r} is installed already; choose another name"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    place = args.into / name
    if not _write(place, skeleton(name)):
        return 1
    emit_text(
        f"{place} has a game that works. To install it, test it and read its rules:\n\n"
        f"{_next_commands(place, name)}\n\n"
        f"Then change it: {place / 'README.md'} says where to begin."
    )
    return 0


def skeleton(name: str) -> Mapping[str, str]:
    """Return the files of a game of this name, by their path."""
    from importlib.resources import files
    from string import Template

    templates = files("nodealer.cli").joinpath("skeleton")
    module = module_name(name)
    words = {"name": name, "module": module, "title": name.replace("-", " ").capitalize()}
    return {
        path.format(module=module): Template(
            templates.joinpath(template).read_text(encoding="utf-8")
        ).substitute(words)
        for path, template in FILES.items()
    }


def _write(place: Path, texts: Mapping[str, str]) -> bool:
    """Write all or nothing; what went wrong is told, and the answer is False."""
    import shutil

    from nodealer.cli.output import complain

    try:
        place.mkdir()
    except FileExistsError:
        complain(f"{place} exists already, and nothing in it was changed.", "Choose another name.")
        return False
    except OSError as error:
        complain(f"{place} cannot be made: {error.strerror}.")
        return False
    try:
        for path, text in texts.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        shutil.rmtree(place, ignore_errors=True)
        complain(f"{place} cannot be written: {error.strerror}. Nothing is left of it.")
        return False
    return True


def _next_commands(place: Path, name: str) -> str:
    import shlex
    from importlib.util import find_spec

    python = shlex.quote(sys.executable)
    # What builds packages is there where nodealer was set up by its scripts: then no network is
    # needed. Elsewhere pip fetches it. What tests them is there after the project's own tests.
    offline = "--no-build-isolation --no-deps " if find_spec("hatchling") else ""
    commands = [
        f"{python} -m pip install {offline}--editable {shlex.quote(str(place))}",
        *([] if find_spec("pytest") else [f"{python} -m pip install pytest"]),
        f"{python} -m pytest {shlex.quote(str(place))}",
        f"{python} -m nodealer rules {name}",
    ]
    return "\n".join(f"  {command}" for command in commands)
