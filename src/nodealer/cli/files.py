"""Transcripts that somebody names, read and judged, and telling how far a long work has come.

A name is that of a file, or the mark of a table of the player, or how that begins. A file is
preferred: `./8049f5` is one in any case.

A file that cannot be read is an answer and not a failure of the program: what reads it says so of
that file, and goes on with the next one.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

from nodealer.cli.output import show_step
from nodealer.kernel import NodealerError
from nodealer.verify import (
    TRANSCRIPT_BYTES_MAX,
    Expected,
    JudgedFile,
    judge_bytes,
    unreadable,
)

STANDARD_INPUT: Final = "-"

_STEPS_SHOWN: Final = 200
"""Less than this is done before anybody could read how far it has come."""

_WIDTH: Final = 30


_MARK: Final = re.compile("[0-9a-fA-F]{1,64}")
"""What may be the mark of a table."""


def read_judged(
    name: str, profile: str, expected: Expected | None = None, *, is_told: bool = False
) -> JudgedFile:
    """Return the report on a file or a table of this player, or on why it cannot be had."""
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(TRANSCRIPT_BYTES_MAX + 1)
        elif _MARK.fullmatch(name) and not Path(name).exists():
            data = _of_table(name, profile)
        else:
            with Path(name).open("rb") as file:
                data = file.read(TRANSCRIPT_BYTES_MAX + 1)
    except OSError as error:
        return unreadable(error.strerror or str(error))
    except ValueError as error:  # a name with a zero byte
        return unreadable(str(error))
    except NodealerError as error:
        return unreadable(f"no such file, and {error.detail or error}")
    if len(data) > TRANSCRIPT_BYTES_MAX:
        return unreadable("larger than any transcript")
    if not data:
        return unreadable("the file is empty")
    return judge_bytes(data, expected or Expected(), watch=show_progress, is_told=is_told)


def _of_table(mark: str, profile: str) -> bytes:
    from nodealer.home import table_by  # noqa: PLC0415 - who names a file does without it
    from nodealer.store import places_of, transcript  # noqa: PLC0415 - only a mark needs it

    home = places_of(os.environ).profile(profile)
    return transcript(home.journal(table_by(home, mark)))


def show_progress(done: int, of: int) -> None:
    """Draw a bar on standard error, if that is a terminal and there is much to do."""
    if of < _STEPS_SHOWN:
        return
    if done == of:
        show_step("")
    elif done * 100 // of != (done - 1) * 100 // of:
        filled = done * _WIDTH // of
        show_step(f"[{'#' * filled}{' ' * (_WIDTH - filled)}] {done} of {of}")
