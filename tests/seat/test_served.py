"""Whole games of clients over sockets, at real tables; programs that die in the middle of them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio

from nodealer.kernel.chance import Chance
from nodealer.node.auto import is_asked
from nodealer.node.practice import identity_in
from nodealer.store.salvage import salvage
from tests.seat.clients import Client, Message
from tests.seat.seated import Home, Lines, client_for, lines_to, play, web_to
from tests.store.damage import change

SECONDS = 300


def played(folder: Path, protocol: str, *, websocket: bool = False) -> list[Message]:
    """Let a client play a game to its end; return what it has heard."""
    home = Home(folder, protocol)
    client = client_for(home)

    async def run() -> None:
        with trio.fail_after(SECONDS):
            async with home.served(websocket=websocket) as (port, keeper, served):
                to = web_to(port) if websocket else lines_to(port)
                async with to as wire:
                    assert not isinstance(wire, int)
                    for message in client.opening():
                        await wire.say(message)
                    await play(client, wire, lambda: client.is_over)
                    await served.over()
                    assert keeper.table.position.is_closed

    trio.run(run)
    assert client.errors == []
    return client.heard


@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_a_client_plays_a_whole_game_over_a_socket(tmp_path: Path, protocol: str) -> None:
    assert played(tmp_path, protocol)


def test_a_client_plays_the_same_game_over_a_socket_and_over_websocket(tmp_path: Path) -> None:
    lines = played(tmp_path / "lines", "take5")
    assert lines == played(tmp_path / "web", "take5", websocket=True)


def test_who_goes_before_all_have_sat_down_keeps_nobody_out(tmp_path: Path) -> None:
    async def run() -> None:
        async with Home(tmp_path, "66-v2").served(alone=True) as (port, keeper, _):
            for _ in range(2):
                async with lines_to(port) as wire:
                    await wire.say({"type": "StartGame"})
                    with trio.move_on_after(1) as waiting:
                        await wire.hear()
                    assert waiting.cancelled_caught, "it is let in, and told nothing yet"
                await trio.sleep(0.1)
            assert keeper.table.ledger.tip.height == 0

    trio.run(run)


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


@pytest.mark.parametrize("record", ["9", "(SELECT max(number) FROM records)"])
def test_a_client_goes_on_at_a_table_that_was_salvaged(tmp_path: Path, record: str) -> None:
    """Its seat has lost what its client was told; when it is there again nothing is told twice."""
    home = Home(tmp_path / "salvaged", "66-v2")
    client = client_for(home)

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

    trio.run(until, 17)
    table = home.charter.table
    damage = "UPDATE records SET body = x'00' WHERE number = " + record  # noqa: S608 - of a test
    change(home.profile.journal(table), damage)
    salvage(home.profile, table, identity_in(home.profile))
    trio.run(until, None)
    assert client.errors == []
    told = {message["id"]: message for message in client.heard}
    assert [*told.values()] == played(tmp_path / "whole", "66-v2")


class Stop(trio.abc.Instrument):
    """Stops a program in the middle of whatever it does, after so many steps of its tasks."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.scope = trio.CancelScope()

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        del task  # any
        self.steps -= 1
        if self.steps == 0:
            self.scope.cancel()


@pytest.mark.parametrize("protocol", ["66-v1", "66-v2"])
def test_a_program_may_die_at_any_step(tmp_path: Path, protocol: str, is_full: bool) -> None:
    """What is asked for comes again, whatever was on its way: an ack, an answer, an entry."""
    for number in range(20 if is_full else 1):
        chance = Chance("stops", protocol, number)
        home = Home(tmp_path / str(number), protocol, f"stops {number}")
        client = client_for(home)

        async def run(stop: Stop, home: Home = home, client: Client = client) -> None:
            with trio.fail_after(SECONDS), stop.scope:
                async with home.served() as (port, keeper, _), lines_to(port) as wire:
                    if keeper.table.view().facts["phase"] == "AWAITING_START":
                        await wire.say({"type": "StartGame"})
                    await play(client, wire, lambda: client.is_over)

        for most in (chance.pick((40, 400, 1500)) for _ in range(12)):
            stop = Stop(1 + chance.below(most))
            trio.run(run, stop, instruments=[stop])
        trio.run(run, Stop(0))
        assert client.is_over
        assert {message["code"] for message in client.errors} <= {"not-now"}  # started twice
        numbers = [message["id"] for message in client.heard if "id" in message]
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


def test_what_is_answered_is_not_asked_again_while_the_others_are_away(tmp_path: Path) -> None:
    home = Home(tmp_path, "66-v1")
    client = client_for(home)
    nonsense, codes = {"type": "NoSuchThing"}, ["unknown-message"] * 2

    async def until_it_has_the_turn() -> None:
        async with home.served() as (port, _, _), lines_to(port) as wire:
            await wire.say({"type": "StartGame"})
            await _up_to(client, wire, "YourTurn")

    async def answer(*, is_answered: bool) -> None:
        async with home.served(alone=True) as (port, keeper, _), lines_to(port) as wire:
            if not is_answered:
                assert await wire.hear() == client.heard[-1]
                await wire.say({"type": "Ack", "id": client.heard[-1]["id"]})
                await wire.say({"type": "TakeCardFromDeck"})
                while is_asked(keeper.table):
                    await keeper.changed()
            for _ in codes:
                await wire.say(nonsense)
            heard = [await wire.hear() for _ in codes]
            assert [message and message.get("code") for message in heard] == codes

    async def go_on() -> None:
        async with home.served() as (port, _, _), lines_to(port) as wire:
            taken = await wire.hear()
            assert taken is not None
            assert taken["type"] == "TookDeckCard"

    for part in (
        until_it_has_the_turn,
        lambda: answer(is_answered=False),
        lambda: answer(is_answered=True),
        go_on,
    ):
        trio.run(within, part)


async def _up_to(client: Client, wire: Lines, name: str) -> None:
    """Let a client play until it hears a message, which it does not answer."""
    while (message := await wire.hear()) is not None:
        answers = client.hear(message)
        if message["type"] == name:
            return
        for said in answers:
            await wire.say(said)
    raise AssertionError("the connection has ended")


async def within(part: Callable[[], Awaitable[None]]) -> None:
    with trio.fail_after(SECONDS):
        await part()
