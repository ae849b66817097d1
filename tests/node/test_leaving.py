"""Leaving for good: the last word is signed, the others hold it, and the game ends or goes on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import trio

from nodealer.home.leaving import leave_and_wait
from nodealer.kernel import LocalError, Seat
from nodealer.ledger import Ready
from nodealer.ledger.objects import Leave
from nodealer.store.seats import come_back_to
from nodealer.store.transcripts import transcript
from nodealer.table import Table
from nodealer.verify import Verdict, judge_bytes
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle


async def leave_after(circle: Circle, seat: Seat, height: int, known: list[bool]) -> None:
    """Play for a while, close the program, and leave with another start, as the command does."""
    await circle.play_to(seat, height)
    async with circle.at_table(seat) as keeper:
        known.append(await leave_and_wait(keeper, 60))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_others_win_or_play_on(tmp_path: Path, seats: int) -> None:
    circle = Circle(tmp_path, seats)
    circle.found()
    known: list[bool] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(leave_after, circle, Seat(0), 8, known)
            for seat in circle.seats[1:]:
                nursery.start_soon(circle.play, seat)

    in_virtual_time(main)
    assert known == [True]
    with closing(circle.journal(Seat(1))) as journal:
        judged = judge_bytes(transcript(journal.path))
        table, _ = come_back_to(journal)
    assert judged.report.verdict is Verdict.COMPLETE
    standing = table.position.standing
    assert standing is not None
    assert standing.places[-1] == (Seat(0),)


def test_nobody_leaves_twice_and_the_last_word_waits_for_the_others(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 3)
    circle.found()
    heard: list[Seat] = []

    def listen(table: Table, ready: Ready) -> None:
        del table
        heard.extend(one.seat for one in ready.show if isinstance(one, Leave))

    async def main() -> None:
        async with circle.at_table(Seat(0)) as keeper:
            with pytest.raises(LocalError, match="sat down"):
                await leave_and_wait(keeper, 5)
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(circle.play_to, seat, 8)
        async with circle.at_table(Seat(0)) as keeper:
            assert not await leave_and_wait(keeper, 5)
        async with circle.at_table(Seat(0)) as keeper:
            # The word was given: it stands, and there is no second one.
            own = keeper.table.ledger.own.leave
            assert own is not None
            with pytest.raises(LocalError):
                await keeper.leave()
            assert not await leave_and_wait(keeper, 5)
            assert keeper.table.ledger.own.leave == own
            async with circle.at_table(Seat(1)) as other:
                other.observers.add(listen)
                await trio.sleep(5)

    in_virtual_time(main)
    assert heard == [Seat(0)]


def test_from_a_table_that_is_over_nobody_can_leave(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(circle.play, seat)
        async with circle.at_table(Seat(0)) as keeper:
            with pytest.raises(LocalError, match="over"):
                await leave_and_wait(keeper, 5)

    in_virtual_time(main)
