"""`nodealer tables`: all tables of a player, and how each of them stands."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Final

from nodealer.cli.called import as_called
from nodealer.cli.output import Json, complain, emit_json, emit_words
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_profile

if TYPE_CHECKING:
    from nodealer.home import FoundLobby, FoundTable
    from nodealer.kernel import NodealerError

DESCRIPTION = """\
Lists the tables at which you have played or watched, the newest first: whether the game is over,
whose turn it was, and with whom. `nodealer resume TABLE` goes on at one of them; the first signs
of its mark are enough.

examples:
  nodealer tables
  nodealer tables --json
"""


def register(commands: Commands) -> None:
    """Describe `tables`."""
    tables = add_command(commands, "tables", "list your tables", DESCRIPTION)
    add_profile(tables)
    tables.add_argument("--json", action="store_true", help="one JSON object for each table")


FIELDS: Final = ("table", "game", "players", "stands")


def run(args: argparse.Namespace) -> int:
    """List them."""
    from nodealer.home import listed, tables_of
    from nodealer.store import places_of

    profile = places_of(os.environ).profile(args.profile)
    lobbies = [one for one in listed(profile) if one.seen is None or not one.seen.is_founded]
    told = [*map(_told, tables_of(profile)), *map(_told_of, lobbies)]
    if not told:
        complain("there is no table yet", "`nodealer play macaua` begins one")
    elif args.json:
        for one in told:
            emit_json(one)
    else:
        emit_words([FIELDS, *(tuple(str(one[field]) for field in FIELDS) for one in told)])
    return 0


def _told(one: FoundTable) -> dict[str, Json]:
    from nodealer.home import noted_standing, standing_of, table_in
    from nodealer.kernel import NodealerError
    from nodealer.table import read_terms
    from nodealer.verify import joined, printable

    if one.glance is None:
        return _untold(one, one.trouble)
    try:
        table, (terms, _) = table_in(one.path), read_terms(one.glance.charter)
    except NodealerError as error:
        return _untold(one, error)
    names = printable(joined(terms.names))
    stands = printable(standing_of(table, terms.names, one.glance.seat))
    stands = noted_standing(one, one.glance, stands)
    return {"table": one.mark, "game": terms.game, "players": names, "stands": stands}


def _untold(one: FoundTable, error: NodealerError | None) -> dict[str, Json]:
    """Say why a table cannot be told, and what to do about it."""
    from nodealer.store import StoreError
    from nodealer.verify import printable

    why = (
        f"{error.trouble.meaning}: {error.advice}" if isinstance(error, StoreError) else str(error)
    )
    return {"table": one.mark, "game": "?", "players": "?", "stands": printable(why)}


def _told_of(lobby: FoundLobby) -> dict[str, Json]:
    from nodealer.verify import joined, printable

    command = "host" if lobby.is_hosted else "join"
    stands = as_called(f"an open lobby: `nodealer {command}` goes on in it")
    offer = None if lobby.seen is None else lobby.seen.offer
    if offer is None:
        told = stands if lobby.trouble is None else str(lobby.trouble)
        return {"table": lobby.mark, "game": "?", "players": "?", "stands": told}
    names = printable(joined([one.name for one in offer.seats if one is not None]))
    return {"table": lobby.mark, "game": offer.game, "players": names, "stands": stands}
