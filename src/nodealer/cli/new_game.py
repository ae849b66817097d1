"""`nodealer new-game`: begins a package with a game of one's own."""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

NAME_LETTERS_MAX = 40

DESCRIPTION = """\
Writes a package with a small game that works, to be changed into another.

examples:
  nodealer new-game high-card
  nodealer new-game high-card --into games

The directory NAME must not exist yet. It gets the rules, their page for players, tests and
what nodealer needs to find the game once the package is installed.
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `new-game`."""
    new_game = commands.add_parser(
        "new-game",
        help="begin a package with a game of your own",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    new_game.add_argument(
        "name",
        type=game_name,
        metavar="NAME",
        help="the id of the game: small letters, digits and -, such as high-card",
    )
    new_game.add_argument(
        "--into",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="where to make the directory NAME (default: here)",
    )
    new_game.set_defaults(module="nodealer.cli.write_game")


def game_name(text: str) -> str:
    """Return a name from which the names of a game, a module and a package can be made."""
    if len(text) > NAME_LETTERS_MAX or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", text):
        raise argparse.ArgumentTypeError(
            f"{text[:NAME_LETTERS_MAX]!r} is not a name of small letters, digits and single -,"
            f" with a letter first and at most {NAME_LETTERS_MAX} long"
        )
    module = module_name(text)
    if keyword.iskeyword(module) or module in sys.stdlib_module_names:
        raise argparse.ArgumentTypeError(f"{text!r} is a word of Python's own; choose another")
    return text


def module_name(name: str) -> str:
    """Return the name of the module of a game."""
    return name.replace("-", "_")
