"""Tells a recorded game: all at once, or entry by entry to somebody at a terminal.

A file that is not sound is told as far as it goes, with the verdict at the end; one that cannot be
read is not told at all.
"""

from __future__ import annotations

import argparse
import sys

from nodealer.cli.files import UnreadableFileError, read_bytes, show_progress
from nodealer.cli.output import complain, emit_text
from nodealer.verify import JudgedFile, Told, judge_bytes, story, unreadable


def run(args: argparse.Namespace) -> int:
    """Tell the game."""
    judged = read_judged(args.file)
    waits = sys.stdin.isatty() and sys.stdout.isatty() and judged.tip is not None
    if waits:
        complain("Enter goes on, q ends.")
    for told in story(judged):
        emit_text(as_text(told))
        if waits and told.height is not None and _is_enough():
            break
    return judged.report.exit_code if judged.transcript is None else 0


def read_judged(name: str) -> JudgedFile:
    """Return the report on a file, or on why it cannot be had."""
    try:
        return judge_bytes(read_bytes(name), watch=show_progress)
    except UnreadableFileError as error:
        return unreadable(str(error))


def as_text(told: Told) -> str:
    """Return what is told of an entry, its height in front."""
    mark = "" if told.height is None else str(told.height)
    first, *others = told.sentences or ("",)
    return "\n".join([f"{mark:>4}  {first}".rstrip(), *(f"      {line}" for line in others)])


def _is_enough() -> bool:
    """Wait for Enter; say whether it was q, or the end of the input."""
    line = sys.stdin.readline()
    return not line or line.strip().lower() == "q"
