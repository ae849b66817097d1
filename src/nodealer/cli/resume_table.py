"""Goes on at a table that was left open, among machines or against bots."""

from __future__ import annotations

import argparse
import os
from contextlib import closing

from nodealer.cli import host_table, join_table, play_network, play_practice
from nodealer.cli.output import complain
from nodealer.cli.unlock import identity_of
from nodealer.home.mending import Mend, mend
from nodealer.home.my_lobbies import Shelf, lobby_by
from nodealer.home.my_tables import table_by
from nodealer.node.practice import bots_of
from nodealer.store.places import places_of
from nodealer.store.salvage import Salvaged


def run(args: argparse.Namespace) -> int:
    """Find the table, and play."""
    places = places_of(os.environ)
    profile = places.profile(args.profile)
    shelf = Shelf(profile, identity_of(args, profile))
    shelf.clean()
    is_mended = args.salvage or args.take_over
    lobby = None if is_mended else lobby_by(profile, args.table)
    if lobby is not None:
        room = shelf.reopen(lobby.name)
        if lobby.is_hosted:
            return host_table.go_on(args, shelf, room)
        return join_table.go_on(args, shelf, room)
    table = table_by(profile, args.table)
    if is_mended:
        asked = Mend(args.salvage, args.take_over, _tell_salvaged)
        mend(places, profile, shelf.identity, table, asked)
    with closing(play_network.journal_of(profile, table, shelf.identity)) as journal:
        has_bots = bool(bots_of(journal))
    if has_bots:
        return play_practice.go_on(args, places, profile, table)
    return play_network.go_on(args, profile, table)


def _tell_salvaged(saved: Salvaged) -> None:
    complain(
        f"{saved.records} records are whole; the damaged journal is kept as {saved.aside}",
        "nothing is signed before all others have said what this seat has signed",
    )
