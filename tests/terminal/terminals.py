"""A terminal with a program on it: a real one (a pty), read as its screen would be seen.

The picture understands exactly what our shell may send, and fails on anything else. Programs run in
sessions of their own, as they do in a terminal window.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from nodealer.show.text import columns_of

PATIENCE_SECONDS: Final = 90
"""A program on a terminal that takes longer hangs; none takes a tenth of it."""

DRAWING: Final = "2026"
"""The mode in which a terminal shows nothing yet of what it is sent."""

_SENT = re.compile(
    r"\x1b\[(\??)([\d;]*)([A-Za-z])|([^\x1b])|\x1b\]2;(?P<title>[^\x1b]*)\x1b\\", re.DOTALL
)
_BEGUN = re.compile(r"\x1b(?:\[\??[\d;]*|\][^\x1b]*\x1b?)?$")


@dataclass
class Picture:
    """What is to be seen on a screen."""

    columns: int
    rows: int
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    at: tuple[int, int] = (0, 0)
    modes: set[str] = field(default_factory=set)
    colours: set[str] = field(default_factory=set)
    titles: list[str] = field(default_factory=lambda: ["shell"])
    """The title of the window, behind those that are kept."""
    bells: int = 0
    rest: str = ""

    def draw(self, text: str) -> None:
        """Take in what was sent; a sequence that has not ended is kept for later."""
        text = self.rest + text
        begun = _BEGUN.search(text)
        self.rest = "" if begun is None else text[begun.start() :]
        text = text[: len(text) - len(self.rest)]
        end = 0
        for found in _SENT.finditer(text):
            assert found.start() == end, f"nobody knows {text[end : found.start()]!r}"
            end = found.end()
            if found["title"] is not None:
                self.titles[-1] = found["title"]
            elif found[4] == "\a":
                self.bells += 1
            elif found[4]:
                self._put(found[4])
            else:
                self._obey(found[1] + found[3], found[2])
        assert end == len(text), f"nobody knows {text[end:]!r}"

    def lines(self) -> list[str]:
        """Return the rows as text."""
        return [
            "".join(self.cells.get((row, column), " ") for column in range(self.columns)).rstrip()
            for row in range(self.rows)
        ]

    def _put(self, letter: str) -> None:
        row, column = self.at
        if letter == "\r":
            self.at = (row, 0)
        elif letter == "\n":
            self.at = (row + 1, column)
        else:
            wide = columns_of(letter)
            if wide:
                self.cells[self.at] = letter
            if wide == 2:
                self.cells[row, column + 1] = ""
            self.at = (row, column + wide)

    def _obey(self, what: str, numbers: str) -> None:
        match what:
            case "?h":
                self.modes.add(numbers)
            case "?l":
                self.modes.discard(numbers)
            case "J":
                self.cells.clear()
            case "K":
                self.cells = {at: one for at, one in self.cells.items() if at[0] != self.at[0]}
            case "H":
                row, column = map(int, numbers.split(";"))
                self.at = (row - 1, column - 1)
            case "m":
                self.colours.add(numbers)
            case "t" if numbers == "22;2":
                self.titles.append(self.titles[-1])
            case "t" if numbers == "23;2":
                self.titles.pop()
            case _:
                raise AssertionError(f"nobody knows {what} {numbers}")


class Terminal:
    """A program on a terminal."""

    def __init__(
        self, *command: str, columns: int = 80, rows: int = 24, **environment: str
    ) -> None:
        self.picture = Picture(columns, rows)
        self.seen = ""
        self.deadline = time.monotonic() + PATIENCE_SECONDS
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.master)
        self.process = subprocess.Popen(
            [sys.executable, "-P", *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": _path(), **environment},
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)

    @property
    def text(self) -> str:
        """The screen as text."""
        return "\n".join(self.picture.lines())

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size; who has it in front is told by the system."""
        self.picture.columns, self.picture.rows = columns, rows
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def type(self, keys: str | bytes) -> None:
        """Type keys."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def read(self) -> bool:
        """Take in what comes next, up to the end of a drawing; say whether there will be more."""
        has_more = self._read()
        while has_more and DRAWING in self.picture.modes:
            has_more = self._read()
        return has_more

    def has_more(self, seconds: float) -> bool:
        """Wait so long whether anything comes."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        return bool(ready)

    def _read(self) -> bool:
        left = max(0, self.deadline - time.monotonic())
        ready, _, _ = select.select([self.master], [], [], left)
        assert ready, f"it takes too long; this is there:\n{self.text}"
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        text = data.decode(errors="surrogateescape")
        self.seen += text
        self.picture.draw(text)
        return bool(data)

    def wait_for(self, holds: Callable[[str], bool]) -> None:
        """Wait until something is to be seen."""
        while not holds(self.text):
            assert self.read(), f"the program has ended:\n{self.text}"

    def end(self) -> int:
        """Wait for the end of the program; return its exit code."""
        while self.read():
            pass
        return self.process.wait(PATIENCE_SECONDS)

    def is_restored(self) -> bool:
        """Say whether the terminal is as it was before."""
        is_same = termios.tcgetattr(self.master) == self.before
        return is_same and not self.picture.modes - {"25"} and "25" in self.picture.modes


def _path() -> str:
    return os.pathsep.join(path for path in sys.path if path)


def signalled(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a program that a test has started."""
    os.kill(process.pid, number)
