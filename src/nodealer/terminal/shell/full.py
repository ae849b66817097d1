"""The screen at work: snapshots and keys come in, lines that have changed go out.

Four tasks share one `_Session`: one follows the driver, one reads keys, one hears of signals, one
draws. All but the drawing only change what is to be drawn and say so; drawing is done when there is
time for it, so that many changes at once are one drawing.

An interrupt (`SIGINT`) from outside is heard as the other signals are, and raised as what it is
once the terminal is given back. Raised wherever the program happens to be it could be lost: what
comes out of the callback of a weak reference, or of others that C calls, is only printed.
"""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Final

import trio

from nodealer.show import (
    PUT_AWAY,
    TICKS_A_SECOND,
    Driver,
    Snapshot,
    granted,
)
from nodealer.terminal.control import (
    QUIT,
    Control,
    Signal,
    Wish,
    control_for,
    follow,
    press,
)
from nodealer.terminal.keyboard import Decoder, Key, Pressed
from nodealer.terminal.screen import Drawing, draw
from nodealer.terminal.shell.terminal import Ending, Terminal
from nodealer.terminal.spans import styled
from nodealer.verify import printable

ESCAPE_SECONDS = 0.05
"""An escape after which nothing comes for so long is the key."""

IDLE_SECONDS: Final = 5
"""Who has pressed no key for so long is rung for when it is their turn."""

BELL: Final = "\a"

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_WATCHED = (signal.SIGWINCH, signal.SIGCONT, *_ENDING)

WHOLE: Final = "\x1b[?2026h"
SHOWN: Final = "\x1b[?2026l"
"""Around a drawing: a terminal that knows these shows it at once, and never half of it."""


class _Session:
    """The picture that is shown now, and what the player has begun."""

    def __init__(self, driver: Driver, terminal: Terminal) -> None:
        self.driver = driver
        self.terminal = terminal
        self.snapshot: Snapshot | None = None
        self.arrived = 0.0
        self.control: Control | None = None
        self.drawn: Drawing | None = None
        self.ending: Ending | None = None
        self.is_interrupted = False
        self.pressed = trio.current_time()
        """When a key was pressed last."""
        self.has_to_ring = False
        self._changed = trio.Event()

    async def run(self) -> Ending:
        """Show the table until it is over, or the player has enough."""
        async with trio.open_nursery() as nursery:
            for task in (self._follow, self._hear, self._grow_old):
                nursery.start_soon(task)
            nursery.start_soon(self._read, nursery)
            await self._draw()
            nursery.cancel_scope.cancel()
        assert self.ending is not None, "drawing ends with a reason"
        return self.ending

    def _touch(self) -> None:
        self._changed.set()

    def _end(self, ending: Ending) -> None:
        self.ending = self.ending or ending
        self._touch()

    # In.

    async def _follow(self) -> None:
        async for snapshot in self.driver.updates():
            was_asked = self.snapshot is None or self.snapshot.asked is not None
            self.snapshot, self.arrived = snapshot, trio.current_time()
            if snapshot.asked is not None and not was_asked:
                self.has_to_ring = self.arrived >= self.pressed + IDLE_SECONDS
            if self.control is None:
                size, has_signs = self.terminal.size(), self.terminal.has_signs
                self.control = control_for(snapshot, size, has_signs=has_signs)
            else:
                self.control = follow(self.control, snapshot)
            self._touch()
        self._end(Ending.OVER)

    async def _grow_old(self) -> None:
        """Let the times on the screen pass while nothing else happens."""
        while True:
            await trio.sleep(1)
            self._touch()

    async def _hear(self) -> None:
        with trio.open_signal_receiver(*_WATCHED) as heard:
            async for number in heard:
                if number in _ENDING:
                    self.is_interrupted = self.is_interrupted or number == signal.SIGINT
                    self._end(Ending.SIGNAL)
                if number == signal.SIGCONT:
                    self.terminal.take()
                self._redraw()

    async def _read(self, nursery: trio.Nursery) -> None:
        decoder = Decoder()
        while True:
            data = b""
            with trio.move_on_after(ESCAPE_SECONDS if decoder.is_waiting else float("inf")) as late:
                data = await self.terminal.read()
            if late.cancelled_caught:
                decoder, keys = decoder.flush()
            elif data:
                decoder, keys = decoder.feed(data)
            else:
                self._end(Ending.GONE)
                return
            if keys:
                self.pressed = trio.current_time()
            for key in keys:
                wish = self._press(key)
                if wish is not None:
                    # By itself: whatever holds it up, the player can still close the program.
                    nursery.start_soon(self._grant, wish)

    def _press(self, key: Key) -> Wish | None:
        if self.control is None or self.snapshot is None:
            return QUIT if key == Pressed("interrupt") else None
        self.control, wish = press(self.control, key, self.snapshot)
        self._touch()
        return wish

    async def _grant(self, wish: Wish) -> None:
        if wish == QUIT:
            self._end(Ending.QUIT)
        elif isinstance(wish, Signal):
            if wish is Signal.STOP:
                self.terminal.stop()
            self._redraw()
        elif (said := await granted(self.driver, wish)) and self.control is not None:
            self.control = replace(self.control, message=said)
            self._touch()
        elif wish == PUT_AWAY:
            self._end(Ending.QUIT)

    # Out.

    def _redraw(self) -> None:
        """Draw everything, at the size that the window has now."""
        self.drawn = None
        if self.control is not None:
            self.control = replace(self.control, size=self.terminal.size())
        self._touch()

    async def _draw(self) -> None:
        while self.ending is None:
            await self._changed.wait()
            self._changed = trio.Event()
            if self.snapshot is None or self.control is None:
                continue
            passed = trio.current_time() - self.arrived
            now = self.snapshot.now + int(passed * TICKS_A_SECOND)
            drawing = draw(replace(self.snapshot, now=now), self.control)
            text = _difference(self.drawn, drawing, self.terminal)
            bell, self.has_to_ring = BELL if self.has_to_ring else "", False
            self.drawn = drawing
            if bell:
                await self.terminal.write(bell)
            if text:
                await self.terminal.write(f"{WHOLE}{text}{SHOWN}")


def _difference(before: Drawing | None, after: Drawing, terminal: Terminal) -> str:
    """Return what makes one drawing of the other; without one before it, all of it."""
    rows = [] if before is not None else ["\x1b[2J"]
    if terminal.has_title and (before is None or before.title != after.title):
        rows.insert(0, f"\x1b]2;{printable(after.title)}\x1b\\")
    for number, shown in enumerate(after.lines):
        if before is None or before.lines[number] != shown:
            rows.append(f"\x1b[{number + 1};1H\x1b[0m\x1b[2K{styled(shown, terminal.palette)}")
    if after.cursor is not None:
        row, column = after.cursor
        rows.append(f"\x1b[{row + 1};{column + 1}H\x1b[?25h")
    elif before is None or before.cursor is not None:
        rows.append("\x1b[?25l")
    return "".join(rows)


async def run_full(driver: Driver, terminal: Terminal) -> Ending:
    """Show a table on a terminal; it is given back whatever happens."""
    session = _Session(driver, terminal)
    with terminal.taken():
        ending = await session.run()
    if session.is_interrupted:
        raise KeyboardInterrupt
    return ending
