"""`nodealer move`: takes a player from one machine to another.

It does what `store.moving` does, with its passphrases asked. Nothing is written before everything
is locked: a table that is open in another process stops the move before anything was retired.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from nodealer.cli.called import as_called
from nodealer.cli.output import complain, emit_text, is_sure
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_profile

if TYPE_CHECKING:
    from nodealer.store import Profile

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


def register(commands: Commands) -> None:
    """Describe `move` and its three directions."""
    move = add_command(commands, "move", "take your key and tables to another machine", DESCRIPTION)
    move.set_defaults(helped=move)
    ways = move.add_subparsers(
        prog=move.prog, title="directions", metavar="DIRECTION", dest="direction"
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


def run(args: argparse.Namespace) -> int:
    """Move in the direction that is asked for."""
    from nodealer.store import places_of

    if args.direction is None:
        args.helped.print_help()
        return 0
    profile = places_of(os.environ).profile(args.profile)
    if args.direction == "export":
        return _export(args, profile)
    if args.direction == "import":
        return _import(args, profile)
    return _back(args, profile)


def _export(args: argparse.Namespace, profile: Profile) -> int:
    from nodealer.store import StoreError, Trouble, leave

    if not profile.key.exists():
        raise StoreError(Trouble.MISSING, profile.key)
    own = _own_passphrase(args, profile)
    secured_by = _passphrase(args, "passphrase for the file", is_new=True)
    day = datetime.now(tz=UTC).date().isoformat()
    count = leave(profile, own, args.file, secured_by=secured_by, why=f"moved away on {day}")
    emit_text(f"Your key and {_tables(count)} are in {args.file}, under the passphrase.")
    emit_text("Nothing is signed on this machine any more. On the other one:")
    emit_text(as_called(f"  nodealer move import {args.file.name}"))
    return 0


def _import(args: argparse.Namespace, profile: Profile) -> int:
    from nodealer.store import StoreError, Trouble, arrive

    if not args.file.exists():
        raise StoreError(Trouble.MISSING, args.file)
    secured_by = _passphrase(args, "passphrase of the file", is_new=False)
    came = arrive(profile, args.file, secured_by=secured_by)
    listed = as_called("`nodealer tables` lists them")
    emit_text(f"Your key and {_tables(len(came))} are here; {listed}.")
    doubtful = [table.hex()[:6] for table, doubt in came if doubt is not None]
    if doubtful:
        complain(
            f"in doubt: {', '.join(doubtful)}",
            "there, nothing is signed before all others have said what you have signed",
        )
    emit_text("Use the file only once, and delete it.")
    return 0


def _back(args: argparse.Namespace, profile: Profile) -> int:
    from nodealer.store import bring_back, read_key_file

    found = read_key_file(profile.key)
    if not found.retired:
        complain("this player was not moved away: nothing is to be brought back")
        return 1
    question = f"This player was {found.retired}. Is the copy there lost for ever?"
    unasked = "two machines with one seat contradict each other: say --yes to be sure"
    if not args.yes and not is_sure(question, unasked):
        complain("nothing was done")
        return 1
    bring_back(profile, _own_passphrase(args, profile))
    emit_text("You play here again. At each open table nothing is signed before all others have")
    emit_text("said what you have signed.")
    return 0


def _own_passphrase(args: argparse.Namespace, profile: Profile) -> str | None:
    """Return the passphrase of the key, if it has one."""
    from nodealer.cli.unlock import first_line
    from nodealer.store import read_key_file

    if not read_key_file(profile.key).is_protected:
        return None
    if args.passphrase_file is not None:
        return first_line(args.passphrase_file)
    return _asked("passphrase of your key", profile.key)


def _passphrase(args: argparse.Namespace, what: str, *, is_new: bool) -> str:
    from nodealer.cli.unlock import first_line
    from nodealer.kernel import LocalError, Reason

    if args.secured_by is not None:
        return first_line(args.secured_by)
    chosen = _asked(what, args.file)
    if is_new and _asked("once more", args.file) != chosen:
        raise LocalError(Reason.LOCAL_ARGUMENT, "the two passphrases are not the same")
    return chosen


def _asked(what: str, about: Path) -> str:
    from nodealer.store import StoreError, Trouble

    if not sys.stdin.isatty():
        raise StoreError(Trouble.PROTECTED, about, "no terminal, and no --secured-by FILE")
    return getpass(f"{what}: ")


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"
