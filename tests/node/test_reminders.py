"""Two seats that never reach each other play through a third, and not by limits of time."""

from __future__ import annotations

from pathlib import Path

import trio

from nodealer.kernel import Seat
from nodealer.store.transcripts import transcript
from nodealer.verify import Verdict, judge_bytes
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle

GAME_SECONDS = 120
"""A few dozen heights of one or two pauses each; a time limit at each would take far longer."""


def test_two_that_are_parted_play_through_a_third(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()
    took = 0.0

    async def main() -> None:
        nonlocal took
        circle.ether.part("seat-1", "seat-2")
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(circle.play, Seat(seat))
        took = trio.current_time() - began

    in_virtual_time(main)
    files = [home.profile.journal(circle.charter.table) for home in circle.homes]
    assert {judge_bytes(transcript(path)).report.verdict for path in files} == {Verdict.COMPLETE}
    assert took < GAME_SECONDS, took
