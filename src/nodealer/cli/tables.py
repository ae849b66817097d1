"""`nodealer tables`: all tables of a player, and how each of them stands."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Final

from nodealer.cli.called import as_called
from nodealer.cli.output import Json, complain, emit_json, emit_words
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_profile

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
    add_network(tables)
    tables.add_argument(
        "--friends",
        action="store_true",
        help="also look on this network for lobbies that friends have opened for you",
    )
    tables.add_argument("--json", action="store_true", help="one JSON object for each table")


LOOK_SECONDS: Final = 5.0
"""Whoever is on this network is heard within a second or two."""

MARK_DIGITS: Final = 6

FIELDS: Final = ("table", "game", "players", "stands")


def run(args: argparse.Namespace) -> int:
    """List them."""
    from nodealer.home import listed, tables_of
    from nodealer.store import places_of

    profile = places_of(os.environ).profile(args.profile)
    lobbies = [one for one in listed(profile) if one.seen is None or not one.seen.is_founded]
    told = [*map(_told, tables_of(profile)), *map(_told_of, lobbies), *_of_friends(args)]
    if not told:
        complain("there is no table yet", "`nodealer play macaua` begins one")
    elif args.json:
        for one in told:
            emit_json(one)
    else:
        emit_words([FIELDS, *(tuple(str(one[field]) for field in FIELDS) for one in told)])
    return 0


def _of_friends(args: argparse.Namespace) -> list[dict[str, Json]]:
    """Return the lobbies that friends have opened for this player, as far as they are found."""
    if not args.friends:
        return []
    from nodealer.cli.at_table import listening
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import friends_of, lobbies_for_me
    from nodealer.verify import printable

    shelf = shelf_of(args)
    friends = dict.fromkeys(friends_of(shelf), ())
    complain(f"asking friends on this network, for {LOOK_SECONDS:.0f} seconds …")
    found = run_trio(lobbies_for_me, shelf, friends, listening(args), LOOK_SECONDS)
    return [
        {
            "table": one.said.lobby.hex()[:MARK_DIGITS],
            "game": one.said.game,
            "players": printable(one.friend.name),
            "stands": as_called(f"open for you: `nodealer join --from {one.friend.name!r}`"),
        }
        for one in found
    ]


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
