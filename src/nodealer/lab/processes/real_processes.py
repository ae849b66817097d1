"""The processes of a simulated table: started, listened to, killed and started again, ended.

What is to be killed is known beforehand: a seat, once it has stored so many batches at a height or
beyond. The line that a process writes after a batch is read soon, and not at once, so the signal
finds it anywhere in what comes next: computing, storing, sending, or half started. A seat takes
part in every entry, so it comes past every height, and all kills happen unless it is killed for
good before.

A table is over once every process that is to live has said so; then their standard input is closed
and they end in good order. If nothing is heard of anybody for `STALLED_SECONDS` it never will be.
However this is left, no process is.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import trio

from nodealer.kernel import Seat
from nodealer.lab.processes.real_table import RealTable

PROGRAM: Final = "nodealer.lab.processes.real_seat"

STALLED_SECONDS: Final = 180.0
"""Longer than anything that the clock of a simulated table lets anybody wait for."""


@dataclass(frozen=True, slots=True)
class Kill:
    """A seat is killed once it has stored so many batches at a height, or is beyond it."""

    seat: Seat
    height: int
    batches: int = 0
    comes_back: bool = True


@dataclass(slots=True)
class Watched:
    """The knowledge of the process of a seat."""

    seat: Seat
    kills: list[Kill]
    height: int = -1
    batches: int = 0
    """Batches at this height, over all its processes."""
    is_over: bool = False
    is_killed: bool = False
    is_gone: bool = False
    """Killed, and not to be started again."""
    killed: int = 0
    process: trio.Process | None = None

    def hear(self, line: bytes) -> None:
        """Take in a line, and kill the process if it is time to."""
        height, is_over = map(int, line.split())
        self.batches = self.batches + 1 if height == self.height else 0
        self.height, self.is_over = height, bool(is_over)
        if self.kills and _is_due(self.kills[0], height, self.batches) and not self.is_killed:
            self.kill(comes_back=self.kills.pop(0).comes_back)

    def kill(self, *, comes_back: bool) -> None:
        """Kill the process; it is started again if it is to come back."""
        assert self.process is not None, "it has written a line"
        self.process.send_signal(signal.SIGKILL)
        self.is_killed, self.is_gone = True, not comes_back
        self.is_over = False
        self.killed += 1


@dataclass(slots=True)
class Processes:
    """All processes of a table."""

    table: RealTable
    kills: Sequence[Kill] = ()
    stalled_seconds: float = STALLED_SECONDS
    program: str = PROGRAM
    needed_until: trio.Event | None = None
    """Somebody else wants something of the processes until then, at least."""
    seats: list[Watched] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    _scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    async def run(self) -> None:
        """Play the table to its end, or until it is clear that it has none."""
        self.seats = [
            Watched(seat, [kill for kill in self.kills if kill.seat == seat])
            for seat in self.table.charter.seats
        ]
        with self._scope:
            self._alive()
            async with trio.open_nursery() as nursery:
                for one in self.seats:
                    nursery.start_soon(self._keep_up, one)
        if self._scope.cancelled_caught and not self.troubles:
            heights = [one.height for one in self.seats]
            seconds = self.stalled_seconds
            self.troubles.append(f"nothing has happened for {seconds:.0f} s at heights {heights}")

    def complaints(self, seat: Seat) -> str:
        """Return what the processes of a seat have written for people."""
        path = self._complaints(seat)
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def _complaints(self, seat: Seat) -> Path:
        return self.table.home / f"complaints-{seat}"

    def _alive(self) -> None:
        self._scope.deadline = trio.current_time() + self.stalled_seconds

    async def _keep_up(self, one: Watched) -> None:
        while not one.is_gone:
            one.is_killed = False
            code = await self._live(one)
            if not one.is_killed:
                if code or not one.is_over:
                    self.troubles.append(f"seat {one.seat} has ended with {code}")
                    self._scope.cancel()
                return

    async def _live(self, one: Watched) -> int:
        """Run a process of a seat to its end."""
        environment = os.environ | self.table.environment
        with self._complaints(one.seat).open("ab") as complaints:
            async with a_process(self._command(one.seat), environment, complaints) as process:
                one.process = process
                await self._listen(one, process)
                return await process.wait()

    def _command(self, seat: Seat) -> list[str]:
        order, address = self.table.order, self.table.addresses[seat]
        words = [str(seat), order.game.id, str(order.seats), str(order.seed), str(address)]
        return [self.program, *words]

    async def _listen(self, one: Watched, process: trio.Process) -> None:
        assert process.stdout is not None, "it was asked for"
        rest = b""
        async for chunk in process.stdout:
            before = one.height, one.is_over
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if not one.is_killed:
                    one.hear(line)
            if (one.height, one.is_over) != before:  # who only asks the others gets nowhere
                self._alive()
            await self._end_if_over()

    async def _end_if_over(self) -> None:
        """Let all processes end, once nobody has anything to do any more."""
        living = [one for one in self.seats if not one.is_gone]
        if all(one.is_over for one in living):
            if self.needed_until is not None:
                await self.needed_until.wait()
            for one in living:
                assert one.process is not None, "it has said that it is over"
                if one.process.stdin is not None:
                    await one.process.stdin.aclose()


def _is_due(kill: Kill, height: int, batches: int) -> bool:
    return height > kill.height or (height == kill.height and batches >= kill.batches)


@asynccontextmanager
async def a_process(
    words: Sequence[str], environment: Mapping[str, str], complaints: IO[bytes] | int
) -> AsyncIterator[trio.Process]:
    """Start a module as a process; it is killed at the end of the block, if it has not ended."""
    process = await trio.lowlevel.open_process(
        [sys.executable, "-P", "-m", *words],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        start_new_session=True,  # Ctrl-C is for whoever watches
    )
    try:
        yield process
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
            for stream in (process.stdin, process.stdout):
                assert stream is not None, "it was asked for"
                await stream.aclose()
