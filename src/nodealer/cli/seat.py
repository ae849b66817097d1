"""`nodealer seat`: lets a client that was written for a game's server sit down at a table."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from nodealer.cli.numbers import whole_number
from nodealer.cli.output import emit_json
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_profile, add_table

if TYPE_CHECKING:
    from nodealer.cli.finish import PlayedSitting
    from nodealer.home import Shelf
    from nodealer.node import Room
    from nodealer.store import Journal

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


def register(commands: Commands) -> None:
    """Describe `seat`."""
    seat = add_command(
        commands,
        "seat",
        "let a program of yours play, in the protocol of its server",
        DESCRIPTION,
        EPILOG,
    )
    add_table(seat)
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


TOKEN_BYTES: Final = 24


def run(args: argparse.Namespace) -> int:
    """Find the table, and serve."""
    from nodealer.cli.at_table import finish
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import opened_table, table_by

    shelf = shelf_of(args)
    table = table_by(shelf.profile, args.table)
    with opened_table(shelf, table) as (journal, rooms):
        played = run_trio(_serve, args, shelf, journal, rooms)
    return finish(args, shelf, table, played)


async def _serve(
    args: argparse.Namespace, shelf: Shelf, journal: Journal, rooms: Sequence[Room]
) -> PlayedSitting:
    import secrets

    import trio

    from nodealer.cli.at_table import listening
    from nodealer.cli.finish import PlayedSitting
    from nodealer.games import seed_protocol
    from nodealer.home import SeatClient, linger, net_seen, refused, sitting_at
    from nodealer.seat import Door, listen, port_of, serve_lines, serve_websocket
    from nodealer.store import places_of, setting_of
    from nodealer.table import HEEDING

    setting = setting_of(journal.charter, journal.path)
    protocol = seed_protocol(setting.game, args.protocol, setting.agreed.terms.chosen)
    if journal.seat is None:
        raise refused("a spectator has no seat to be served")
    try:
        listeners = await listen(args.port)
    except OSError as error:
        raise refused(f"nothing can listen at port {args.port}: {error.strerror}") from error
    door = Door(secrets.token_urlsafe(TOKEN_BYTES), tuple(args.origin))
    places, reach = places_of(os.environ), listening(args, rooms)
    async with (
        sitting_at(places, shelf, journal, rooms, reach, duties=HEEDING) as keeper,
        trio.open_nursery() as nursery,
    ):
        client = SeatClient(keeper, protocol)
        nursery.start_soon(client.heed)
        serve = serve_websocket if args.websocket else serve_lines
        nursery.start_soon(serve, door, client.talk, listeners)
        address = f"127.0.0.1:{port_of(listeners)}"
        url = f"ws://{address}/{door.token}" if args.websocket else None
        emit_json(
            {
                "address": address,
                "protocol": protocol.name,
                "seat": journal.seat,
                "token": door.token,
                "url": url,
            }
        )
        sys.stdout.flush()
        await client.over()
        await linger(keeper)
        played = PlayedSitting(net_seen(keeper))
        nursery.cancel_scope.cancel()
    return played
