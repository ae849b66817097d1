"""Makes journals such that they can be opened, where their owner has asked for it.

Two troubles of a journal nobody but its owner can decide on: that it is damaged, and is to be
salvaged; that another machine has it open, and never will again. At a table against bots theirs
have gone through the same, and their owner is the player too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from nodealer.kernel import TableId
from nodealer.node import bots_of
from nodealer.store import (
    Directories,
    Identity,
    Profile,
    Salvaged,
    StoreError,
    Trouble,
    open_identity,
    open_journal,
    salvage,
)


@dataclass(frozen=True, slots=True)
class Mend:
    """The wishes of the owner of a table; a journal may need both."""

    salvages: bool
    takes_over: bool
    tell: Callable[[Salvaged], None]
    """Hears of every journal that was salvaged."""


def mend(
    places: Directories, profile: Profile, identity: Identity, table: TableId, asked: Mend
) -> None:
    """Salvage the journals of a table that are damaged, or take over those that are elsewhere."""
    try:
        bots = _mended(profile, identity, table, asked)
    except StoreError as error:
        if error.trouble is not Trouble.OTHER_KEY:
            raise
        bots = _mended(profile, None, table, asked)  # it is only watched
    for name in bots:
        own = places.profile(name)
        _mended(own, open_identity(own.key), table, asked)


def _mended(
    profile: Profile, identity: Identity | None, table: TableId, asked: Mend
) -> tuple[str, ...]:
    """Mend one journal, and return the bots that it names."""
    try:
        return _opened(profile, identity, table, takes_over=asked.takes_over)
    except StoreError as error:
        if not asked.salvages or error.trouble is not Trouble.DAMAGED:
            raise
    saved = salvage(profile, table, identity, takes_over=asked.takes_over)
    asked.tell(saved)
    return _opened(profile, identity, table, takes_over=False)


def _opened(
    profile: Profile, identity: Identity | None, table: TableId, *, takes_over: bool
) -> tuple[str, ...]:
    with closing(open_journal(profile, table, identity, takes_over=takes_over)) as journal:
        journal.bodies()  # raises if one is not as it was written
        return bots_of(journal)
