"""Who closes the program and comes back is told what was missed, one thing after the other."""

from __future__ import annotations

from pathlib import Path

import trio

from nodealer.bots import bot_for
from nodealer.cli.tables import _told
from nodealer.games.registry import game
from nodealer.home.my_tables import FoundTable
from nodealer.home.seat_driver import SeatDriver
from nodealer.kernel import Seat, Way
from nodealer.kernel.chance import Chance
from nodealer.ledger import Ready
from nodealer.ledger.ready import Took
from nodealer.node.auto import play_by
from nodealer.store import glance
from nodealer.table import Table
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle

ANA, BEA = Seat(0), Seat(1)


def test_missed_updates_are_told_one_by_one_and_in_order(tmp_path: Path) -> None:
    """Somebody who watches closes the program, and opens it again when all is over.

    No seat can miss as much: without it the others do nothing, until they leave it out.
    """
    circle = Circle(tmp_path, 2)
    circle.found()
    heights: list[int] = []
    shown: list[tuple[int | None, str]] = []
    stood: list[int] = []

    def listen(table: Table, ready: Ready) -> None:
        del table
        heights.extend(one.height for one in ready.show if isinstance(one, Took))

    async def watch() -> None:
        async with circle.watching(tmp_path / "spectator") as keeper:
            while keeper.table.ledger.tip.height < 6:
                await keeper.changed()
            stood.append(keeper.table.ledger.tip.height)
        await trio.sleep(30)
        async with circle.watching(tmp_path / "spectator") as keeper:
            keeper.observers.add(listen)
            driver = SeatDriver(keeper)
            while not keeper.table.position.is_closed:
                await keeper.changed()
            shown.extend((line.height, line.text) for line in driver.book.log)

    async def stay_on(seat: Seat) -> None:
        async with circle.at_table(seat) as keeper:
            await play_by(keeper, bot_for(game("macaua")), Chance("bot", seat))
            await trio.sleep(60)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            for seat in circle.seats:
                nursery.start_soon(stay_on, seat)

    in_virtual_time(main)
    assert len(heights) >= 5
    assert heights == list(range(stood[0] + 1, stood[0] + 1 + len(heights)))
    told = [height for height, _ in shown if height is not None]
    assert told == sorted(told)
    assert set(heights) == {height for height in told if height > stood[0]}
    assert len(shown) == len(set(shown))


def test_chat_and_who_is_muted_are_there_again(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana, circle.at_table(BEA) as bea:
            driver = SeatDriver(ana)
            driver.say("hello")
            bea.talk.say("hello, too")
            await trio.sleep(1)
            assert [line.text for line in driver.book.chat] == ["hello", "hello, too"]
            driver.mute(BEA, is_muted=True)
        async with circle.at_table(ANA) as ana:
            driver = SeatDriver(ana)
            assert [line.text for line in driver.book.chat] == ["hello", "hello, too"]
            assert driver.book.muted == {BEA}
            driver.mute(BEA, is_muted=False)
            assert ana.journal.noted("chat/muted") == b""

    in_virtual_time(main)


def test_a_table_that_was_put_away_can_be_gone_on_with(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            SeatDriver(ana).put_away()
            journal = ana.journal.path
        found = FoundTable(journal, glance(journal))
        told = [found.is_put_away, str(_told(found)["stands"])]
        async with circle.at_table(ANA) as ana:
            SeatDriver(ana)
        again = [found.is_put_away, str(_told(found)["stands"])]
        words = "; put away unfinished, so nothing is proven and nobody has won"
        assert told == [True, f"{again[1]}{words}"]
        assert again[0] is False

    in_virtual_time(main)


def test_the_links_and_an_absent_seat_are_shown(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()
    told: list[str] = []

    async def main() -> None:
        async with circle.at_table(ANA) as ana, circle.node(BEA):
            driver = SeatDriver(ana)
            with trio.move_on_after(5):
                await driver.run()
            told.extend(line.text for line in driver.book.log)
            reach = driver.book.reach[BEA]
            assert (reach.way, reach.is_absent) == (Way.DIRECT, True)
            assert reach.round_trip_us is not None

    in_virtual_time(main)
    assert "Player 1's program does not have this table open." in told


def test_a_bot_takes_its_time(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def think(seat: Seat) -> None:
        async with circle.at_table(seat) as keeper:
            chance = Chance("bot", seat)
            await play_by(keeper, bot_for(game("macaua")), chance, thought_seconds=1)
            await trio.sleep(5)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in circle.seats:
                nursery.start_soon(think, seat)
        assert trio.current_time() > 5

    in_virtual_time(main)
