"""`nodealer seat`: lets a client that was written for a game's server sit down at a table."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from nodealer.cli.numbers import whole_number
from nodealer.cli.output import Json, complain, emit_json
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_profile, add_table

if TYPE_CHECKING:
    import trio

    from nodealer.cli.finish import PlayedSitting
    from nodealer.home import Shelf
    from nodealer.node import Room
    from nodealer.seat import Talk
    from nodealer.store import Journal

    ServeSeat = Callable[[Talk, trio.CancelScope], Awaitable[None]]
    """Serves a client; ends the serving if there can be none any more."""

PORT_MAX = 65535

DESCRIPTION = """\
Opens one of your tables, and serves your seat to a program of yours: in the words of the server
for which that program was written, on a port of this machine. The first line of the output is a
JSON object with the address and the token that the program has to show.

examples:
  nodealer seat 8049f5 --protocol take5
  nodealer seat --protocol take5 --exec "python3 my_bot.py"
  nodealer seat --protocol 66-v2 --websocket --origin http://localhost:8000
"""

EPILOG = """\
Over a plain socket every message is a line of JSON, and the first line is the token; who comes
with it takes the place of who was there. With --websocket every message is a text, and the path
is the token; pages of the web are refused but those whose origin is given, and a second one too.
With --exec a program is started here: what it writes to its standard output are its messages,
and it reads those of the table from its standard input, both line by line and without a token.
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
    way = seat.add_mutually_exclusive_group()
    way.add_argument("--websocket", action="store_true", help="WebSocket in place of lines")
    way.add_argument(
        "--exec",
        type=shlex.split,
        metavar="PROGRAM",
        help="start a program, with its arguments, and speak with it over its input and output",
    )
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
        played, is_over = run_trio(_serve, args, shelf, journal, rooms)
    return finish(args, shelf, table, played) or int(not is_over)


async def _serve(
    args: argparse.Namespace, shelf: Shelf, journal: Journal, rooms: Sequence[Room]
) -> tuple[PlayedSitting, bool]:
    """Serve the seat to the end of the game, or until nobody can be served any more."""
    import trio

    from nodealer.cli.at_table import listening
    from nodealer.cli.finish import PlayedSitting
    from nodealer.games import seed_protocol
    from nodealer.home import SeatClient, linger, net_seen, refused, sitting_at
    from nodealer.store import places_of, setting_of
    from nodealer.table import HEEDING

    setting = setting_of(journal.charter, journal.path)
    protocol = seed_protocol(setting.game, args.protocol, setting.agreed.terms.chosen)
    if journal.seat is None:
        raise refused("a spectator has no seat to be served")
    serve, told = await (_started if args.exec else _listening)(args)
    places, reach = places_of(os.environ), listening(args, rooms)
    async with (
        sitting_at(places, shelf, journal, rooms, reach, duties=HEEDING) as keeper,
        trio.open_nursery() as nursery,
    ):
        client = SeatClient(keeper, protocol)
        nursery.start_soon(client.heed)
        emit_json({**told, "protocol": protocol.name, "seat": journal.seat})
        sys.stdout.flush()
        is_over = False
        async with trio.open_nursery() as serving:
            serving.start_soon(serve, client.talk, serving.cancel_scope)
            await client.over()
            is_over = True
            serving.cancel_scope.cancel()
        if is_over:
            await linger(keeper)
        played = PlayedSitting(net_seen(keeper))
        nursery.cancel_scope.cancel()
    return played, is_over


async def _listening(args: argparse.Namespace) -> tuple[ServeSeat, dict[str, Json]]:
    """Return what serves whoever comes with the token, and where."""
    import secrets

    from nodealer.home import refused
    from nodealer.loopback import listen, port_of
    from nodealer.seat import Door, serve_lines, serve_websocket

    try:
        listeners = await listen(args.port)
    except OSError as error:
        raise refused(f"nothing can listen at port {args.port}: {error.strerror}") from error
    door = Door(secrets.token_urlsafe(TOKEN_BYTES), tuple(args.origin))
    address = f"127.0.0.1:{port_of(listeners)}"
    url = f"ws://{address}/{door.token}" if args.websocket else None

    async def serve(talk: Talk, over: trio.CancelScope) -> None:
        del over  # who has gone may come back
        if args.websocket:
            await serve_websocket(door, talk, listeners, complain)
        await serve_lines(door, talk, listeners)

    return serve, {"address": address, "token": door.token, "url": url}


async def _started(args: argparse.Namespace) -> tuple[ServeSeat, dict[str, Json]]:
    """Return what starts a program and serves it to its end."""
    from nodealer.home import refused
    from nodealer.seat import serve_program

    async def serve(talk: Talk, over: trio.CancelScope) -> None:
        try:
            code = await serve_program(args.exec, talk)
        except OSError as error:
            raise refused(f"{args.exec[0]} cannot be started: {error.strerror}") from error
        complain(f"the program has ended, with exit code {code}")
        over.cancel()

    return serve, {"address": None, "token": None, "url": None}
