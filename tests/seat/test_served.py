"""Whole games of clients over sockets, at real tables; programs that die in the middle of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import trio

from nodealer.seat.protocols import PROTOCOLS
from tests.seat.clients import Message
from tests.seat.seated import Home, Lines, client_for, lines_to, play, web_to

SECONDS = 300


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_client_plays_a_whole_game_over_a_socket(tmp_path: Path, protocol: str) -> None:
    home = Home(tmp_path, protocol)
    client = client_for(home)

    async def run() -> None:
        with trio.fail_after(SECONDS):
            async with home.served() as (port, keeper, served), lines_to(port) as wire:
                for message in client.opening():
                    await wire.say(message)
                await play(client, wire, lambda: client.is_over)
                await served.over()
                assert keeper.table.position.is_closed

    trio.run(run)
    assert client.errors == []


def test_a_client_plays_a_whole_game_over_websocket(tmp_path: Path) -> None:
    home = Home(tmp_path, "take5")
    client = client_for(home)

    async def run() -> None:
        with trio.fail_after(SECONDS):
            async with home.served(websocket=True) as (port, _, served), web_to(port) as web:
                assert not isinstance(web, int)
                for message in client.opening():
                    await web.say(message)
                await play(client, web, lambda: client.is_over)
                await served.over()

    trio.run(run)
    assert client.errors == []


def test_a_program_that_dies_tells_everything_after_its_restart(tmp_path: Path) -> None:
    home = Home(tmp_path, "66-v2")
    client = client_for(home)
    counts = [3, 9, 10, 17]

    async def until(count: int | None) -> None:
        with trio.fail_after(SECONDS):
            async with home.served() as (port, _, _), lines_to(port) as wire:
                if not client.heard:
                    for message in client.opening():
                        await wire.say(message)
                await play(
                    client,
                    wire,
                    lambda: client.is_over or (count is not None and len(client.heard) >= count),
                )

    for count in counts if os.environ.get("NODEALER_TEST_PROFILE") != "full" else range(2, 60):
        trio.run(until, count)
    assert client.errors == []
    numbers = [message["id"] for message in client.heard]
    assert sorted(set(numbers)) == list(range(1, numbers[-1] + 1))


def test_acks_wait_for_the_client_and_for_nobody_else(tmp_path: Path) -> None:
    home = Home(tmp_path, "66-v1")

    async def run() -> None:
        with trio.fail_after(SECONDS):
            async with home.served() as (port, keeper, _):
                async with lines_to(port) as wire:
                    await wire.say({"type": "StartGame"})
                    message = await _up_to_a_stop(wire)
                height = keeper.table.ledger.tip.height
                await trio.sleep(0.3)
                assert keeper.table.ledger.tip.height == height  # the client is gone
                async with lines_to(port) as wire:
                    again = await wire.hear()
                    assert again is not None
                    assert again == message
                    await wire.say({"type": "Ack", "id": again["id"]})
                    assert await wire.hear() is not None
                assert keeper.table.ledger.tip.height > height

    trio.run(run)


async def _up_to_a_stop(wire: Lines) -> Message:
    """Play until the round is stopped; return what tells of it, unacknowledged."""
    while (message := await wire.hear()) is not None:
        if message["type"] in ("StopInitiated", "InitiatedStop", "CardDiscarded"):
            return message
        await wire.say({"type": "Ack", "id": message["id"]})
        if message["type"] == "YourTurn":
            await wire.say({"type": "StopRound"})
    raise AssertionError("the connection has ended")
