"""Shows the games that are installed, and the page of rules of one.

What a game says of itself is shown as it is. In the list it has one line: the first sentence of
its page. A game that cannot be used is told of on standard error, by name and with the cause,
because whoever has installed it expects to see it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from nodealer.cli.output import Json, complain, emit_json, emit_text
from nodealer.games import registry
from nodealer.games.api import Option
from nodealer.games.base import AnyGame


def run(args: argparse.Namespace) -> int:
    """Print the list, or one page."""
    if args.game is not None:
        _show(registry.game(args.game), as_json=args.json)
    else:
        _list(registry.all_games(), registry.problems(), as_json=args.json)
    return 0


def summary(page: str) -> str:
    """Return the first sentence below the title of a page of rules, or nothing."""
    paragraphs = [" ".join(part.split()) for part in page.split("\n\n")]
    text = next((part for part in paragraphs if part and not part.startswith("#")), "")
    sentence, mark, _ = text.partition(". ")
    return sentence + mark.strip()


def _show(game: AnyGame, *, as_json: bool) -> None:
    if as_json:
        emit_json({**_described(game), "page": game.rules()})
    else:
        emit_text(game.rules())


def _list(games: Mapping[str, AnyGame], problems: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        emit_json(
            {"games": [_described(game) for game in games.values()], "problems": dict(problems)}
        )
        return
    rows = [
        (name, f"version {game.version}", "{} to {} seats".format(*game.seats), summary(page))
        for name, game in games.items()
        for page in [game.rules()]
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        emit_text("  ".join(cells).rstrip())
    complain(*problems.values())


def _described(game: AnyGame) -> dict[str, Json]:
    return {
        "game": game.id,
        "version": game.version,
        "title": game.title,
        "summary": summary(game.rules()),
        "seats": list(game.seats),
        "options": [_option(option) for option in game.options],
        "policies": list(game.policies),
    }


def _option(option: Option) -> dict[str, Json]:
    return {
        "option": option.name,
        "text": option.text,
        "default": option.default,
        "values": registry.values_of(option),
    }
