"""Every domain string of the code is in the page of the encoding, and no other is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.specs.pages import PROGRAM_PAGES, SPECS, blocks
from tests.tidy.project import ROOT

DOMAIN = re.compile(r"nodealer/\d+/[\w/-]+")
TABLE_ROW = re.compile(r"^\| `(nodealer/\d+/[\w/-]+)` \|", re.MULTILINE)


def literals(path: Path) -> Iterator[str]:
    """Yield the domains among the text and byte literals of a module, docstrings left out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            value = node.value
            text = value if isinstance(value, str) else value.decode("latin-1")
            if DOMAIN.fullmatch(text):
                yield text


def of_code() -> list[str]:
    modules = sorted((ROOT / "src" / "nodealer").rglob("*.py"))
    return [domain for module in modules for domain in literals(module)]


def test_the_page_lists_the_domains_of_the_code() -> None:
    rows = TABLE_ROW.findall((SPECS / "01-encoding.md").read_text())
    assert sorted(rows) == sorted(set(of_code()))


def test_each_domain_is_used_for_one_thing() -> None:
    found = of_code()
    assert len(found) == len(set(found))


def test_the_page_names_no_other_domain() -> None:
    named = DOMAIN.findall((SPECS / "01-encoding.md").read_text())
    assert set(named) == set(of_code())


def test_the_program_in_the_pages_uses_no_other_domain() -> None:
    named = {
        domain
        for page in PROGRAM_PAGES
        for block in blocks(page)
        for domain in DOMAIN.findall(block)
    }
    assert named <= set(of_code())
