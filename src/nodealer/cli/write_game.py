"""Writes the skeleton of a game package: a small game that works, under another name.

The files come from templates beside this module, in `skeleton/`. What they make for the name
`high-card` lies in the project as its sample game, and is tested there like all code; so what is
written here works for everybody.

Nothing is ever overwritten: the directory is made new, and if not everything can be written it is
taken away again.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Final

from nodealer.cli.new_game import module_name
from nodealer.cli.output import complain, emit_text
from nodealer.games import registry
from nodealer.kernel import LocalError, Reason

FILES: Final = MappingProxyType(
    {
        "README.md": "README.md.template",
        "pyproject.toml": "pyproject.toml.template",
        "src/{module}/__init__.py": "init.py.template",
        "src/{module}/page.md": "page.md.template",
        "src/{module}/rules.py": "rules.py.template",
        "tests/test_rules.py": "test_rules.py.template",
    }
)
"""Each file of the skeleton, and its template."""


def run(args: argparse.Namespace) -> int:
    """Write the skeleton, and say what to do with it."""
    name: str = args.name
    if name in registry.game_ids():
        raise _refused(f"there is a game {name!r} already")
    if find_spec(module_name(name)) is not None:
        raise _refused(f"a module {module_name(name)!r} is installed already; choose another name")
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


def _refused(detail: str) -> LocalError:
    return LocalError(Reason.LOCAL_ARGUMENT, detail)
