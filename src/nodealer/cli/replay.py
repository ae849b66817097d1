"""`nodealer replay`: a recorded game, told as people read it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Tells a recorded game, entry by entry: who shuffled and dealt, what was played, who was left
out and why, and what the judge makes of it. On a terminal it waits after every entry: Enter
goes on, q ends. Cards that were never opened to everybody are not in a record.

examples:
  nodealer replay game.ndt
  nodealer replay game.ndt | less
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `replay`."""
    replay = commands.add_parser(
        "replay",
        help="tell a recorded game, step by step",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    replay.add_argument("file", metavar="FILE", help="a transcript; - is standard input")
    replay.set_defaults(module="nodealer.cli.tell_file")
