"""`nodealer play`: a game at once, against bots on this machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nodealer.cli.numbers import whole_number
from nodealer.cli.seats import add_player, add_rules, add_screen

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

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


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `play`."""
    play = commands.add_parser(
        "play",
        help="play at once, against bots on this machine",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
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
    play.set_defaults(module="nodealer.cli.play_practice")
