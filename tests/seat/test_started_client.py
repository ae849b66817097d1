"""A client that is started: served over its input and output, and never left behind."""

from __future__ import annotations

import os
import signal
import sys

import pytest
import trio

from nodealer.loopback import ChannelEnded
from nodealer.seat import Wire, serve_program
from nodealer.seat.shell import started_client

ECHO = "import sys\nfor line in sys.stdin: print(line.strip() * 2, flush=True)"
ENDLESS = "import time\nprint('here', flush=True)\ntime.sleep(60)"


def started(source: str) -> list[str]:
    return [sys.executable, "-c", source]


def test_what_is_said_and_heard_are_lines() -> None:
    heard = []

    async def talk(wire: Wire) -> None:
        for text in ("a", "b"):
            await wire.send(text)
            heard.append(await wire.receive())

    assert trio.run(serve_program, started(ECHO), talk) == 0
    assert heard == ["aa", "bb"]


def test_the_end_of_a_program_ends_the_talk() -> None:
    ended = []

    async def talk(wire: Wire) -> None:
        try:
            await wire.receive()
        except ChannelEnded:
            ended.append(True)
            raise

    assert trio.run(serve_program, started("raise SystemExit(7)"), talk) == 7
    assert ended == [True]


def test_a_program_that_goes_on_is_killed_when_nobody_talks_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(started_client, "FAREWELL_SECONDS", 0.1)

    async def talk(wire: Wire) -> None:
        assert await wire.receive() == "here"

    assert trio.run(serve_program, started(ENDLESS), talk) == -signal.SIGKILL


def test_who_is_cancelled_leaves_no_program_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started_client, "FAREWELL_SECONDS", 0.1)
    numbers = []
    heard = trio.Event()

    async def talk(wire: Wire) -> None:
        numbers.append(int(await wire.receive()))
        heard.set()
        await trio.sleep_forever()

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            source = f"import os\nprint(os.getpid(), flush=True)\n{ENDLESS}"
            nursery.start_soon(serve_program, started(source), talk)
            await heard.wait()
            nursery.cancel_scope.cancel()

    trio.run(run)
    with pytest.raises(ProcessLookupError):
        os.kill(numbers[0], 0)
