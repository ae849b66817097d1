"""The phases of a seat are those of the table, and the page shows them as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import pytest

from nodealer.kernel import Seat
from nodealer.ledger import Ledger, Ready
from tests.ledger.telling import cut_off, finish
from tests.ledger.world import World
from tests.specs.pages import SPECS

SCRIPTS = (
    ("turn", "due", "close"),
    ("due", "due", "turn", "close"),
    ("chain", "turn", "turn", "due", "close"),
    ("close",),
)


FOLLOWING: Final[Mapping[str, tuple[str, ...]]] = {
    "opening": ("acting", "giving", "sealing"),
    "acting": ("giving", "sealing", "voting"),
    "giving": ("acting", "sealing", "voting"),
    "sealing": ("acting", "giving", "voting", "closed"),
    "voting": ("acting", "giving", "sealing", "keeping", "closed"),
    "keeping": ("acting", "giving", "sealing", "closed"),
    "closed": ("sealing", "voting"),
}
"""For each phase, the others that one input can lead to; besides, `out` follows all and ends."""


def diagram() -> str:
    """Return the diagram of the phases, as the specs show it."""
    arrows = [f"    {phase} --> {after}" for phase, others in FOLLOWING.items() for after in others]
    return "\n".join(["stateDiagram-v2", "    [*] --> opening", *arrows])


class WatchedWorld(World):
    """A world that notes the phases through which its seats go."""

    def __init__(self, count: int, script: tuple[str, ...]) -> None:
        self.phases: dict[Seat, list[str]] = {Seat(seat): [] for seat in range(count)}
        super().__init__(count, script)

    def take(self, seat: Seat, result: tuple[Ledger, Ready]) -> Ready:
        """Note the phase after an input, if it is another than before."""
        phase, walked = result[0].reading().phase, self.phases[seat]
        if walked[-1:] != [phase]:
            walked.append(phase)
        return super().take(seat, result)


def runs() -> Iterator[WatchedWorld]:
    """Yield worlds in which something happens: calm, silent, cut off, leaving, impatient."""
    for script in SCRIPTS:
        for story in range(12):
            world = WatchedWorld(4, script)
            world.settle()
            for turn in range(30):
                happen(world, story, turn)
                shuffle(world, story)
                world.act()
                if turn % 3 == 2:
                    world.pass_time(17)
            finish(world, 6)
            if not world.ledgers[Seat(0)].own.is_out and world.ledgers[Seat(0)].asked:
                world.take(Seat(0), world.ledgers[Seat(0)].propose(b"again"))
                world.settle()
            yield world


def shuffle(world: WatchedWorld, story: int) -> None:
    """Deliver everything, in an order of the story's own."""
    while world.wires:
        world.deliver((story * len(world.wires) * 31 + story) % len(world.wires))


def happen(world: WatchedWorld, story: int, turn: int) -> None:
    """Let something happen in the middle of a run."""
    if story == 1 and turn == 1:
        world.gone.add(Seat(3))
    if story in (2, 3) and turn == story - 1:
        cut_off(world, 3)
    if story in (2, 3) and turn == 14:
        world.cut.clear()
    if story == 4 and turn == 1:
        world.take(Seat(2), world.ledgers[Seat(2)].leave())
    if story >= 5 and turn < 8:
        world.pass_time(12 * story, [Seat(story % 4)])


@pytest.fixture(scope="module")
def seen() -> set[tuple[str, str]]:
    walks = [walk for world in runs() for walk in world.phases.values()]
    return {pair for walk in walks for pair in pairwise(walk)}


def test_what_ledgers_do_is_in_the_table(seen: set[tuple[str, str]]) -> None:
    table = {(phase, after) for phase, others in FOLLOWING.items() for after in others}
    assert {pair for pair in seen if "out" not in pair} == table
    assert not [pair for pair in seen if pair[0] == "out"]


def test_every_run_begins_with_the_opening() -> None:
    assert {walk[0] for walk in WatchedWorld(3, ("close",)).phases.values()} == {"opening"}


def test_the_page_shows_the_table() -> None:
    page = (SPECS / "04-ledger.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{diagram()}\n```" in page
