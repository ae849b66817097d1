"""The time of a table: what its own node has lost is held against nobody."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from nodealer.bots import bot_for
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.ledger import Ready
from nodealer.ledger.objects import Vote
from nodealer.node.auto import is_asked, play_by
from nodealer.node.clocks import BACK_SECONDS, LOOK_SECONDS, LOST_SECONDS, SeenTime
from nodealer.node.keeper import Keeper
from nodealer.table import Table
from tests.node.makers import in_virtual_time
from tests.node.tables import Circle
from tests.store.players import CLOCK


def freeze(seconds: float) -> None:
    """Keep this program from running for so long, as a flood or the sleep of a computer does."""
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, MockClock)
    clock.jump(seconds)


def test_time_passes_as_it_is_seen() -> None:
    async def main() -> None:
        time = SeenTime()
        for _ in range(10):
            await trio.sleep(LOOK_SECONDS)
            time.now()
        await trio.sleep(LOST_SECONDS)
        assert time.now() == 6500
        await trio.sleep_until(time.at(7000))
        assert time.now() == 7000

    in_virtual_time(main)


def test_a_gap_is_lost_and_so_is_the_time_to_come_back() -> None:
    async def main() -> None:
        time = SeenTime()
        await trio.sleep(1)
        assert time.now() == 1000
        freeze(60)
        assert time.now() == 1000
        assert time.at(1500) == trio.current_time() + BACK_SECONDS + 0.5
        async with trio.open_nursery() as nursery:
            nursery.start_soon(time.run)
            await trio.sleep(BACK_SECONDS - 0.1)
            assert time.now() == 1000
            await trio.sleep(1.1)
            assert time.now() == 2000
            await trio.sleep_until(time.at(100_000))
            assert time.now() == 100_000
            nursery.cancel_scope.cancel()

    in_virtual_time(main)


@pytest.mark.parametrize("is_back", [True, False])
def test_who_was_frozen_itself_blames_nobody_for_it(tmp_path: Path, *, is_back: bool) -> None:
    """All nodes are kept from running, a second before the others would vote on who is on turn."""
    circle = Circle(tmp_path, 3)
    circle.found()
    votes: list[Seat] = []

    def listen(table: Table, ready: Ready) -> None:
        del table
        votes.extend(one.seat for one in ready.show if isinstance(one, Vote))

    async def on_turn(keepers: list[Keeper]) -> Keeper:
        while not (asked := [one for one in keepers if is_asked(one.table)]):
            await keepers[0].changed()
        return asked[0]

    async def main() -> None:
        async with AsyncExitStack() as stack:
            keepers = [await stack.enter_async_context(circle.at_table(s)) for s in circle.seats]
            for one in keepers:
                one.observers.add(listen)
            slow = await on_turn(keepers)
            height = slow.table.ledger.tip.height
            await trio.sleep((CLOCK.act + CLOCK.rejoin) / 1000 - 1)
            assert not votes
            freeze(60)
            await trio.sleep(BACK_SECONDS - 1)
            assert not votes
            if is_back:
                with trio.move_on_after(BACK_SECONDS):
                    await play_by(slow, bot_for(game("macaua")), Chance("bot"))
            else:
                await trio.sleep(BACK_SECONDS)
            roster = slow.table.ledger.tip.roster
            assert slow.table.ledger.tip.height > height
            assert len(roster) == (3 if is_back else 2)
            assert bool(votes) is not is_back

    in_virtual_time(main)
