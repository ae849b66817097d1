"""Whoever has the pages of the protocol and nothing else is sent to no file of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.specs.pages import SPECS

OF_THE_PROGRAM = {"04a-explored.md", "07-simulation.md", "08-node.md"}
"""What was tried with our program, and what its library does: pages about it, not about a protocol.

The node's page names its tests in a table of pitfalls, apart from what goes over a link.
"""

PAGES = sorted(
    path
    for path in SPECS.rglob("*.md")
    if path.name not in OF_THE_PROGRAM and path.parent.name != "decisions"
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SPECS).as_posix())
def test_a_page_needs_no_file_of_the_program(path: Path) -> None:
    found = re.findall(r"\S*(?:src/nodealer|tests/|nodealer/games/)\S*", path.read_text("utf-8"))
    assert not found


def test_pages_of_all_kinds_are_looked_at() -> None:
    names = {path.relative_to(SPECS).as_posix() for path in PAGES}
    assert {"04-ledger.md", "06-transcript.md", "games/66.md", "vectors/README.md"} <= names
