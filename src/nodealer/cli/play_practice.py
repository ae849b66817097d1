"""Plays a game against bots on this machine, and writes its transcript."""

from __future__ import annotations

import argparse
import os
from contextlib import closing

from nodealer.cli.at_table import account_name, book_of, play, plays_itself
from nodealer.cli.finish import tell_finished
from nodealer.cli.running import run_trio
from nodealer.cli.unlock import identity_of
from nodealer.games import registry
from nodealer.home.finished import write_transcript
from nodealer.kernel import TableId
from nodealer.node.clocks import CLOCKS
from nodealer.node.practice import (
    THOUGHT_SECONDS,
    Rules,
    Seated,
    at_table,
    bots_in,
    found,
)
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import Places, Profile, places_of


def run(args: argparse.Namespace) -> int:
    """Found a table, and play."""
    places = places_of(os.environ)
    profile = places.profile(args.profile)
    game = registry.game(args.game)
    options = registry.parse_options(game, args.option)
    rules = Rules(game, options, CLOCKS[args.clock], args.policy)
    you = Seated(profile, identity_of(args, profile), args.name or account_name())
    charter = found(rules, [you, *bots_in(places, args.bots, you.name)])
    return go_on(args, places, profile, charter.table)


def go_on(args: argparse.Namespace, places: Places, profile: Profile, table: TableId) -> int:
    """Play on at a table against bots, to its end or until the player has enough."""
    with closing(open_journal(profile, table, identity_of(args, profile))) as journal:
        run_trio(_play, args, places, journal)
    tell_finished(write_transcript(profile, table), as_json=args.json)
    return 0


async def _play(args: argparse.Namespace, places: Places, journal: Journal) -> None:
    thought = 0.0 if plays_itself(args) else THOUGHT_SECONDS
    async with at_table(places, journal, thought_seconds=thought) as keeper:
        await play(args, keeper, book_of(keeper, "against bots", frozenset(keeper.others)))
