"""The common part of all commands once a journal is open: a person or a bot plays, to the end."""

from __future__ import annotations

import argparse
import getpass
import sys
from contextlib import closing
from typing import Final

import trio

from nodealer.bots import bot_for
from nodealer.home import SeatDriver, listening_at, see_to_the_end
from nodealer.kernel import PeerError
from nodealer.node import Keeper, Listening, drawn_chance, play_by, stay
from nodealer.table import require_names
from nodealer.ui import Book
from nodealer.ui.shell import run_table

LINGER_SECONDS: Final = 30.0
"""How long a node stays after the close for those who do not have it yet."""

USUAL_NAME: Final = "You"


def plays_itself(args: argparse.Namespace) -> bool:
    """Say whether a bot plays, because that was asked for or because nobody is there."""
    return bool(args.auto) or not (args.plain or sys.stdin.isatty())


async def play(args: argparse.Namespace, keeper: Keeper, book: Book) -> None:
    """Play at a table until it is closed, or the player has enough; without a seat, watch it."""
    if keeper.seat is None and plays_itself(args):
        await see_to_the_end(keeper)
    elif plays_itself(args):
        rules = keeper.table.position.game
        await play_by(keeper, bot_for(rules), drawn_chance("auto"))
    else:
        with closing(SeatDriver(keeper, book)) as driver:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(driver.run)
                await run_table(driver, is_plain=args.plain, has_four_colours=args.four_colours)
                nursery.cancel_scope.cancel()
    if keeper.table.position.is_closed and keeper.seat is not None:
        await stay(keeper, LINGER_SECONDS)


def listening(args: argparse.Namespace) -> Listening:
    """Return how this node is to be reached."""
    return listening_at(args.listen or (), args.relay, meets_nearby=not args.no_lan)


def account_name() -> str:
    """Return the name of the account, if it can be a name at a table."""
    try:
        name = getpass.getuser()
        require_names([name])
    except (OSError, KeyError, PeerError):
        return USUAL_NAME
    return name
