"""`nodealer integrate`: completion, manual page and a link on the path, put in place or taken away.

Only what carries the mark of this command is written over or taken away; what somebody else has put
there stays, and is told of.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from nodealer.cli.called import as_called
from nodealer.cli.output import complain, emit_text
from nodealer.cli.parsers import Commands, add_command

if TYPE_CHECKING:
    from nodealer.cli.integrated import IntegratedFile, IntegratedLink

DESCRIPTION = """\
Puts the completion of bash, zsh and fish and the manual page where the shells and `man` of your
account look for them; in a directory of sources also a link in ~/.local/bin, so that `nodealer`
can be typed anywhere. Nothing outside your home is touched.

examples:
  nodealer integrate
  nodealer integrate --remove                takes all of it away again
"""


def register(commands: Commands) -> None:
    """Describe `integrate`."""
    integrate = add_command(
        commands, "integrate", "put completion and manual page in place", DESCRIPTION
    )
    integrate.add_argument("--remove", action="store_true", help="take all of it away again")


def run(args: argparse.Namespace) -> int:
    """Put everything in place, or take it away."""
    from nodealer.cli.integrated import integrated_things

    places = tuple(integrated_things(args.helped, os.environ, Path.home()))
    strange = [one.path for one in places if one.is_strange()]
    for path in strange:
        complain(f"{path} is none of ours, and is left as it is")
    ours = [one for one in places if one.path not in strange]
    if args.remove:
        there = [one.path for one in ours if os.path.lexists(one.path)]
        for path in there:
            path.unlink()
            emit_text(f"taken away: {path}")
        if not there:
            emit_text("there was nothing to take away")
    else:
        for one in ours:
            one.path.parent.mkdir(parents=True, exist_ok=True)
            one.put()
            emit_text(f"put in place: {one.path}")
        for hint in _hints(ours, os.environ):
            emit_text(as_called(hint))
    return 1 if strange else 0


def _hints(
    places: list[IntegratedFile | IntegratedLink], environment: Mapping[str, str]
) -> Iterator[str]:
    yield "bash and fish know it in the next shell; zsh once ~/.zshrc has, before compinit:"
    yield from (f"  fpath+=({one.path.parent})" for one in places if one.path.name == "_nodealer")
    for one in places:
        folder = str(one.path.parent)
        if one.is_program and folder not in environment.get("PATH", "").split(":"):
            yield f"{folder} is not on your PATH; in ~/.profile: export PATH={folder}:$PATH"
    yield "`nodealer integrate --remove` takes all of it away again."
