"""`nodealer leave`: leaves a table for good."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.seats import add_network, add_profile

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Resigns: signs the last word of your seat at a table, and passes it on. It cannot be taken back.
The others go on without you as they have agreed; with two at a table the other one has won. Then
it waits for a moment until they have taken notice; if they are not there, `nodealer resume` passes
it on later. To close the program and come back, simply close it: nothing needs to be left for that.

examples:
  nodealer leave 8049f5
  nodealer leave 8049f5 --yes
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `leave`."""
    leave = commands.add_parser(
        "leave",
        help="leave a table for good: resign",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    leave.add_argument("table", metavar="TABLE", help="its mark, or how it begins")
    leave.add_argument("--yes", action="store_true", help="do not ask whether you are sure")
    leave.add_argument("--json", action="store_true", help="what was done as one JSON object")
    add_profile(leave)
    add_network(leave)
    leave.set_defaults(module="nodealer.cli.leave_table")
