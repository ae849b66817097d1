"""`nodealer rules`: which games are installed, and how each is played."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Prints the rules of a game for its players; without a game, lists those that are installed.

examples:
  nodealer rules
  nodealer rules macaua
  nodealer rules --json

Games of others are found once their package is installed beside nodealer;
`nodealer new-game NAME` begins one.
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `rules`."""
    rules = commands.add_parser(
        "rules",
        help="list the games, or print the rules of one",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    rules.add_argument("game", nargs="?", metavar="GAME", help="the id of a game")
    rules.add_argument("--json", action="store_true", help="write one JSON object")
    rules.set_defaults(module="nodealer.cli.show_rules")
