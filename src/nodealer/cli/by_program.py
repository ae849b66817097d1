"""A program of the player in the player's place: it speaks the dialogue over its input and output.

A text is a line. When the game is over the program is told what there is still to tell, and then
the end of its input; a program that ends before that has had enough, and the table stays. What it
writes to standard error its player reads. The words are in specs/12-dialogue.md.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import suppress
from typing import Final

import trio

from nodealer.dialogue import TEXT_BYTES_MAX, GrantedWish, HomeWish, with_table
from nodealer.home import refused
from nodealer.kernel import LocalError, Reason
from nodealer.show import Driver, SeatStanding, granted
from nodealer.steward import CarryOut, DialogueVisit, ServedDialogue

PART_BYTES: Final = 16_384

TOO_LONG: Final = " " * (TEXT_BYTES_MAX + 1)
"""In place of a line that is longer than any wish."""

ENDED: Final = frozenset({SeatStanding.OVER, SeatStanding.LEFT, SeatStanding.LEFT_OUT})


async def play_by_program(driver: Driver, *, command: str) -> None:
    """Let a program play until the game is over, or the program has enough."""
    served = ServedDialogue(carried_out_by(driver))
    process = await _started(command)
    try:
        async with served.open_visit() as visit, trio.open_nursery() as nursery:
            nursery.start_soon(show_to_the_end, driver, served)
            nursery.start_soon(_tell, visit, process)
            await _listen(visit, process)
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await _stop(process)


async def _stop(process: trio.Process) -> None:
    process.kill()
    await process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None, "both were asked for"
        await stream.aclose()


async def _started(command: str) -> trio.Process:
    try:
        words = shlex.split(command) or [""]
        return await trio.lowlevel.open_process(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
        )
    except (OSError, ValueError) as error:
        detail = f"{command!r} cannot be started: {error}"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail) from error


def carried_out_by(driver: Driver) -> CarryOut:
    """Return how wishes at one table are carried out, where there is nothing else."""

    async def carry_out(wish: GrantedWish, page: int) -> str:
        del page
        if isinstance(wish, HomeWish):
            raise refused("here is one table, and nothing else")
        if why := await granted(driver, wish):
            raise refused(why)
        return ""

    return carry_out


async def show_to_the_end(driver: Driver, served: ServedDialogue) -> None:
    """Show a table until it is over for its player, and say no more after that."""
    async for snapshot in driver.updates():
        served.show(with_table, snapshot)
        if snapshot.state in ENDED:
            break
    served.end()


async def _tell(visit: DialogueVisit, process: trio.Process) -> None:
    assert process.stdin is not None, "it was asked for"
    with suppress(trio.BrokenResourceError):  # it reads no more; it is heard to its end
        while (text := await visit.next_text()) is not None:
            await process.stdin.send_all(text.encode() + b"\n")
    await process.stdin.aclose()


async def _listen(visit: DialogueVisit, process: trio.Process) -> None:
    """Take what the program says, line by line, until it ends."""
    assert process.stdout is not None, "it was asked for"
    line, is_too_long = b"", False
    while data := await process.stdout.receive_some(PART_BYTES):
        *whole, rest = (line + data).split(b"\n")
        for one in whole:
            await visit.receive(TOO_LONG if is_too_long else one.decode(errors="replace"))
            is_too_long = False
        is_too_long = is_too_long or len(rest) > TEXT_BYTES_MAX
        line = b"" if is_too_long else rest
