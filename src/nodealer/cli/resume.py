"""`nodealer resume`: goes on at a table that was left open."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.seats import add_network, add_profile, add_screen

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Sits you down again at a table whose game is not over, where you left it: in the middle of a
hand, of a shuffle, of anything. Without a table it is the one you were at last.

examples:
  nodealer resume
  nodealer resume 8049f5
  nodealer resume 8049f5 --salvage           from what is whole of a damaged journal
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `resume`."""
    resume = commands.add_parser(
        "resume",
        help="go on at a table that was left open",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    resume.add_argument(
        "table", metavar="TABLE", nargs="?", help="its mark, or how it begins (default: the last)"
    )
    resume.add_argument(
        "--salvage",
        action="store_true",
        help="if its journal is damaged, put that aside and go on from what is whole of it; nothing"
        " is signed before all others have said what you have signed",
    )
    resume.add_argument(
        "--take-over",
        action="store_true",
        help="go on although another machine has not closed it: only if it never opens it again",
    )
    add_profile(resume)
    add_network(resume)
    add_screen(resume)
    resume.set_defaults(module="nodealer.cli.resume_table")
