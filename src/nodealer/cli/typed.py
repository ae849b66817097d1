"""Lines that are typed while something else goes on.

A line is read byte by byte and not further than its end: what follows belongs to whoever reads
next, which may be the screen of a table. Whoever waits for a line can be cancelled at any time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import trio

from nodealer.cli.output import complain
from nodealer.kernel import NodealerError
from nodealer.store import StoreError

STANDARD_INPUT: Final = 0

S = TypeVar("S")

LINE_BYTES_MAX: Final = 1 << 14
"""Longer than any invite with what may be pasted around it."""


@dataclass(frozen=True, slots=True)
class Typable(Generic[S]):
    """The line that can be typed: how it is shown, what it does, and what does it."""

    shown: str
    text: str
    does: Callable[[S, str], list[str]]


def do_typed(commands: Mapping[str, Typable[S]], session: S, line: str) -> None:
    """Do what is typed, and say what came of it; what is refused has changed nothing."""
    name, _, rest = line.strip().partition(" ")
    if not name:
        return
    command = commands.get(name.lower())
    lines = ["there is no such command; `help` lists them"]
    try:
        if command is not None:
            lines = command.does(session, rest.strip())
    except StoreError:  # nothing can be stored: that ends more than a command
        raise
    except NodealerError as error:
        lines = [error.detail or error.reason.meaning]
    complain(*lines)


def help_lines(commands: Mapping[str, Typable[S]]) -> list[str]:
    """Return the list of what can be typed."""
    return [f"{one.shown:<18} {one.text}" for one in dict.fromkeys(commands.values())]


async def typed_line() -> str | None:
    """Return the next line of standard input without its end; none when there will be no more."""
    line, byte = b"", b""
    while len(line) < LINE_BYTES_MAX:
        await _readable()
        try:
            byte = os.read(STANDARD_INPUT, 1)
        except OSError:  # a terminal that was closed
            byte = b""
        if byte in (b"", b"\n"):
            break
        line += byte
    else:
        return line.decode(errors="replace")
    return line.decode(errors="replace") if line or byte else None


def prompted_line(prompt: str) -> str | None:
    """Ask on standard error, and return the line that is typed."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return trio.run(typed_line)


async def _readable() -> None:
    try:
        await trio.lowlevel.wait_readable(STANDARD_INPUT)
    except OSError:  # an ordinary file, which is always readable, cannot be waited for
        await trio.lowlevel.checkpoint()
