"""Transcripts that somebody names, read and judged, and telling how far a long work has come.

A file that cannot be read is an answer and not a failure of the program: what reads it says so of
that file, and goes on with the next one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

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


def read_judged(name: str, expected: Expected | None = None) -> JudgedFile:
    """Return the report on a file, or on why it cannot be had."""
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(TRANSCRIPT_BYTES_MAX + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(TRANSCRIPT_BYTES_MAX + 1)
    except OSError as error:
        return unreadable(error.strerror or str(error))
    except ValueError as error:  # a name with a zero byte
        return unreadable(str(error))
    if len(data) > TRANSCRIPT_BYTES_MAX:
        return unreadable("larger than any transcript")
    if not data:
        return unreadable("the file is empty")
    return judge_bytes(data, expected or Expected(), watch=show_progress)


def show_progress(done: int, of: int) -> None:
    """Draw a bar on standard error, if that is a terminal and there is much to do."""
    if of < _STEPS_SHOWN or not sys.stderr.isatty():
        return
    if done == of:
        sys.stderr.write("\r" + " " * (_WIDTH + 20) + "\r")
    elif done * 100 // of != (done - 1) * 100 // of:
        filled = done * _WIDTH // of
        sys.stderr.write(f"\r[{'#' * filled}{' ' * (_WIDTH - filled)}] {done} of {of}")
    sys.stderr.flush()
