"""Takes a player to another machine, or back: what `store.move` does, with its passphrases asked.

Nothing is written before everything is locked: a table that is open in another process stops the
move before anything was retired.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from getpass import getpass
from pathlib import Path
from typing import Final

from nodealer.cli.output import complain, emit_text
from nodealer.kernel import LocalError, Reason
from nodealer.store.files import read_private
from nodealer.store.identity import read_key_file
from nodealer.store.move import arrive, bring_back, leave
from nodealer.store.places import Profile, places_of
from nodealer.store.trouble import StoreError, Trouble

PASSPHRASE_BYTES_MAX: Final = 1024


def run(args: argparse.Namespace) -> int:
    """Move in the direction that is asked for."""
    profile = places_of(os.environ).profile(args.profile)
    if args.direction == "export":
        return _export(args, profile)
    if args.direction == "import":
        return _import(args, profile)
    return _back(args, profile)


def _export(args: argparse.Namespace, profile: Profile) -> int:
    if not profile.key.exists():
        raise StoreError(Trouble.MISSING, profile.key)
    own = _own_passphrase(args, profile)
    secured_by = _passphrase(args, "passphrase for the file", is_new=True)
    day = datetime.now(tz=UTC).date().isoformat()
    count = leave(profile, own, args.file, secured_by=secured_by, why=f"moved away on {day}")
    emit_text(f"Your key and {_tables(count)} are in {args.file}, under the passphrase.")
    emit_text("Nothing is signed on this machine any more. On the other one:")
    emit_text(f"  nodealer move import {args.file.name}")
    return 0


def _import(args: argparse.Namespace, profile: Profile) -> int:
    secured_by = _passphrase(args, "passphrase of the file", is_new=False)
    came = arrive(profile, args.file, secured_by=secured_by)
    emit_text(f"Your key and {_tables(len(came.tables))} are here; `nodealer tables` lists them.")
    doubtful = [table.hex()[:6] for table, doubt in came.tables if doubt is not None]
    if doubtful:
        complain(
            f"in doubt: {', '.join(doubtful)}",
            "there, nothing is signed before all others have said what you have signed",
        )
    emit_text("Use the file only once, and delete it.")
    return 0


def _back(args: argparse.Namespace, profile: Profile) -> int:
    found = read_key_file(profile.key)
    if not found.retired:
        complain("this player was not moved away: nothing is to be brought back")
        return 1
    if not args.yes and not _is_sure(found.retired):
        complain("nothing was done")
        return 1
    bring_back(profile, _own_passphrase(args, profile))
    emit_text("You play here again. At each open table nothing is signed before all others have")
    emit_text("said what you have signed.")
    return 0


def _is_sure(retired: str) -> bool:
    if not sys.stdin.isatty():
        detail = "two machines with one seat contradict each other: say --yes to be sure"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    question = f"This player was {retired}. Is the copy there lost for ever? [y/n] "
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _own_passphrase(args: argparse.Namespace, profile: Profile) -> str | None:
    """Return the passphrase of the key, if it has one."""
    if not read_key_file(profile.key).is_protected:
        return None
    if args.passphrase_file is not None:
        return _first_line(args.passphrase_file)
    return _asked("passphrase of your key", profile.key)


def _passphrase(args: argparse.Namespace, what: str, *, is_new: bool) -> str:
    if args.secured_by is not None:
        return _first_line(args.secured_by)
    chosen = _asked(what, args.file)
    if is_new and _asked("once more", args.file) != chosen:
        raise LocalError(Reason.LOCAL_ARGUMENT, "the two passphrases are not the same")
    return chosen


def _asked(what: str, about: Path) -> str:
    if not sys.stdin.isatty():
        raise StoreError(Trouble.PROTECTED, about, "no terminal, and no --secured-by FILE")
    return getpass(f"{what}: ")


def _first_line(file: Path) -> str:
    lines = read_private(file, PASSPHRASE_BYTES_MAX).decode(errors="replace").splitlines()
    return lines[0] if lines else ""


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"
