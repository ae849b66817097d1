"""`nodealer rules`: which games are installed, and how each is played.

What a game says of itself is Markdown: laid out where it is read at a terminal, else as it is. In
the list it has one line: the first sentence of its page. A game that cannot be used is told of on
standard error, by name and with the cause, because whoever has installed it expects to see it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from nodealer.cli.output import LINE_LETTERS_MAX, Json, complain, emit_json, emit_text, emit_words
from nodealer.cli.parsers import Commands, add_command

if TYPE_CHECKING:
    from nodealer.games import AnyGame, Option

DESCRIPTION = """\
Prints the rules of a game for its players; without a game, lists those that are installed.

examples:
  nodealer rules
  nodealer rules macaua
  nodealer rules --json

Games of others are found once their package is installed beside nodealer;
`nodealer new-game NAME` begins one.
"""


def register(commands: Commands) -> None:
    """Describe `rules`."""
    rules = add_command(commands, "rules", "list the games, or print the rules of one", DESCRIPTION)
    rules.add_argument("game", nargs="?", metavar="GAME", help="the id of a game")
    rules.add_argument("--json", action="store_true", help="write one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the list, or one page."""
    from nodealer.games import registry

    if args.game is not None:
        _show(registry.game(args.game), as_json=args.json)
    else:
        _list(registry.all_games(), registry.problems(), as_json=args.json)
    return 0


def _show(game: AnyGame, *, as_json: bool) -> None:
    if as_json:
        emit_json({**_described(game), "page": game.rules()})
    else:
        emit_text(_laid_out(game.rules()) if sys.stdout.isatty() else game.rules())


def _laid_out(page: str) -> str:
    from nodealer.terminal import plain_lines

    columns = min(shutil.get_terminal_size().columns, LINE_LETTERS_MAX)
    return "\n".join(plain_lines(page, columns))


def _list(games: Mapping[str, AnyGame], problems: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        emit_json(
            {"games": [_described(game) for game in games.values()], "problems": dict(problems)}
        )
        return
    from nodealer.show import first_sentence

    rows = [
        (
            name,
            f"version {game.version}",
            "{} to {} seats".format(*game.seats),
            first_sentence(page),
        )
        for name, game in games.items()
        for page in [game.rules()]
    ]
    emit_words(rows)
    complain(*problems.values())


def _described(game: AnyGame) -> dict[str, Json]:
    from nodealer.show import first_sentence

    return {
        "game": game.id,
        "version": game.version,
        "title": game.title,
        "summary": first_sentence(game.rules()),
        "seats": list(game.seats),
        "options": [_option(option) for option in game.options],
        "policies": list(game.policies),
    }


def _option(option: Option) -> dict[str, Json]:
    from nodealer.games import registry

    return {
        "option": option.name,
        "text": option.text,
        "default": option.default,
        "values": registry.values_of(option),
    }
