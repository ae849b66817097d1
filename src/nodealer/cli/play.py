"""`nodealer play`: a game at once, against bots on this machine."""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from typing import TYPE_CHECKING

from nodealer.cli.numbers import whole_number
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_player, add_rules, add_screen

if TYPE_CHECKING:
    from nodealer.kernel import TableId
    from nodealer.store import Directories, Journal, Profile

DESCRIPTION = """\
Sits you down at a table with bots, on this machine and at once. Every bot is a full peer with
its own key, journal and ledger: what you play is dealt, countersigned and stored like a game
with friends. Close the program whenever you like; `nodealer resume` goes on.

examples:
  nodealer play macaua --bots 3
  nodealer play macaua --bots 3 --auto       a bot plays for you as well
  nodealer play macaua --bots 1 --option call=yes
"""

EPILOG = """\
At the end the transcript of the game is written, and told where. Without a terminal, as in a
script, a bot plays for you.
"""


def register(commands: Commands) -> None:
    """Describe `play`."""
    play = add_command(
        commands, "play", "play at once, against bots on this machine", DESCRIPTION, EPILOG
    )
    play.add_argument("game", metavar="GAME", help="the id of a game")
    play.add_argument(
        "--bots",
        type=whole_number(1, 9),
        default=3,
        metavar="N",
        help="1 to 9 (default: 3)",
    )
    add_rules(play)
    add_player(play)
    add_screen(play)
    play.set_defaults(module="nodealer.cli.play")


def run(args: argparse.Namespace) -> int:
    """Found a table, and play."""
    from nodealer.cli.at_table import account_name
    from nodealer.cli.unlock import identity_of
    from nodealer.games import registry
    from nodealer.node import CLOCKS, Rules, Seated, bots_in, found
    from nodealer.store import places_of

    places = places_of(os.environ)
    profile = places.profile(args.profile)
    game = registry.game(args.game)
    options = registry.parse_options(game, args.option)
    rules = Rules(game, options, CLOCKS[args.clock], args.policy)
    you = Seated(profile, identity_of(args, profile), args.name or account_name())
    charter = found(rules, [you, *bots_in(places, args.bots, you.name)])
    return go_on(args, places, profile, charter.table)


def go_on(args: argparse.Namespace, places: Directories, profile: Profile, table: TableId) -> int:
    """Play on at a table against bots, to its end or until the player has enough."""
    from nodealer.cli.finish import tell_finished
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import identity_of
    from nodealer.home import write_transcript
    from nodealer.store import open_journal

    with closing(open_journal(profile, table, identity_of(args, profile))) as journal:
        run_trio(_play, args, places, journal)
    tell_finished(write_transcript(profile, table), as_json=args.json)
    return 0


async def _play(args: argparse.Namespace, places: Directories, journal: Journal) -> None:
    from nodealer.cli.at_table import play, plays_itself
    from nodealer.home import book_of
    from nodealer.node import THOUGHT_SECONDS, at_table

    thought = 0.0 if plays_itself(args) else THOUGHT_SECONDS
    async with at_table(places, journal, thought_seconds=thought) as keeper:
        await play(args, keeper, book_of(keeper, "against bots", frozenset(keeper.others)))
