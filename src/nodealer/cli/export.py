"""`nodealer export`: a transcript as data or text for other programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The type of what `add_subparsers` returns has a name only for type checkers.
    from argparse import _SubParsersAction

DESCRIPTION = """\
Writes everything that is in a transcript as JSON, or the game as text. What is written
proves nothing any more; only the transcript itself can be verified.

examples:
  nodealer export game.ndt --format json > game.json
  nodealer export game.ndt --format text --output game.txt
"""


def register(commands: _SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe `export`."""
    export = commands.add_parser(
        "export",
        help="write a transcript as JSON or text",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    export.add_argument("file", metavar="FILE", help="a transcript; - is standard input")
    export.add_argument(
        "--format", choices=("json", "text"), required=True, help="what is to be written"
    )
    export.add_argument(
        "--output", metavar="PATH", help="a file that does not exist yet (default: standard output)"
    )
    export.set_defaults(module="nodealer.cli.export_file")
