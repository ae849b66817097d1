"""Nodes play whole games: with each other, stopped and started, parted, frozen, and followed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import trio

from nodealer.kernel import Seat
from nodealer.store.transcripts import transcript
from nodealer.verify import Verdict, judge_bytes
from tests.node.makers import in_virtual_time
from tests.node.tables import STAY_SECONDS, Circle


def verdicts(circle: Circle) -> Sequence[Verdict]:
    files = [home.profile.journal(circle.charter.table) for home in circle.homes]
    return [judge_bytes(transcript(path)).report.verdict for path in files]


def test_three_nodes_play_a_whole_game(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()

    async def main() -> None:
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(circle.play, seat)
        assert trio.current_time() - began < STAY_SECONDS, "nobody is waited for"

    in_virtual_time(main)
    assert verdicts(circle) == [Verdict.COMPLETE] * 3


def test_nodes_that_are_stopped_and_started_again_lose_nothing(tmp_path: Path) -> None:
    """Each node in turn is gone for a while, again and again, in the middle of whatever it does."""
    circle = Circle(tmp_path, 3)
    circle.found()

    async def restless(seat: Seat) -> None:
        for round_ in range(4):
            with trio.move_on_after(0.5 + 0.35 * seat + 0.2 * round_) as span:
                await circle.play(seat)
            if not span.cancelled_caught:
                return
            await trio.sleep(0.3)
        await circle.play(seat)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(restless, seat)

    in_virtual_time(main)
    assert verdicts(circle) == [Verdict.COMPLETE] * 3


def test_a_node_that_is_gone_for_good_is_left_out(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()

    async def brief(seat: Seat) -> None:
        with trio.move_on_after(2):
            await circle.play(seat)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(brief, Seat(2))
            for seat in circle.seats[:2]:
                nursery.start_soon(circle.play, seat)

    in_virtual_time(main)
    assert verdicts(circle)[:2] == [Verdict.COMPLETE] * 2


def test_a_spectator_follows_to_the_close_and_holds_the_same_entries(tmp_path: Path) -> None:
    """It has a journal without a seat, asks one of the players, and checks everything itself."""
    circle = Circle(tmp_path, 2)
    circle.found()
    seen = circle.played_and_watched(tmp_path / "spectator")
    assert seen
    assert seen == circle.entries(Seat(0)) == circle.entries(Seat(1))
