"""A real terminal: taken for the screen, measured, written to, and always given back.

Taking it means raw keys, the other screen, no cursor, marked pastes. Whatever happens in between
(the end of the program, an error, a signal) it is given back as it was: that is the `finally` of
`taken`. A process that is killed outright cannot do that; `reset` helps then.

Bytes are written by a thread, one write at a time, and read when the terminal says that there are
some. So a terminal that takes nothing, as when somebody has stopped it, never stops the node that
runs in the same process. File descriptors stay blocking: they are shared with whoever started us.
"""

from __future__ import annotations

import os
import signal
import termios
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

import trio

from nodealer.terminal.control import Size
from nodealer.terminal.shell.threads import in_thread
from nodealer.terminal.spans import Palette

_TAKE: Final = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[2J"
_TITLE_KEPT: Final = "\x1b[22;2t"
_TITLE_BACK: Final = "\x1b[23;2t"
_GIVE_BACK: Final = "\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l"

READ_BYTES: Final = 4096

STUCK_SECONDS: Final = 1
"""A terminal that takes nothing for so long is given back without waiting for it."""

_IN_ASCII: Final[Mapping[int, str]] = MappingProxyType(
    {ord("…"): "~", ord("▶"): ">", ord("│"): "|"}
)
"""Signs of ours that take as many columns in ASCII."""


class Ending(Enum):
    """The reason why the table is no longer shown."""

    QUIT = "quit"
    OVER = "over"
    SIGNAL = "signal"
    GONE = "gone"


class Terminal:
    """A terminal, by the file descriptors of its input and output."""

    def __init__(
        self, source: int, sink: int, encoding: str, palette: Palette, *, has_title: bool = False
    ) -> None:
        self.source = source
        self.sink = sink
        self.encoding = encoding
        self.palette = palette
        self.has_title = has_title
        """Whether its window has a title, which is the table's as long as it is shown."""
        self._before: list[Any] | None = None
        self._writing = trio.Lock()
        self._sending = threading.Lock()

    @property
    def has_signs(self) -> bool:
        """Whether it shows signs beyond ASCII."""
        return self.encoding.lower().replace("-", "") == "utf8"

    def size(self) -> Size:
        """Return how large it is now; what cannot be measured has the old size of terminals."""
        try:
            columns, rows = os.get_terminal_size(self.sink)
        except OSError:
            columns, rows = 80, 24
        return Size(columns or 80, rows or 24)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Have the terminal for the screen."""
        self.take()
        try:
            yield
        finally:
            self.give_back()

    def take(self) -> None:
        """Take the terminal."""
        if self._before is None:
            self._before = termios.tcgetattr(self.source)
        raw = termios.tcgetattr(self.source)
        raw[0] &= ~(termios.IXON | termios.ICRNL | termios.INLCR | termios.ISTRIP | termios.BRKINT)
        raw[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self.source, termios.TCSANOW, raw)
        title = _TITLE_KEPT if self.has_title else ""
        os.write(self.sink, f"{title}{_TAKE}".encode())

    def give_back(self) -> None:
        """Give it back; a terminal that is gone needs nothing."""
        if self._before is None:
            return
        before, self._before = self._before, None
        # A drawing that is on its way ends first, unless the terminal takes nothing at all.
        has_ended = self._sending.acquire(timeout=STUCK_SECONDS)
        with suppress(OSError, termios.error):
            title = _TITLE_BACK if self.has_title else ""
            os.write(self.sink, f"{_GIVE_BACK}{title}".encode())
            # What was typed for the table is not meant for the shell.
            termios.tcflush(self.source, termios.TCIFLUSH)
            termios.tcsetattr(self.source, termios.TCSANOW, before)
        if has_ended:
            self._sending.release()

    def stop(self) -> None:
        """Put the program aside, as Ctrl-Z does, and take the terminal again afterwards."""
        self.give_back()
        os.kill(0, signal.SIGTSTP)
        self.take()

    async def read(self) -> bytes:
        """Wait for what is typed; nothing means that the terminal is gone."""
        await trio.lowlevel.wait_readable(self.source)
        try:
            return os.read(self.source, READ_BYTES)
        except OSError:  # how Linux says that the other side is closed
            return b""

    async def write(self, text: str) -> None:
        """Write text; signs that the terminal has not become others."""
        if not self.has_signs:
            text = text.translate(_IN_ASCII)
        data = text.encode(self.encoding, "replace")
        async with self._writing:
            await in_thread(self._write_all, data)

    def _write_all(self, data: bytes) -> None:
        # Whoever reads notices that the terminal is gone.
        with self._sending, suppress(OSError):
            while data:
                data = data[os.write(self.sink, data) :]
