"""The page of the simulator lists the behaviours that there are, and the ends expected of them."""

from __future__ import annotations

from nodealer.cli.simulate import FAULTS as OFFERED
from nodealer.sim.faults import FAULTS
from nodealer.sim.lies import BEHAVIOURS
from nodealer.sim.lies.owed import OWED
from nodealer.sim.lying import Behaviour
from nodealer.sim.repertoire import Deed
from tests.specs.pages import SPECS

PAGE = "07-simulation.md"

NEEDS = {
    Deed.NAME: "an action of a turn that names cards",
    Deed.OPEN: "an action of a turn that opens cards",
}


def row(one: Behaviour) -> str:
    """Return the row of a behaviour: name, end, codes, least seats, liars."""
    codes = ", ".join(one.codes) or "–"
    return f"| {one.name} | {one.end.value} | {codes} | {one.least_seats} | {one.liars} |"


def test_the_table_of_behaviours_is_drawn_from_the_code() -> None:
    page = (SPECS / PAGE).read_text()
    start = page.index("| behaviour |")
    rows = page[start : page.index("\n\n", start)].splitlines()[2:]
    assert rows == [row(one) for one in BEHAVIOURS]


def test_so_is_what_behaviours_need_of_a_game() -> None:
    page = (SPECS / PAGE).read_text()
    for needed, words in NEEDS.items():
        names = [one.name for one in BEHAVIOURS if one.needs is needed]
        assert f"| {words} | {', '.join(names)} |" in page
    assert {one.needs for one in BEHAVIOURS} == {None, *NEEDS}


def test_so_is_that_of_behaviours_in_games_that_ask() -> None:
    page = (SPECS / PAGE).read_text()
    start = page.index("| effect | behaviour |")
    rows = page[start : page.index("\n\n", start)].splitlines()[2:]
    asked = [(effect, one) for effect, listed in OWED.items() for one in listed]
    assert rows == [f"| `{effect.__name__}` {row(one)}" for effect, one in asked]


def test_the_command_offers_the_faults_that_there_are() -> None:
    assert OFFERED == FAULTS
    page = (SPECS / PAGE).read_text()
    assert all(f"| {name} |" in page for name in FAULTS)
