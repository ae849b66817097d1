"""Names: one word for one thing, and packages that are used through their doors."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from scripts.gen_pages import names_at, types_in
from tests.tidy.project import ROOT

SRC: Final = ROOT / "src"

HOUSE: Final = "nodealer"

ROOMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            *("bot", "cards", "choices", "dealing", "looks", "milestones", "rounds", "rules"),
            *("sentences", "state", "status", "turns"),
        ),
        "each game is furnished alike, and who knows one finds his way in the next",
    ),
    **dict.fromkeys(
        ("messages", "ready", "forms"), "the two protocols, of ledger and lobby, are built alike"
    ),
}
"""Names of modules that may stand in several places, with the reason."""

GAME: Final = re.compile(r"nodealer\.games\.(?!conformance)(\w+)(?=\.|$)")
"""The folder of a game: its `State` and its `Phase` are shown to nobody, so each may have them."""

SIDE_DOORS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("nodealer.node.network", "nodealer.node.examining"),
        "it loads libp2p, which nobody needs who plays with bots or watches a file",
    ),
    **dict.fromkeys(
        ("nodealer.lab.fleet", "nodealer.lab.benches"),
        "it loads what a command that is only described does not need",
    ),
    **dict.fromkeys(
        (
            "nodealer.lab.benches.net_figures",
            "nodealer.lab.benches.page_figures",
        ),
        "it loads libp2p, which other benches do without",
    ),
    **dict.fromkeys(
        (
            "nodealer.lab.siege.attacks",
            "nodealer.lab.siege.field",
            "nodealer.lab.siege.siege_figures",
        ),
        "the programs beside it, which are measured, load nothing that they do not need",
    ),
}
"""Modules that are a door beside that of their package, with the reason."""

START: Final = "nodealer.__main__"
"""The way in from outside, to the commands."""

COMMANDS: Final = "nodealer.cli"
"""A file of a command bears the command's name, whatever else is called so."""


@cache
def modules() -> dict[str, Path]:
    """Return every module of the program by its full name; a package by the name of its folder."""
    found = {}
    for path in sorted(SRC.rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        if "skeleton" not in parts:
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def is_package(module: str) -> bool:
    """Say whether a module is the door of a folder."""
    return modules()[module].name == "__init__.py"


def several(names: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the names that stand in more than one place, and where."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, place in names:
        places[name].append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_no_two_public_types_have_one_name() -> None:
    types = [
        (word, module)
        for module, path in modules().items()
        for word in types_in(path)
        if is_public(word, module)
    ]
    assert len(types) > 0
    assert not several(iter(types)), f"of {len(types)} types"


def is_public(word: str, module: str) -> bool:
    """Say whether others see a type: of a game, what the game's door names."""
    game = GAME.match(module)
    return game is None or word in names_at(ast.parse(modules()[game[0]].read_text()))


def test_no_module_name_stands_in_two_places() -> None:
    names = [
        (module.rsplit(".", 1)[-1], module.rsplit(".", 1)[0])
        for module in modules()
        if not is_package(module) and module.rsplit(".", 1)[0] != COMMANDS
    ]
    found = several(iter(names))
    assert not {name: places for name, places in found.items() if name not in ROOMS}
    assert not ROOMS.keys() - found.keys(), "a reason that nothing needs"


def door_to(module: str) -> str:
    """Return the package through which others ask for what stands in a module."""
    return ".".join(module.split(".")[:2])


def imports_of(module: str) -> Iterator[tuple[int, str, str]]:
    """Yield what a module imports of this house: the line, from where, and what."""
    for node in ast.walk(ast.parse(modules()[module].read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == HOUSE:
            for one in node.names:
                yield node.lineno, str(node.module), one.name
        elif isinstance(node, ast.Import):
            for one in node.names:
                if one.name.split(".")[0] == HOUSE:
                    yield node.lineno, *one.name.rpartition(".")[::2]


@cache
def names_of(door: str) -> frozenset[str]:
    """Return what a package names for others."""
    return frozenset(names_at(ast.parse(modules()[door].read_text())))


def past_a_door(module: str) -> list[str]:
    """Return the imports of a module that do not go through a door, or want what is not there."""
    found = []
    for line, place, name in imports_of(module):
        door = door_to(place)
        if place in SIDE_DOORS or door in (HOUSE, door_to(module)) or not is_package(door):
            continue
        if door != place or name not in names_of(door):
            found.append(f"{line}: {name} of {place}, where {door} is the door")
    return found


def test_packages_are_entered_through_their_doors() -> None:
    found = {one: past_a_door(one) for one in modules() if one != START}
    assert not {module: imports for module, imports in found.items() if imports}
