"""Plays on at a table among machines, from the journal of this player."""

from __future__ import annotations

import argparse
from contextlib import closing

import trio

from nodealer.cli.at_table import book_of, listening, play
from nodealer.cli.finish import tell_finished, write_transcript
from nodealer.kernel import TableId
from nodealer.node.network import on_network
from nodealer.node.node import Node
from nodealer.node.practice import identity_in
from nodealer.store.identity import Identity
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import Profile


def go_on(args: argparse.Namespace, profile: Profile, table: TableId) -> int:
    """Play on at a table, to its end or until the player has enough."""
    identity = identity_in(profile)
    with closing(open_journal(profile, table, identity)) as journal:
        trio.run(_play, args, identity, journal)
    return finish(args, profile, table)


def finish(args: argparse.Namespace, profile: Profile, table: TableId) -> int:
    """Write the transcript of a table, and say how the game stands."""
    tell_finished(write_transcript(profile, table), as_json=args.json)
    return 0


async def sit(args: argparse.Namespace, node: Node, journal: Journal) -> None:
    """Play at a table of a node that is there already."""
    keeper = node.open_table(journal)
    await play(args, keeper, book_of(keeper, "with friends"))


async def _play(args: argparse.Namespace, identity: Identity, journal: Journal) -> None:
    async with on_network(identity, listening(args)) as node:
        await sit(args, node, journal)
