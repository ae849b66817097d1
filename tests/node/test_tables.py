"""Nodes play whole games: with each other, stopped and started, parted, frozen, and followed."""

from __future__ import annotations

from pathlib import Path

import trio

from nodealer.kernel import Seat
from nodealer.store.transcripts import transcript
from nodealer.verify import Verdict, judge_bytes
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle


def verdicts(circle: Circle) -> list[Verdict | None]:
    found = []
    for home in circle.homes:
        data = transcript(home.profile.journal(circle.charter.table))
        found.append(judge_bytes(data).report.verdict)
    return found


def test_three_nodes_play_a_whole_game(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(circle.play, seat)

    in_virtual_time(main)
    assert verdicts(circle) == [Verdict.COMPLETE] * 3
