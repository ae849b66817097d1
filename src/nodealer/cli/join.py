"""`nodealer join`: sits down at the table of a friend."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.seats import add_lobby, add_network, add_player, add_screen

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Goes to the lobby that an invite names. You see who is there and what is to be played, and sit
down only when you accept it. The invite is asked for; it can also come by standard input (-) or
from a file (@FILE), and then it does not stand in the list of processes.

examples:
  nodealer join
  nodealer join @invite.txt
  nodealer join - < invite.txt
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `join`."""
    join = commands.add_parser(
        "join",
        help="sit down at the table of a friend",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    join.add_argument(
        "invite", metavar="INVITE", nargs="?", help="the line; - for standard input, @FILE"
    )
    join.add_argument("--yes", action="store_true", help="accept whatever is offered, unseen")
    add_lobby(join)
    add_player(join)
    add_network(join)
    add_screen(join)
    join.set_defaults(module="nodealer.cli.join_table")
