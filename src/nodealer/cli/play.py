"""`nodealer play`: a game at once, against bots on this machine."""

from __future__ import annotations

import argparse
import os

from nodealer.cli.numbers import add_number
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_answers, add_player, add_rules, add_screen, is_on_page

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
    play.add_argument("game", metavar="GAME", nargs="?", help="the id of a game")
    add_number(play, "--bots", (1, 9), 3, "{} to {}")
    add_rules(play, "letters")
    add_player(play)
    add_answers(play)
    add_screen(play)
    play.set_defaults(listen=None, relay=[], no_lan=True, new_key=False)


def run(args: argparse.Namespace) -> int:
    """Found a table, and play."""
    from nodealer.cli.at_table import account_name, go_on
    from nodealer.cli.unlock import shelf_of
    from nodealer.games import registry
    from nodealer.home import refused
    from nodealer.lobby import plan_of
    from nodealer.node import CLOCKS, Rules, Seated, bots_in, found
    from nodealer.store import places_of

    if args.game is None and is_on_page(args):
        from nodealer.cli.on_page import on_page

        return on_page(args, shelf_of(args))  # where all games are
    if args.game is None:
        raise refused(f"say what to play: {', '.join(registry.game_ids())}")
    game = registry.game(args.game)
    options, policy = registry.parse_options(game, args.option), args.policy or game.policies[0]
    plan_of(game, args.bots + 1, options, CLOCKS[args.clock], policy)  # raises if it cannot be
    places, shelf = places_of(os.environ), shelf_of(args)
    rules = Rules(game, options, CLOCKS[args.clock], policy)
    you = Seated(shelf.profile, shelf.identity, args.name or account_name())
    table = found(rules, [you, *bots_in(places, args.bots, you.name)]).table
    if is_on_page(args):
        from nodealer.cli.on_page import table_on_page

        return table_on_page(args, shelf, table)
    return go_on(args, shelf, table)
