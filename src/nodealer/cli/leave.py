"""`nodealer leave`: leaves a table for good.

The last word of the seat is signed (`home.leaving`), after the player was asked once more.
"""

from __future__ import annotations

import argparse
import os
from contextlib import closing
from typing import TYPE_CHECKING, Final

from nodealer.cli.called import as_called
from nodealer.cli.output import complain, emit_json, emit_text, is_sure
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_profile

if TYPE_CHECKING:
    from nodealer.home import Shelf
    from nodealer.store import Journal

DESCRIPTION = """\
Resigns: signs the last word of your seat at a table, and passes it on. It cannot be taken back.
The others go on without you as they have agreed; with two at a table the other one has won. Then
it waits for a moment until they have taken notice; if they are not there, `nodealer resume` passes
it on later. To close the program and come back, simply close it: nothing needs to be left for that.

examples:
  nodealer leave 8049f5
  nodealer leave 8049f5 --yes
"""


def register(commands: Commands) -> None:
    """Describe `leave`."""
    leave = add_command(commands, "leave", "leave a table for good: resign", DESCRIPTION)
    leave.add_argument("table", metavar="TABLE", help="its mark, or how it begins")
    leave.add_argument("--yes", action="store_true", help="do not ask whether you are sure")
    leave.add_argument("--json", action="store_true", help="what was done as one JSON object")
    add_profile(leave)
    add_network(leave)


PATIENCE_SECONDS: Final = 30.0
"""How long the others are waited for."""

UNASKED: Final = "leaving is final: say --yes where nobody can be asked"


def run(args: argparse.Namespace) -> int:
    """Leave, and say what was done."""
    from nodealer.cli.running import run_trio
    from nodealer.cli.unlock import shelf_of
    from nodealer.home import refused, table_by, table_mark
    from nodealer.store import glance, open_journal, places_of

    profile = places_of(os.environ).profile(args.profile)
    table = table_by(profile, args.table)
    mark = table_mark(table)
    if glance(profile.journal(table)).seat is None:
        raise refused("you only watch this table: nothing has to be left")
    question = f"Leave table {mark} for good? It cannot be taken back."
    if not args.yes and not is_sure(question, UNASKED):
        complain("nothing was done")
        return 1
    shelf = shelf_of(args)
    with closing(open_journal(profile, table, shelf.identity)) as journal:
        is_known = run_trio(_leave, args, shelf, journal)
    if args.json:
        emit_json({"table": table.hex(), "left": True, "known": is_known})
    elif is_known:
        emit_text(f"You have left table {mark}, and the others know it.")
    else:
        emit_text(f"You have left table {mark}. The others do not know it yet, for they could not")
        emit_text(as_called(f"be reached; `nodealer resume {mark}` passes it on."))
    return 0


async def _leave(args: argparse.Namespace, shelf: Shelf, journal: Journal) -> bool:
    from nodealer.cli.at_table import listening
    from nodealer.home import leave_and_wait, sitting_at
    from nodealer.store import places_of

    places = places_of(os.environ)
    async with sitting_at(places, shelf, journal, (), listening(args)) as keeper:
        return await leave_and_wait(keeper, PATIENCE_SECONDS)
