"""Plays a game against bots on this machine, and writes its transcript."""

from __future__ import annotations

import argparse
import getpass
import os
import secrets
import sys
from contextlib import closing

import trio

from nodealer.bots import bot_for
from nodealer.cli.finish import tell_finished, write_transcript
from nodealer.cli.seat_driver import SeatDriver
from nodealer.games import registry
from nodealer.kernel import PeerError, Seat, TableId
from nodealer.kernel.chance import Chance
from nodealer.node.auto import play_by
from nodealer.node.clocks import CLOCKS
from nodealer.node.keeper import Keeper
from nodealer.node.practice import (
    CHANCE_BITS,
    Rules,
    Seated,
    at_table,
    bots_in,
    found,
    identity_in,
)
from nodealer.store.journal import Journal
from nodealer.store.opening import open_journal
from nodealer.store.places import Places, Profile, places_of
from nodealer.store.words import mark_of
from nodealer.table.names import require_names
from nodealer.ui.book import Book
from nodealer.ui.shell import run_table

USUAL_NAME = "You"


def run(args: argparse.Namespace) -> int:
    """Found a table, and play."""
    places = places_of(os.environ)
    profile = places.profile(args.profile)
    game = registry.game(args.game)
    rules = Rules(game, registry.parse_options(game, args.option), CLOCKS[args.clock], args.policy)
    you = Seated(profile, identity_in(profile), args.name or account_name())
    charter = found(rules, [you, *bots_in(places, args.bots, you.name)])
    return go_on(args, places, profile, charter.table)


def go_on(args: argparse.Namespace, places: Places, profile: Profile, table: TableId) -> int:
    """Play on at a table whose journal is there, to its end or until the player has enough."""
    with closing(open_journal(profile, table, identity_in(profile))) as journal:
        plays_itself = args.auto or not (args.plain or sys.stdin.isatty())
        if plays_itself:
            trio.run(_play_itself, places, journal)
        else:
            trio.run(_play_person, args, places, journal)
    finished = write_transcript(profile, table)
    tell_finished(finished, as_json=args.json)
    return 0


async def _play_itself(places: Places, journal: Journal) -> None:
    """Let a bot play the player's seat to the end."""
    async with at_table(places, journal, thought_seconds=0) as keeper:
        rules = keeper.table.position.game
        await play_by(keeper, bot_for(rules), Chance("auto", secrets.randbits(CHANCE_BITS)))


async def _play_person(args: argparse.Namespace, places: Places, journal: Journal) -> None:
    """Show the table to the player until the game is over or the player has enough."""
    async with at_table(places, journal) as keeper, trio.open_nursery() as nursery:
        driver = SeatDriver(keeper, _book(keeper))
        nursery.start_soon(driver.run)
        await run_table(driver, is_plain=args.plain, has_four_colours=args.four_colours)
        nursery.cancel_scope.cancel()


def _book(keeper: Keeper) -> Book:
    keys = keeper.journal.charter.keys
    return Book(
        title="against bots",
        mark=keeper.id.hex()[:6],
        marks={Seat(seat): mark_of(key) for seat, key in enumerate(keys)},
        bots=frozenset(keeper.others),
    )


def account_name() -> str:
    """Return the name of the account, if it can be a name at a table."""
    try:
        name = getpass.getuser()
        require_names([name])
    except (OSError, KeyError, PeerError):
        return USUAL_NAME
    return name
