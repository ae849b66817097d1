"""Aloud lines at work: what is new is printed, what is typed is answered.

Lines are read by a thread, since what stands behind standard input may be a file, a pipe or a
terminal. The end of the input ends the session: nobody is there to be asked.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import trio

from nodealer.show import (
    PUT_AWAY,
    TICKS_A_SECOND,
    Driver,
    Snapshot,
    granted,
)
from nodealer.terminal.aloud import Aloud, answer, tell
from nodealer.terminal.control import QUIT, Signal, Wish
from nodealer.terminal.shell.terminal import Ending
from nodealer.terminal.shell.threads import in_thread


class _Lines:
    """The lines that were told, and the newest snapshot."""

    def __init__(self, driver: Driver, *, has_signs: bool) -> None:
        self.driver = driver
        self.plain = Aloud(has_signs)
        self.snapshot: Snapshot | None = None
        self.arrived = 0.0
        self.ending: Ending | None = None
        # What is told first is printed first.
        self._printing = trio.Lock()

    async def run(self) -> Ending:
        """Tell the table until it is over, or the player has enough."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read, nursery.cancel_scope)
            nursery.start_soon(self._grow_old)
            async for snapshot in self.driver.updates():
                self.snapshot, self.arrived = snapshot, trio.current_time()
                await self._tell(snapshot)
            self.ending = Ending.OVER
            nursery.cancel_scope.cancel()
        assert self.ending is not None, "whoever ends the session says why"
        return self.ending

    async def _tell(self, snapshot: Snapshot) -> None:
        async with self._printing:
            self.plain, lines = tell(self.plain, snapshot)
            await _print(lines)

    async def _grow_old(self) -> None:
        """Let time pass while nothing else happens, so that long waits are told."""
        while True:
            await trio.sleep(1)
            if self.snapshot is not None:
                passed = int((trio.current_time() - self.arrived) * TICKS_A_SECOND)
                await self._tell(replace(self.snapshot, now=self.snapshot.now + passed))

    async def _read(self, session: trio.CancelScope) -> None:
        while self.ending is None:
            text = await in_thread(sys.stdin.readline)
            if not text:
                self.ending = Ending.GONE
            elif self.snapshot is not None:
                async with self._printing:
                    self.plain, lines, wish = answer(self.plain, text, self.snapshot)
                    await _print(lines)
                if wish is not None:
                    await _print(await self._granted(wish))
        session.cancel()

    async def _granted(self, wish: Wish) -> Sequence[str]:
        if wish == QUIT:
            self.ending = Ending.QUIT
        elif not isinstance(wish, Signal):  # lines have no such keys
            refused = await granted(self.driver, wish)
            if wish == PUT_AWAY and not refused:
                self.ending = Ending.QUIT
            return [refused] if refused else []
        return []


async def _print(lines: Sequence[str]) -> None:
    if lines:
        encoding = sys.stdout.encoding or "ascii"
        text = "".join(f"{row}\n" for row in lines).encode(encoding, "replace").decode(encoding)
        await in_thread(_write, text)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


async def run_lines(driver: Driver) -> Ending:
    """Tell a table in plain lines, on standard output."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return await _Lines(driver, has_signs=encoding == "utf8").run()
