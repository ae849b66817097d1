"""Plays on at a table among machines, or watches one, from the journal of this player."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from nodealer.cli.at_table import listening, play
from nodealer.cli.finish import tell_finished
from nodealer.cli.running import run_trio
from nodealer.cli.unlock import identity_of
from nodealer.home import (
    Shelf,
    book_of,
    in_lobbies,
    listen_again,
    opened_table,
    places_before,
    write_transcript,
)
from nodealer.kernel import TableId
from nodealer.node import Node, Room
from nodealer.store import Journal, Profile


def go_on(args: argparse.Namespace, profile: Profile, table: TableId) -> int:
    """Play on at a table, or watch on, to its end or until the player has enough."""
    shelf = Shelf(profile, identity_of(args, profile))
    with opened_table(shelf, table) as (journal, rooms):
        before = places_before(rooms)
        args.listen = listen_again(args.listen or (), before) or args.listen
        run_trio(_play, args, shelf, journal, rooms)
    return finish(args, profile, table)


def finish(args: argparse.Namespace, profile: Profile, table: TableId) -> int:
    """Write the transcript of a table, and say how the game stands."""
    tell_finished(write_transcript(profile, table), as_json=args.json)
    return 0


async def sit(args: argparse.Namespace, node: Node, journal: Journal) -> None:
    """Play at a table of a node that is there already."""
    keeper = node.open_table(journal)
    title = "with friends" if keeper.seat is not None else "as a spectator"
    await play(args, keeper, book_of(keeper, title))


async def _play(
    args: argparse.Namespace, shelf: Shelf, journal: Journal, rooms: Sequence[Room]
) -> None:
    async with in_lobbies(shelf, rooms, listening(args)) as node:
        await sit(args, node, journal)
