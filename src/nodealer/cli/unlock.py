"""The identity of a player, unlocked: with a passphrase where its file is protected.

A passphrase comes from a prompt, which shows nothing of it, or from a private file; never from the
command line, which others on the machine can read. A new identity can be protected when it is made,
and an old one later (`--protect`).
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import cache
from getpass import getpass
from pathlib import Path
from typing import Final

from nodealer.cli.output import complain
from nodealer.home import Shelf
from nodealer.store import (
    PASSPHRASE_CHARACTERS_MIN,
    Identity,
    Profile,
    StoreError,
    Trouble,
    create_identity,
    open_identity,
    places_of,
    protect,
    read_key_file,
    read_private,
)

TRIES: Final = 3
PASSPHRASE_BYTES_MAX: Final = 1024


def identity_of(args: argparse.Namespace, profile: Profile) -> Identity:
    """Return the identity of a profile, a new one if there is none; ask what has to be asked."""
    return _identity(profile, args.passphrase_file, wants_protection=args.protect)


def shelf_of(args: argparse.Namespace) -> Shelf:
    """Return the lobbies and tables of the player of a command, unlocked."""
    profile = places_of(os.environ).profile(args.profile)
    return Shelf(profile, identity_of(args, profile))


@cache
def _identity(profile: Profile, file: Path | None, *, wants_protection: bool) -> Identity:
    """Return it; asked for once in a process."""
    profile.make()
    if not profile.key.exists():
        passphrase = _new_passphrase(profile, file) if wants_protection else None
        return create_identity(profile.key, passphrase)
    found = read_key_file(profile.key)
    if found.is_protected and not found.retired:
        return _opened(profile, file)
    if wants_protection:
        return protect(profile.key, None, _new_passphrase(profile, file))
    return open_identity(profile.key)


def _opened(profile: Profile, file: Path | None) -> Identity:
    if file is not None:
        return open_identity(profile.key, first_line(file))
    for _ in range(TRIES - 1):
        try:
            return open_identity(profile.key, _asked(profile, "passphrase"))
        except StoreError as error:
            if error.trouble is not Trouble.PASSPHRASE:
                raise
            complain("that is not the passphrase")
    return open_identity(profile.key, _asked(profile, "passphrase"))


def _new_passphrase(profile: Profile, file: Path | None) -> str:
    if file is not None:
        return first_line(file)
    while True:
        chosen = _asked(profile, "new passphrase")
        if len(chosen) < PASSPHRASE_CHARACTERS_MIN:
            complain(f"{Trouble.WEAK.meaning}: {Trouble.WEAK.advice}")
        elif _asked(profile, "once more") == chosen:
            return chosen
        else:
            complain("the two are not the same")


def _asked(profile: Profile, what: str) -> str:
    """Ask for a passphrase, on a terminal only: elsewhere it would be shown, or nobody answers."""
    if not sys.stdin.isatty():
        raise StoreError(Trouble.PROTECTED, profile.key, "no terminal, and no --passphrase-file")
    try:
        return getpass(f"{what} of {profile.name!r}: ")
    except EOFError:
        raise StoreError(Trouble.PROTECTED, profile.key) from None


def first_line(file: Path) -> str:
    """Return the first line of a private file."""
    lines = read_private(file, PASSPHRASE_BYTES_MAX).decode(errors="replace").splitlines()
    return lines[0] if lines else ""
