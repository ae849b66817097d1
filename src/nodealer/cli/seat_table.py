"""Opens a table and serves its seat to a client, to the end of the game."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from typing import Final

import trio

from nodealer.cli.at_table import LINGER_SECONDS, listening
from nodealer.cli.find_tables import table_by
from nodealer.cli.finish import tell_finished, write_transcript
from nodealer.cli.output import emit_json
from nodealer.cli.running import run_trio
from nodealer.cli.seat_client import SeatClient
from nodealer.cli.unlock import identity_of
from nodealer.games import seed_protocol
from nodealer.kernel import LocalError, Reason
from nodealer.node.keeper import Keeper
from nodealer.node.network import on_network
from nodealer.node.practice import at_table, bots_of
from nodealer.node.staying import stay
from nodealer.seat.shell import Door, listen, port_of, serve_lines, serve_websocket
from nodealer.store.identity import Identity
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import Places, places_of
from nodealer.store.seats import setting_of
from nodealer.table import HEEDING

TOKEN_BYTES: Final = 24

BOTS_LINGER_SECONDS: Final = 1.0
"""Bots end with this program, and get what they lack whenever the table is opened again."""


def run(args: argparse.Namespace) -> int:
    """Find the table, and serve."""
    places = places_of(os.environ)
    profile = places.profile(args.profile)
    table, identity = table_by(profile, args.table), identity_of(args, profile)
    with closing(open_journal(profile, table, identity)) as journal:
        run_trio(_serve, args, places, identity, journal)
    tell_finished(write_transcript(profile, table), as_json=args.json)
    return 0


async def _serve(
    args: argparse.Namespace, places: Places, identity: Identity, journal: Journal
) -> None:
    setting = setting_of(journal.charter, journal.path)
    protocol = seed_protocol(setting.game, args.protocol, setting.agreed.terms.chosen)
    if journal.seat is None:
        raise LocalError(Reason.LOCAL_ARGUMENT, "a spectator has no seat to be served")
    try:
        listeners = await listen(args.port)
    except OSError as error:
        detail = f"nothing can listen at port {args.port}: {error.strerror}"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail) from error
    door = Door(secrets.token_urlsafe(TOKEN_BYTES), tuple(args.origin))
    async with _opened(args, places, identity, journal) as keeper, trio.open_nursery() as nursery:
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
        await stay(keeper, BOTS_LINGER_SECONDS if bots_of(journal) else LINGER_SECONDS)
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def _opened(
    args: argparse.Namespace, places: Places, identity: Identity, journal: Journal
) -> AsyncIterator[Keeper]:
    """Open the table, which may be one against bots."""
    if bots_of(journal):
        async with at_table(places, journal, thought_seconds=0.0, duties=HEEDING) as keeper:
            yield keeper
    else:
        async with on_network(identity, listening(args)) as node:
            yield node.open_table(journal, HEEDING)
