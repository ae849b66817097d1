"""`nodealer seat`: lets a client that was written for a game's server sit down at a table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.numbers import whole_number
from nodealer.cli.seats import add_network, add_profile

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

PORT_MAX = 65535

DESCRIPTION = """\
Opens one of your tables, and serves your seat to a program of yours: in the words of the server
for which that program was written, on a port of this machine. The first line of the output is a
JSON object with the address and the token that the program has to show.

examples:
  nodealer seat 8049f5 --protocol take5
  nodealer seat --protocol 66-v2 --websocket --origin http://localhost:8000
"""

EPILOG = """\
Over a plain socket every message is a line of JSON, and the first line is the token. With
--websocket every message is a text, and the path is the token; pages of the web are refused but
those whose origin is given. One program at a time is served; it may come back whenever it likes.
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `seat`."""
    seat = commands.add_parser(
        "seat",
        help="let a program of yours play, in the protocol of its server",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    seat.add_argument(
        "table", metavar="TABLE", nargs="?", help="its mark, or how it begins (default: the last)"
    )
    seat.add_argument(
        "--protocol",
        required=True,
        metavar="NAME",
        help="what is spoken, of the protocols that the table's game has: take5 for 6 nimmt!,"
        " 66-v1 or 66-v2 for 66",
    )
    seat.add_argument(
        "--port",
        type=whole_number(0, PORT_MAX),
        default=0,
        metavar="N",
        help="the port of this machine (default: a free one)",
    )
    seat.add_argument("--websocket", action="store_true", help="WebSocket in place of lines")
    seat.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="a page that may come, such as http://localhost:8000; may be given several times",
    )
    add_profile(seat)
    add_network(seat)
    seat.add_argument("--json", action="store_true", help="the result as one JSON object")
    seat.set_defaults(module="nodealer.cli.seat_table")
