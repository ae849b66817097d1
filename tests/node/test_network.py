"""Nodes on the real network of this machine: talk, watch, and a port that is taken."""

from __future__ import annotations

from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
import trio

from nodealer.bots import bot_for
from nodealer.games.registry import game
from nodealer.kernel import LocalError, Seat
from nodealer.kernel.chance import Chance
from nodealer.node.auto import play_by
from nodealer.node.listening import Listening
from nodealer.node.network import on_network
from nodealer.node.seat_addresses import note_addresses
from nodealer.node.transport.addresses import PeerKey
from nodealer.store.opening import create
from nodealer.store.records import JournalOrigin
from nodealer.store.transcripts import transcript
from nodealer.verify import Verdict, judge_bytes
from tests.node.makers import HERE
from tests.node.tables import Circle
from tests.node.test_chat import heard_by
from tests.store.players import home_in, identity_of

ANA, BEA = Seat(0), Seat(1)


def test_two_play_and_talk_and_a_third_watches_over_sockets(tmp_path: Path) -> None:
    circle = Circle(tmp_path, 2)
    circle.found()
    watched = home_in(tmp_path / "spectator", 7).profile

    async def main() -> None:
        async with AsyncExitStack() as stack:
            nodes = [
                await stack.enter_async_context(on_network(identity_of(number), Listening((HERE,))))
                for number in (ANA, BEA, 7)
            ]
            places = nodes[0].addresses()
            keepers = []
            for seat, node in zip(circle.seats, nodes, strict=False):
                journal = stack.enter_context(closing(circle.journal(seat)))
                note_addresses(journal, ANA, places)
                keepers.append(node.open_table(journal))
            key = PeerKey(identity_of(ANA).public)
            charter = await nodes[2].find_charter(circle.charter.table, key, places)
            assert charter == circle.charter
            journal = stack.enter_context(closing(create(watched, JournalOrigin(charter))))
            watch = nodes[2].open_table(journal)
            keepers[1].talk.say("good luck")
            await heard_by(watch, 1)
            async with trio.open_nursery() as nursery:
                for keeper in keepers:
                    bot = bot_for(game("macaua"))
                    nursery.start_soon(play_by, keeper, bot, Chance("bot", keeper.seat or 0))
            while not watch.table.position.is_closed:
                await watch.changed()

    async def bounded() -> None:
        with trio.fail_after(120):
            await main()

    trio.run(bounded)
    path = watched.journal(circle.charter.table)
    assert judge_bytes(transcript(path)).report.verdict is Verdict.COMPLETE


def test_a_port_that_is_taken_is_said() -> None:
    async def main() -> None:
        async with on_network(identity_of(0), Listening((HERE,))) as node:
            with pytest.raises(LocalError, match="--listen"):
                async with on_network(identity_of(1), Listening(node.addresses())):
                    pass

    trio.run(main)
