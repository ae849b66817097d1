"""Draws the terminal of a real game as a picture: `specs/pictures/terminal.svg`, for the readme.

    .venv/bin/python scripts/make_picture.py [PATH] [--bots N]

The program is started on a terminal of its own, as by somebody who types the first command; bots
play until that somebody has the turn. What the terminal shows then is drawn letter by letter. The
sequences understood are those that `nodealer.terminal` writes; anything else is an error, so that
a picture is never of half a screen.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fcntl import ioctl
from html import escape
from itertools import groupby
from pathlib import Path
from termios import TIOCSWINSZ
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "specs" / "pictures" / "terminal.svg"

COLUMNS, ROWS = 80, 24
COLUMN_PX, ROW_PX, EDGE_PX = 8.4, 18, 14

YOUR_TURN: Final = "Your turn"
SHUFFLES: Final = "shuffled the deck and proved it, in "
"""What is to be seen; it has gone from a small screen where many have played before."""

GAMES_MAX: Final = 20
PATIENCE_SECONDS: Final = 120
DRAWN: Final = b"\x1b[?2026l"
"""Behind a whole drawing: what came before it is on the screen."""

COLOURS: Final = {"": "#d8dee9", "1": "#ffffff", "2": "#8a93a5", "31": "#ff7b72", "1;31": "#ff7b72"}
PAPER, BAR = "#15191f", "#3b4657"

_WORDS = re.compile(r"\S+(?: \S+)*")
"""What stands together: several spaces are one to whoever shows a picture."""

_SEQUENCE = re.compile(r"\x1b\[(?P<given>[?\d;]*)(?P<kind>[A-Za-z])")


@dataclass(slots=True)
class Shown:
    """What a terminal shows: letters and their looks."""

    letters: list[list[tuple[str, str]]] = field(
        default_factory=lambda: [[(" ", "")] * COLUMNS for _ in range(ROWS)]
    )
    row: int = 0
    column: int = 0
    look: str = ""

    def write(self, text: str) -> None:
        """Take what a program writes."""
        at = 0
        while at < len(text):
            if found := _SEQUENCE.match(text, at):
                self._obey(found["given"], found["kind"])
                at = found.end()
            else:
                self._put(text[at])
                at += 1

    def _put(self, letter: str) -> None:
        if not letter.isprintable():
            raise ValueError(f"a terminal is sent {letter!r}")
        self.letters[self.row][self.column] = letter, self.look
        self.column = min(self.column + 1, COLUMNS - 1)

    def _obey(self, given: str, kind: str) -> None:
        match kind:
            case "H":
                self.row, self.column = (int(one) - 1 for one in given.split(";"))
            case "J" if given == "2":
                self.letters = [[(" ", "")] * COLUMNS for _ in range(ROWS)]
            case "K" if given == "2":
                self.letters[self.row] = [(" ", "")] * COLUMNS
            case "m":
                self.look = "" if given == "0" else given
            case "h" | "l" if given.startswith("?"):
                pass  # the other screen, the cursor, pastes, whole drawings
            case _:
                raise ValueError(f"a terminal is sent a sequence {given}{kind}")

    def text(self) -> str:
        """Return the letters alone."""
        return "\n".join("".join(one for one, _ in row).rstrip() for row in self.letters)


def seen(bots: int) -> Shown:
    """Begin games until one shows on the first turn all that there is to be seen."""
    for _ in range(GAMES_MAX):
        shown = on_first_turn(bots)
        if SHUFFLES in shown.text():
            return shown
    raise TimeoutError(f"in {GAMES_MAX} games nothing was seen of the shuffles")


def on_first_turn(bots: int) -> Shown:
    """Play the first command until it is somebody's turn; return what is on the screen then."""
    master, slave = pty.openpty()
    ioctl(slave, TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        command = ["play", "macaua", "--bots", str(bots), "--name", "Ana", "--terminal"]
        playing = subprocess.Popen(
            [sys.executable, "-P", "-m", "nodealer", *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={
                **{name: value for name, value in os.environ.items() if name != "NO_COLOR"},
                "NODEALER_HOME": home,
                "TERM": "vt220",
                "LANG": "C.UTF-8",
                "PYTHONUTF8": "1",
            },
        )
        os.close(slave)
        try:
            return _until_your_turn(master)
        finally:
            playing.kill()
            playing.wait()
            os.close(master)


def _until_your_turn(master: int) -> Shown:
    shown, taken = Shown(), b""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([master], [], [], left)[0]:
            break
        taken += os.read(master, 65536)
        whole, end, rest = taken.rpartition(DRAWN)
        if end:
            shown.write((whole + end).decode())
            taken = rest
        if YOUR_TURN in shown.text():
            return shown
    raise TimeoutError(f"nobody had the turn; this was to be seen:\n{shown.text()}")


def drawn(shown: Shown) -> str:
    """Return the picture of a terminal."""
    width, height = COLUMNS * COLUMN_PX + 2 * EDGE_PX, ROWS * ROW_PX + 2 * EDGE_PX
    what = 'role="img" aria-label="A game of Macaua in a terminal"'
    fonts = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {what}>',
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
        f'<g font-family="{fonts}" font-size="14">',
    ]
    for number, row in enumerate(shown.letters):
        column = 0
        for look, group in groupby(row, lambda one: one[1]):
            text = "".join(letter for letter, _ in group)
            parts.extend(_run(text, look, column, number))
            column += len(text)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _run(text: str, look: str, column: int, row: int) -> Iterator[str]:
    """Yield letters of one look; how long they are is said, so that columns keep their places."""
    x, y = EDGE_PX + column * COLUMN_PX, EDGE_PX + row * ROW_PX
    if look == "7":
        long = len(text) * COLUMN_PX
        yield f'<rect x="{x:g}" y="{y:g}" width="{long:g}" height="{ROW_PX}" fill="{BAR}"/>'
    looks = f'fill="{COLOURS.get(look, COLOURS[""])}"'
    if look.startswith("1"):
        looks += ' font-weight="bold"'
    for word in _WORDS.finditer(text):
        at, long = x + word.start() * COLUMN_PX, len(word[0]) * COLUMN_PX
        place = f'x="{at:g}" y="{y + 13:g}" textLength="{long:g}"'
        yield f"<text {place} {looks}>{escape(word[0])}</text>"


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, nargs="?", default=PICTURE)
    parser.add_argument("--bots", type=int, default=3)
    args = parser.parse_args()
    args.path.write_text(drawn(seen(args.bots)), encoding="utf-8")


if __name__ == "__main__":
    main()
