"""`nodealer watch`: follows the table of others."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.seats import add_network, add_player, add_screen

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Shows you a table at which others play, without anybody's cards. Your program checks every entry
by itself, as the players' programs do, and keeps what it saw: the transcript can be verified
later. You hear what the players say to each other, and say nothing.

There are two ways to a table: an invite to watch, which its host has given you, or the whole mark
of the table and where one of its players can be reached.

examples:
  nodealer watch
  nodealer watch @invite.txt
  nodealer watch 8049f5                      on at a table that you watched before
  nodealer watch TABLE /ip4/192.0.2.7/tcp/4001/p2p/12D3KooW...
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `watch`."""
    watch = commands.add_parser(
        "watch",
        help="follow the table of others",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    watch.add_argument(
        "table",
        metavar="INVITE|TABLE",
        nargs="?",
        help="an invite to watch (- for standard input, @FILE), or the mark of a table",
    )
    watch.add_argument(
        "addresses",
        metavar="ADDRESS",
        nargs="*",
        help="of a player: a multiaddr that ends with /p2p/ and the id of the player's key",
    )
    add_player(watch)
    add_network(watch)
    add_screen(watch)
    watch.set_defaults(module="nodealer.cli.watch_table", yes=True)
