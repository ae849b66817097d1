"""A client that is started here: its standard input and output are the connection.

A program that speaks lines of JSON with its server needs no socket then and no token: what it
writes is what it says, line by line, and what it is told it reads. Its messages for people go to
standard error, as they came. When nothing more is to be said its input ends, and it has a moment to
end by itself.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import trio

from nodealer.loopback import ChannelEnded
from nodealer.seat.shell.line_wire import LineWire
from nodealer.seat.shell.wire import Talk

FAREWELL_SECONDS: Final = 5.0
"""So long a program may take to end by itself."""


async def serve_program(command: Sequence[str], talk: Talk) -> int:
    """Start a program, and serve it until it ends or is cancelled; return its exit code.

    Raises `OSError` if it cannot be started.
    """
    process = await trio.lowlevel.open_process(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    try:
        with suppress(ChannelEnded):
            await talk(LineWire(trio.StapledStream(process.stdin, process.stdout)))
    finally:
        with trio.CancelScope(shield=True):
            await process.stdin.aclose()
            with trio.move_on_after(FAREWELL_SECONDS):
                await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()
            await process.stdout.aclose()
    return await process.wait()
