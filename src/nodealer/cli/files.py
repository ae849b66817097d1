"""Reading files that somebody names, and telling how far a long work has come.

A file that cannot be read is an answer and not a failure of the program: what reads it says so of
that file, and goes on with the next one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from nodealer.verify import TRANSCRIPT_BYTES_MAX

STANDARD_INPUT: Final = "-"

_STEPS_SHOWN: Final = 200
"""Less than this is done before anybody could read how far it has come."""

_WIDTH: Final = 30


class UnreadableFileError(Exception):
    """A file whose bytes cannot be had; the text says why."""


def read_bytes(name: str) -> bytes:
    """Return the bytes of a file, of which there are at most as many as a transcript may have."""
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(TRANSCRIPT_BYTES_MAX + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(TRANSCRIPT_BYTES_MAX + 1)
    except OSError as error:
        raise UnreadableFileError(error.strerror or str(error)) from error
    except ValueError as error:  # a name with a zero byte
        raise UnreadableFileError(str(error)) from error
    if len(data) > TRANSCRIPT_BYTES_MAX:
        raise UnreadableFileError("larger than any transcript")
    if not data:
        raise UnreadableFileError("the file is empty")
    return data


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
