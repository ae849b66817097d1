"""`nodealer tables`: all tables of a player, and how each of them stands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.seats import add_profile

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Lists the tables at which you have played or watched, the newest first: whether the game is over,
whose turn it was, and with whom. `nodealer resume TABLE` goes on at one of them; the first signs
of its mark are enough.

examples:
  nodealer tables
  nodealer tables --json
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `tables`."""
    tables = commands.add_parser(
        "tables",
        help="list your tables",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_profile(tables)
    tables.add_argument("--json", action="store_true", help="one JSON object for each table")
    tables.set_defaults(module="nodealer.cli.list_tables")
