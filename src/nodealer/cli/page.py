"""`nodealer page`: the home on a page in the browser."""

from __future__ import annotations

import argparse

from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_answers, add_lobby, add_network, add_player

DESCRIPTION = """\
Opens your home on a page in your browser, and prints its address: your tables, to go on at them or
to look at them again; games, to play against bots or with friends; a field for an invite that you
were given. The page is served on this machine and for nobody else. It is there until Ctrl-C, and
everything that is open then can be gone on with.

examples:
  nodealer page
  nodealer page --name Ana
"""


def register(commands: Commands) -> None:
    """Describe `page`."""
    page = add_command(commands, "page", "play on a page in your browser", DESCRIPTION)
    add_player(page)
    add_lobby(page)
    add_network(page)
    add_answers(page)


def run(args: argparse.Namespace) -> int:
    """Serve the page until it is enough."""
    from nodealer.cli.at_table import listening
    from nodealer.cli.on_page import on_page
    from nodealer.cli.unlock import shelf_of

    listening(args)  # what cannot be an address is refused before there is a page
    return on_page(args, shelf_of(args))
