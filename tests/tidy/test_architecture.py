"""The walks of the page on the architecture: each hop is a place in the code that there is."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tests.tidy.project import ROOT

PAGE = ROOT / "specs" / "architecture.md"

WALK = re.compile(r"^### (.+)\n((?:.*\n)*?)(?=^#|\Z)", re.MULTILINE)
HOP = re.compile(r"^\d+\. `([\w.]+)`: \S", re.MULTILINE)
NUMBERED = re.compile(r"^\d+\. ", re.MULTILINE)

WALKS = (
    "a move",
    "a card",
    "a verdict",
    "a joining guest",
    "a turn that runs out",
    "a lost link",
    "a refused frame",
)


def walks() -> dict[str, list[str]]:
    """Return the hops of each walk."""
    _, _, page = PAGE.read_text(encoding="utf-8").partition("\n## Walks\n")
    found = {}
    for title, text in WALK.findall(page):
        found[title] = HOP.findall(text)
        assert len(found[title]) == len(NUMBERED.findall(text)), "each hop is one line with a place"
    return found


def place(name: str) -> object:
    """Return what stands at a place: a module of the program, or something in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(("nodealer", *parts[:count]))
        try:
            found: object = import_module(module)
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def test_every_walk_leads_through_places_that_are_there() -> None:
    assert {title.lower() for title in walks()} == set(WALKS)
    for hops in walks().values():
        assert hops
        for hop in hops:
            assert place(hop) is not None


@pytest.mark.parametrize("name", ["table.Table.fly", "nowhere.at.all", "table.nothing"])
def test_a_hop_into_the_air_is_noticed(name: str) -> None:
    with pytest.raises((LookupError, AttributeError)):
        place(name)
