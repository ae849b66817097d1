"""`nodealer move`: takes a player from one machine to another."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nodealer.cli.seats import add_profile

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Takes your key, your friends and all your tables to another machine, open games included. A seat
that signs on two machines would sign against itself; so what is exported is retired here first,
and signs nothing here any more. The file is protected by a passphrase, which is asked for. Bots
stay: play games against them to their end before.

examples:
  nodealer move export me.move       here, with all tables closed; then carry the file over
  nodealer move import me.move       there; the games go on where they were
  nodealer move back                 here, only if the other machine is lost
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `move` and its three directions."""
    move = commands.add_parser(
        "move",
        help="take your key and tables to another machine",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    ways = move.add_subparsers(
        title="directions", metavar="DIRECTION", dest="direction", required=True
    )
    export = ways.add_parser(
        "export", help="retire everything here, and write it to a file", allow_abbrev=False
    )
    import_ = ways.add_parser(
        "import", help="put what is in a file in its place here", allow_abbrev=False
    )
    for way in (export, import_):
        way.add_argument("file", type=Path, metavar="FILE")
        way.add_argument(
            "--secured-by",
            type=Path,
            metavar="FILE",
            help="a private file whose first line is the passphrase of the moved file (default:"
            " ask)",
        )
        add_profile(way)
    back = ways.add_parser(
        "back",
        help="bring what was retired here back to life: its other place is lost",
        allow_abbrev=False,
    )
    back.add_argument("--yes", action="store_true", help="do not ask whether you are sure")
    add_profile(back)
    move.set_defaults(module="nodealer.cli.move_profile")
