"""`nodealer replay`: a recorded game, told as people read it.

It is told all at once, or entry by entry to somebody at a terminal. A file that is not sound is
told as far as it goes, with the verdict at the end; one that cannot be read is not told at all.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from nodealer.cli.output import complain, emit_text
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import TRANSCRIPT_HELP, add_profile_name

if TYPE_CHECKING:
    from nodealer.verify import Told

DESCRIPTION = """\
Tells a recorded game, entry by entry: who shuffled and dealt, what was played, who was left
out and why, and what the judge makes of it. On a terminal it waits after every entry: Enter
goes on, q ends. Cards that were never opened to everybody are not in a record.

examples:
  nodealer replay game.ndt
  nodealer replay 8049f5                     one of your tables, by its mark
  nodealer replay game.ndt | less
"""


def register(commands: Commands) -> None:
    """Describe `replay`."""
    replay = add_command(commands, "replay", "tell a recorded game, step by step", DESCRIPTION)
    replay.add_argument("file", metavar="FILE|TABLE", help=TRANSCRIPT_HELP)
    add_profile_name(replay)


def run(args: argparse.Namespace) -> int:
    """Tell the game."""
    from nodealer.cli.files import read_judged
    from nodealer.verify import story

    judged = read_judged(args.file, args.profile, is_told=True)
    waits = sys.stdin.isatty() and sys.stdout.isatty() and judged.tip is not None
    if waits:
        complain("Enter goes on, q ends.")
    for told in story(judged):
        emit_text(as_text(told))
        if waits and told.height is not None and _is_enough():
            break
    return judged.report.exit_code if judged.transcript is None else 0


def as_text(told: Told) -> str:
    """Return what is told of an entry, its height in front."""
    mark = "" if told.height is None else str(told.height)
    first, *others = told.sentences or ("",)
    return "\n".join([f"{mark:>4}  {first}".rstrip(), *(f"      {line}" for line in others)])


def _is_enough() -> bool:
    """Wait for Enter; say whether it was q, or the end of the input."""
    line = sys.stdin.readline()
    return not line or line.strip().lower() == "q"
