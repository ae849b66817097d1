"""Observers come and go, also while they are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nodealer.home.seat_driver import SeatDriver
from nodealer.kernel import Seat
from nodealer.node.observers import Observers
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle


def test_all_are_told_in_order_until_they_go() -> None:
    observers: Observers[[int]] = Observers()
    told: list[tuple[str, int]] = []
    stop: list[Callable[[], None]] = []

    def leave(number: int) -> None:
        told.append(("leaves", number))
        stop[1]()
        observers.add(lambda late: told.append(("late", late)))

    stop.append(observers.add(leave))
    stop.append(observers.add(lambda number: told.append(("gone", number))))
    stay: Callable[[int], None] = lambda number: told.append(("stays", number))  # noqa: E731
    stop += [observers.add(stay), observers.add(stay)]
    observers.tell(1)
    assert told == [("leaves", 1), ("stays", 1), ("stays", 1)]
    told.clear()
    for one in (stop[0], stop[0], stop[2]):
        one()
    observers.tell(2)
    assert told == [("stays", 2), ("late", 2)]


def test_a_terminal_that_is_closed_is_told_nothing_more(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(Seat(0)) as keeper:
            closed, kept = [SeatDriver(keeper) for _ in range(2)]
            closed.close()
            before = closed.book
            keeper.talk.say("is anybody there?")
            async with circle.at_table(Seat(1)):
                while keeper.table.ledger.tip.height < 1:
                    await keeper.changed()
            assert closed.book is before
            assert [line.text for line in kept.book.chat] == ["is anybody there?"]
            assert len(kept.book.log) > len(before.log)

    in_virtual_time(main)
