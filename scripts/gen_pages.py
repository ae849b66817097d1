"""Writes what pages say of the code out of the code itself; `--check` only compares.

    .venv/bin/python scripts/gen_pages.py [--check]

Three blocks are made, each between two comments that name it: the picture of the floors, out of the
import contract in `pyproject.toml`; a line for each package, out of the first line of its
docstring; and the glossary, out of the doors of the packages (`__all__`) and the first line that
each type says of itself.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ROOT / "src" / "nodealer"

ARCHITECTURE = ROOT / "specs" / "architecture.md"
GLOSSARY = ROOT / "specs" / "glossary.md"


def floors() -> list[list[str]]:
    """Return the packages of each floor, the highest first."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (layers,) = (one["layers"] for one in contracts if one["id"] == "layers")
    return [line.split(" | ") for line in layers]


def picture() -> str:
    """Return the floors as people see a house, each package with its rank in the building."""
    rows = ["   ".join(packages) for packages in floors()]
    width = max(map(len, rows))
    edge = "+" + "-" * (width + 2) + "+"
    walls = [f"| {row:^{width}} |" for row in rows]
    return "\n".join(["```", edge, *(f"{wall}\n{edge}" for wall in walls), "```"])


def packages() -> Iterator[str]:
    """Yield all packages, from the highest floor to the lowest."""
    for floor in floors():
        yield from floor


def lines_of_packages() -> str:
    """Return a table with what each package says of itself."""
    rows = [f"| `{name}` | {first_line(door_of(name), name)} |" for name in packages()]
    return "\n".join(["| package | what it is |", "|---|---|", *rows])


def glossary() -> str:
    """Return the types that doors name, each with the first line it says of itself."""
    parts = []
    for name in packages():
        rows = [f"| {word} | {says} |" for word, says in sorted(types_behind(name).items())]
        if rows:
            parts += [f"### {name}", "", "| word | what it is |", "|---|---|", *rows, ""]
    return "\n".join(parts).rstrip()


def types_behind(package: str) -> dict[str, str]:
    """Return the types that the door of a package names, with what they say of themselves."""
    named = names_at(door_of(package))
    modules = sorted((HOUSE / package).rglob("*.py"))
    said = (one for path in modules for one in types_in(path).items())
    return {word: says for word, says in said if word in named}


def types_in(path: Path) -> dict[str, str]:
    """Return the public types of a module: classes, and names that stand for types."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    found = {}
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = first_line(node, node.name)
        elif (word := _alias(node)) is not None:
            found[word] = _text(after).partition("\n")[0]
    return found


def _alias(node: ast.stmt) -> str | None:
    """Return the public name that a statement gives to a type, if it does so."""
    word = None
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        word = ast.unparse(node.target)
    elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("NewType("):
        word = ast.unparse(node.targets[0])
    return None if word is None or word.startswith("_") else word


def _text(node: ast.stmt | None) -> str:
    """Return a statement that is nothing but a text, as they stand below what they speak of."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def door_of(package: str) -> ast.Module:
    """Return the `__init__` of a package; a module alone is its own door."""
    folder, module = HOUSE / package / "__init__.py", HOUSE / f"{package}.py"
    door = module if module.exists() else folder
    return ast.parse(door.read_text(encoding="utf-8"))


def names_at(door: ast.Module) -> set[str]:
    """Return what `__all__` lists."""
    for node in door.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def first_line(node: ast.Module | ast.ClassDef, name: str) -> str:
    """Return the first line of a docstring, as it stands in a table."""
    said = ast.get_docstring(node)
    assert said is not None, f"{name} says what it is"
    return said.partition("\n")[0].replace("|", "\\|")


def written(text: str, name: str, block: str) -> str:
    """Return a page with a new block between the two comments that name it."""
    begin, end = f"<!-- {name}: made by scripts/gen_pages.py -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    made, count = pattern.subn(lambda _: f"{begin}\n\n{block}\n\n{end}", text)
    assert count == 1, f"one place for {name}"
    return made


def pages() -> dict[Path, str]:
    """Return the pages as they should be."""
    house = ARCHITECTURE.read_text(encoding="utf-8")
    house = written(house, "floors", picture())
    house = written(house, "packages", lines_of_packages())
    words = written(GLOSSARY.read_text(encoding="utf-8"), "glossary", glossary())
    return {ARCHITECTURE: house, GLOSSARY: words}


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or say which of them are old."""
    parser = argparse.ArgumentParser(description="Makes pages out of the code.")
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    args = parser.parse_args(arguments)
    old = [(page, text) for page, text in pages().items() if page.read_text("utf-8") != text]
    for page, text in old:
        sys.stdout.write(f"{page.relative_to(ROOT)} {'is old' if args.check else 'is new'}\n")
        if not args.check:
            page.write_text(text, encoding="utf-8")
    return int(args.check and bool(old))


if __name__ == "__main__":
    sys.exit(main())
