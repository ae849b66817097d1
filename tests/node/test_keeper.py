"""A table that is kept open: what a peer without room misses, and what is refused to the player."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from nodealer.kernel import LocalError, Seat
from nodealer.node.auto import is_asked
from nodealer.node.keeper import BATCH_MAX, SYNC_SECONDS
from nodealer.node.offering import offered
from nodealer.node.talk import WAITING_MAX
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle, name_of

ANA, BEA = Seat(0), Seat(1)


def test_who_was_without_room_is_told_once_there_is_some(tmp_path: Path) -> None:
    """The window of a peer that cannot be reached fills up; then what is sent is dropped."""
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            ana = await stack.enter_async_context(circle.at_table(ANA))
            bea = await stack.enter_async_context(circle.at_table(BEA))
            link = ana.link_to(BEA)
            assert link is not None
            await link.wait_up()
            circle.ether.part(name_of(ANA), name_of(BEA))
            while offered(link, b"\xff"):
                pass
            assert not offered(link, b"\xff", WAITING_MAX)
            ana.talk.say("nobody hears this")
            await ana.tell()
            await trio.sleep(10)
            circle.ether.heal()
            heard: list[object] = []
            bea.observers.append(lambda _, ready: heard.append(ready))
            await trio.sleep(30)
            assert heard
            assert not bea.talk.chat.lines
            link.begin_goodbye(1)
            assert not offered(link, b"\xff")

    in_virtual_time(main)


def test_what_the_player_may_not_do_is_refused_and_many_messages_are_taken(
    tmp_path: Path,
) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with circle.at_table(ANA) as ana:
            with pytest.raises(LocalError):
                await ana.again()
            async with trio.open_nursery() as nursery:
                for _ in range(3 * BATCH_MAX):
                    nursery.start_soon(ana.receive, b"\xff", BEA)
            await ana.changed()
            assert ana.table.ledger.counts["encoding/indefinite"] == 3 * BATCH_MAX

    in_virtual_time(main)


def test_what_nothing_has_left_after_is_synced_in_time(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()

    async def main() -> None:
        async with AsyncExitStack() as stack:
            seats = (ANA, BEA)
            keepers = [await stack.enter_async_context(circle.at_table(seat)) for seat in seats]
            seen = []
            for one in keepers:
                journal = one.journal
                one.observers.append(lambda *_, journal=journal: seen.append(journal.is_synced))
            while not any(is_asked(one.table) for one in keepers):
                await keepers[0].changed()
            await trio.sleep(SYNC_SECONDS)
            assert False in seen, "some batches may wait"
            assert all(one.journal.is_synced for one in keepers)

    in_virtual_time(main)
