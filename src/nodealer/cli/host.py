"""`nodealer host`: opens a table for friends."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.numbers import whole_number
from nodealer.cli.seats import add_lobby, add_network, add_player, add_rules, add_screen

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Opens a lobby and prints an invite: one line, also as a QR code, for whoever is to come. You see who
comes, with words by which you can tell on the telephone that it is they; you can change the rules,
send somebody away (`help` lists what can be typed), and `start`. When everybody has accepted rules
and seats, the table is founded and the game begins. Nobody but those with the invite gets in; it is
good until then. If the program was stopped meanwhile, the same command goes on in that lobby, or
at the table that it has become; without GAME it is the last one, and `--new` opens another.

examples:
  nodealer host macaua --seats 3
  nodealer host                              go on in the lobby that was left open
  nodealer host macaua --seats 2 --clock letters --listen /ip4/192.0.2.7/tcp/4001
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `host`."""
    host = commands.add_parser(
        "host",
        help="open a table for friends on other machines",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    host.add_argument(
        "game", metavar="GAME", nargs="?", help="the id of a game (default: the last lobby goes on)"
    )
    host.add_argument(
        "--seats",
        type=whole_number(2, 10),
        default=2,
        metavar="N",
        help="2 to 10, yours included (default: 2)",
    )
    host.add_argument("--new", action="store_true", help="another lobby, whatever is open already")
    host.add_argument("--qr", action=argparse.BooleanOptionalAction, help="show the QR code or not")
    host.add_argument(
        "--watch-invite", action="store_true", help="print an invite to watch as a second line"
    )
    add_lobby(host)
    add_rules(host)
    add_player(host)
    add_network(host)
    add_screen(host)
    host.set_defaults(module="nodealer.cli.host_table")
