"""`nodealer export`: a transcript as data or text for other programs.

It goes to standard output or to a new file. A file that exists already is left as it is: somebody
may have mistaken the transcript itself for the output.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from nodealer.cli.output import complain, emit_json, emit_text
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.replay import as_text
from nodealer.cli.seats import TRANSCRIPT_HELP, add_profile_name

if TYPE_CHECKING:
    from nodealer.verify import JudgedFile

DESCRIPTION = """\
Writes everything that is in a transcript as JSON, or the game as text. What is written
proves nothing any more; only the transcript itself can be verified.

examples:
  nodealer export game.ndt --format json > game.json
  nodealer export game.ndt --format text --output game.txt
"""


def register(commands: Commands) -> None:
    """Describe `export`."""
    export = add_command(commands, "export", "write a transcript as JSON or text", DESCRIPTION)
    export.add_argument("file", metavar="FILE|TABLE", help=TRANSCRIPT_HELP)
    add_profile_name(export)
    export.add_argument(
        "--format", choices=("json", "text"), required=True, help="what is to be written"
    )
    export.add_argument(
        "--output", metavar="PATH", help="a file that does not exist yet (default: standard output)"
    )


def run(args: argparse.Namespace) -> int:
    """Export the transcript."""
    from nodealer.cli.files import read_judged
    from nodealer.verify import exported, lines_of

    judged = read_judged(args.file, args.profile, is_told=True)
    if judged.transcript is None:
        complain(*list(lines_of(args.file, judged, [args.file]))[:4])
        return judged.report.exit_code
    if args.output is not None:
        return _written(Path(args.output), _as_text(judged, args.format))
    if args.format == "json":
        emit_json(exported(judged))
    else:
        emit_text(_as_text(judged, "text"))
    return 0


def _as_text(judged: JudgedFile, form: str) -> str:
    from nodealer.verify import exported, story

    if form == "json":
        return json.dumps(exported(judged), allow_nan=False, indent=1) + "\n"
    return "\n".join(as_text(told) for told in story(judged)) + "\n"


def _written(path: Path, text: str) -> int:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        complain(f"{path} exists already and is left as it is")
        return 1
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}")
        return 1
    return 0
