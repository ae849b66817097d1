"""House style that no linter knows: how modules begin, and how long things may be."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.tidy.project import ROOT, relative, texts

MODULE_LINES_MAX = 450
FUNCTION_LINES_MAX = 60

SOURCES = sorted((ROOT / "src").rglob("*.py"))
CODE = [
    *SOURCES,
    *sorted((ROOT / "tests").rglob("*.py")),
    *sorted((ROOT / "scripts").glob("*.py")),
]

DOORS = [path for path in SOURCES if path.name == "__init__.py"]

MAP_LINE = re.compile(r"^    ([a-z_0-9]+(?:, [a-z_0-9]+)*) {2,}\S", re.MULTILINE)
"""A line in the map of a package: names of modules, and what they hold."""

CLAUSES = {"What", "Who", "Whom", "Whose", "Whether", "How", "Where", "When", "Why", "Which"}
"""How a clause begins; the noun is what somebody looks for."""

# Spelled so that this file does not find itself.
UNFINISHED = ("TO" + "DO", "FIX" + "ME", "X" * 3)


def tree(path: Path) -> ast.Module:
    """Return what a file says."""
    return ast.parse(path.read_text())


def test_every_module_begins_by_saying_what_it_owns() -> None:
    assert not [relative(path) for path in SOURCES if not ast.get_docstring(tree(path))]


def test_what_modules_and_types_say_first_begins_with_a_noun() -> None:
    said = (
        (relative(path), (ast.get_docstring(node) or "").partition("\n")[0])
        for path in SOURCES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Module | ast.ClassDef)
    )
    assert not [(name, line) for name, line in said if line.partition(" ")[0] in CLAUSES]


@pytest.mark.parametrize("path", DOORS, ids=relative)
def test_the_map_of_a_package_names_all_that_is_in_it(path: Path) -> None:
    said = ast.get_docstring(tree(path)) or ""
    named = [name for names in MAP_LINE.findall(said) for name in names.split(", ")]
    there = {one.stem for one in path.parent.glob("*.py")} - {path.stem}
    there |= {one.parent.name for one in path.parent.glob("*/__init__.py")}
    assert not set(named) - there
    assert len(set(named)) == len(named)
    assert not named or not there - set(named)


def test_no_module_is_too_long() -> None:
    lengths = {relative(path): len(path.read_text().splitlines()) for path in SOURCES}
    assert not {name: length for name, length in lengths.items() if length > MODULE_LINES_MAX}


def test_no_function_is_too_long() -> None:
    lengths = {
        (relative(path), node.name): (node.end_lineno or 0) - node.lineno + 1
        for path in CODE
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not {name: length for name, length in lengths.items() if length > FUNCTION_LINES_MAX}


def test_nothing_is_marked_as_unfinished() -> None:
    found = [
        f"{relative(path)}, {number}: {line}"
        for path in texts()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if any(word in line for word in UNFINISHED)
    ]
    assert not found
