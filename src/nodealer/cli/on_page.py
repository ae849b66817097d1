"""The home on a page in the player's browser, served on this machine for as long as this runs.

The page is at the same address every time, so one that was left open finds its home again. Ctrl-C
ends it, as it does in a terminal, and nothing is lost by that.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import TypeAlias

import trio

from nodealer.cli.at_table import account_name
from nodealer.cli.finish import tell_left
from nodealer.cli.output import complain
from nodealer.cli.running import run_trio
from nodealer.cli.table_story import TableStory
from nodealer.home import Shelf, journal_of, write_transcript
from nodealer.kernel import TableId
from nodealer.page import has_screen, open_page, served_page
from nodealer.steward import HomeWays, Steward, steward_of
from nodealer.store import Profile, places_of, setting_of

Begin: TypeAlias = Callable[[Steward], Awaitable[None]]
"""The first deed of a command at home; the page is there already."""


def on_page(args: argparse.Namespace, shelf: Shelf, begin: Begin | None = None) -> int:
    """Serve the page of a home until Ctrl-C, and say how the tables stand that were open."""
    stories: dict[TableId, TableStory] = {}

    def looks_on(table: TableId) -> TableStory:
        return stories.setdefault(table, TableStory(None))

    ways = HomeWays(
        listen=tuple(args.listen or ()),
        relays=tuple(args.relay),
        meets_nearby=not args.no_lan,
        takes_new_keys=args.new_key,
        passes_alone=args.pass_alone,
        onlooker=looks_on,
    )
    run_trio(_serve, shelf, ways, args.name, begin)
    for table, story in stories.items():
        tell_left(write_transcript(shelf.profile, table), tuple(story.shuffles))
    return 0


def table_on_page(args: argparse.Namespace, shelf: Shelf, table: TableId) -> int:
    """Serve a page that begins with a table; where that cannot be opened, there is no page."""
    with closing(journal_of(shelf.profile, table, shelf.identity)) as journal:
        setting_of(journal.charter, journal.path)
    return on_page(args, shelf, lambda steward: steward.open_table(table))


async def _serve(shelf: Shelf, ways: HomeWays, name: str | None, begin: Begin | None) -> None:
    places = places_of(os.environ)
    with trio.open_signal_receiver(signal.SIGINT) as interrupts:
        async with (
            steward_of(
                places, shelf, ways, name=name or account_name(), is_named=name is not None
            ) as steward,
            served_page(shelf.profile, steward.open_visit, complain) as at,
        ):
            _lead(at.address, shelf.profile)
            if begin is not None:
                await begin(steward)
            await anext(aiter(interrupts))


def _lead(address: str, profile: Profile) -> None:
    """Bring the player to the page, and say where it is."""
    is_open = has_screen(os.environ, sys.platform) and open_page(
        address, profile.page_link, os.environ
    )
    said = "your browser shows this page:" if is_open else "in a browser, open this page:"
    complain(f"{said} {address}", "Ctrl-C ends it here; everything can be gone on with")
