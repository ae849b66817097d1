"""Somebody at a terminal: a program on a pty, read and typed at while it runs.

The program gets a session of its own, so that nothing of it reaches the terminal of whoever runs
the tests; what it writes is kept as it came, without a screen being drawn of it.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_SECONDS = 90
"""Until something that must come is given up; nothing waits for so long."""

GLANCE_SECONDS = 0.05
"""Until somebody who waits for something else looks elsewhere."""


class Person:
    """A player at a terminal."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        self.seen = ""
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nodealer", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "NODEALER_HOME": str(home), "TERM": "dumb", "COLUMNS": "200"},
        )
        os.close(slave)

    def reads(self, text: str) -> str:
        """Wait until a text is there that was not read before; return all before it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.seen:
            left = deadline - time.monotonic()
            assert left > 0, f"{text!r} did not come; this did: {self.seen!r}"
            assert self._more(left), f"{text!r} did not come before the end: {self.seen!r}"
        before, _, self.seen = self.seen.partition(text)
        return before

    def rest_of_line(self) -> str:
        """Return what stands behind what was read last, to the end of its line."""
        return self.reads("\n")

    def glances(self) -> None:
        """Take in what is written in the next moment."""
        self._more(GLANCE_SECONDS)

    def types(self, line: str) -> None:
        """Type a line."""
        os.write(self.master, f"{line}\n".encode())

    def ends(self) -> int:
        """Wait for the end of the program."""
        while self._more(PATIENCE_SECONDS):
            pass
        return self.process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """Stop the program as a power cut would."""
        self.process.kill()
        self.process.wait()

    def interrupt(self) -> int:
        """Type Ctrl-C, and wait for the end."""
        self.process.send_signal(signal.SIGINT)
        return self.ends()

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        os.close(self.master)

    def _more(self, seconds: float) -> bool:
        """Take what is written next; say whether there was anything before the end."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            part = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.seen += part.decode(errors="replace").replace("\r\n", "\n")
        return bool(part)


@contextmanager
def person(home: Path, *arguments: str) -> Iterator[Person]:
    """Let somebody begin a command at a terminal."""
    made = Person(home, *arguments)
    try:
        yield made
    finally:
        made.close()
