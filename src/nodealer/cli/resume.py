"""`nodealer resume`: goes on at a table that was left open."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from nodealer.cli import host, join
from nodealer.cli.output import complain
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import (
    add_answers,
    add_network,
    add_profile,
    add_screen,
    add_table,
    is_on_page,
)

if TYPE_CHECKING:
    from nodealer.store import Salvaged

DESCRIPTION = """\
Sits you down again at a table whose game is not over, where you left it: in the middle of a
hand, of a shuffle, of anything. Without a table it is the one you were at last.

examples:
  nodealer resume
  nodealer resume 8049f5
  nodealer resume 8049f5 --salvage           from what is whole of a damaged journal
"""


def register(commands: Commands) -> None:
    """Describe `resume`."""
    resume = add_command(commands, "resume", "go on at a table that was left open", DESCRIPTION)
    add_table(resume)
    resume.add_argument(
        "--salvage",
        action="store_true",
        help="if its journal is damaged, put that aside and go on from what is whole of it; nothing"
        " is signed before all others have said what you have signed",
    )
    resume.add_argument(
        "--take-over",
        action="store_true",
        help="go on although another machine has not closed it: only if it never opens it again",
    )
    add_profile(resume)
    add_network(resume)
    add_answers(resume)
    add_screen(resume)
    # What only the commands have that open a lobby, which may be gone on with here.
    resume.set_defaults(
        yes=False, new_key=False, qr=None, watch_invite=False, name=None, friends=[]
    )


def run(args: argparse.Namespace) -> int:
    """Find the table, and play."""
    from nodealer.cli.at_table import go_on
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import Mend, lobby_by, mend, table_by
    from nodealer.store import places_of

    shelf = shelf_of(args)
    shelf.clean()
    is_mended = args.salvage or args.take_over
    lobby = None if is_mended else lobby_by(shelf.profile, args.table)
    if lobby is not None:
        room = shelf.reopen(lobby.name)
        return (host.go_on if lobby.is_hosted else join.go_on)(args, shelf, room)
    table = table_by(shelf.profile, args.table)
    if is_mended:
        asked = Mend(args.salvage, args.take_over, _tell_salvaged)
        mend(places_of(os.environ), shelf.profile, shelf.identity, table, asked)
    if is_on_page(args):
        from nodealer.cli.on_page import table_on_page

        return table_on_page(args, shelf, table)
    return go_on(args, shelf, table)


def _tell_salvaged(saved: Salvaged) -> None:
    complain(
        f"{saved.records} records are whole; the damaged journal is kept as {saved.aside}",
        "nothing is signed before all others have said what this seat has signed",
    )
