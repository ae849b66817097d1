"""Play at a table in this process, to look at the terminal by eye.

python -m tests.terminal.try_table macaua --bots 3
python -m tests.terminal.try_table macaua --bots 3 --silent 2 --from 6     seat 2 falls silent
python -m tests.terminal.try_table macaua --plain
"""

from __future__ import annotations

import argparse
import sys

import trio

from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.ledger import Clock
from nodealer.terminal import run_table
from nodealer.terminal.shell.terminal import Ending
from tests.show.tabling import Tabling, tabling


def read_arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--bots", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--think", type=float, default=0.6)
    parser.add_argument("--silent", type=int)
    parser.add_argument("--from", type=int, default=5, dest="height")
    parser.add_argument("--act", type=int, default=60, help="seconds for a turn")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--four-colours", action="store_true")
    return parser.parse_args()


async def play(args: argparse.Namespace) -> Ending:
    """Play until the player has enough."""
    act = args.act * 1000
    clock = Clock(act=act, answer=10_000, rejoin=20_000, longest=max(act, 600_000))
    table: Tabling = tabling(
        game(args.game), args.bots + 1, seed=args.seed, clock=clock, thinking=args.think
    )
    if args.silent is not None:
        table.silent, table.silent_from = Seat(args.silent), args.height
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.run)
        ending = await run_table(table, is_plain=args.plain, has_four_colours=args.four_colours)
        nursery.cancel_scope.cancel()
    return ending


if __name__ == "__main__":
    sys.stdout.write(f"ended: {trio.run(play, read_arguments()).value}\n")
