"""The rescue of a damaged journal: its beginning, as far as it is whole.

The damaged files are put aside, never changed and never deleted. In their place comes a journal of
all records up to the first that is not as it was stored. It is in doubt, so the seat asks the
others what it has signed before it signs again; they also send it what happened since. Notes are
kept as far as they can be read: without them nobody knows where the others are. Charter and seed
must be readable: without them nothing can be saved here, and the seat is lost.

A disk that two machines see may look damaged to the second while the first is writing. So whoever
stands in the journal as having it open there keeps it, as in `opening`, as far as that can be read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nodealer.kernel import TableId
from nodealer.store import database
from nodealer.store.files import sync_directory
from nodealer.store.identity import Identity
from nodealer.store.journal import open_seed
from nodealer.store.layouts import JOURNAL
from nodealer.store.old_copies import Doubt
from nodealer.store.opening import Contents, install, require_not_elsewhere, take_lock
from nodealer.store.places import Profile
from nodealer.store.records import good_rows, read_origin
from nodealer.store.trouble import StoreError, Trouble, told_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The number of records that were saved, and where the damaged file is now."""

    records: int
    aside: Path


def salvage(
    profile: Profile,
    table: TableId,
    identity: Identity | None = None,
    *,
    takes_over: bool = False,
) -> Salvaged:
    """Put what is whole of a journal in its place."""
    path = profile.journal(table)
    lock = take_lock(profile, table, identity)
    try:
        if not takes_over:
            _require_here(path)
        contents = _saved(path, identity)
        aside = _put_aside(path)
        install(profile, contents)
    finally:
        lock.release()
    return Salvaged(len(contents.rows), aside)


def _require_here(path: Path) -> None:
    with told_of(path), closing(database.as_it_is(path, JOURNAL)) as connection:
        for holder in _whole(_holders(connection)):
            require_not_elsewhere(path, holder)


def _saved(path: Path, identity: Identity | None) -> Contents:
    try:
        return _read(path, identity)
    except StoreError as error:
        if error.trouble is not Trouble.DAMAGED:
            raise
        raise StoreError(Trouble.LOST, path, error.found) from error


def _read(path: Path, identity: Identity | None) -> Contents:
    with told_of(path), closing(database.as_it_is(path, JOURNAL)) as connection:
        origin = read_origin(path, connection)
        if origin.identity != (None if identity is None else identity.public):
            raise StoreError(Trouble.OTHER_KEY, path)
        row = connection.execute("SELECT box FROM private").fetchone()
        box = None if row is None else row[0]
        if identity is not None:
            open_seed(path, box, identity, origin)
        rows = _whole(good_rows(connection, origin))
        notes = _whole(_notes(connection))
    return Contents(origin, box, rows, notes, Doubt.SALVAGED)


def _whole(found: Iterable[T]) -> tuple[T, ...]:
    """Return what can be read before the damage."""
    kept = []
    with suppress(sqlite3.DatabaseError):
        for one in found:
            kept.append(one)  # noqa: PERF402 - what was read before the damage is kept
    return tuple(kept)


def _holders(connection: sqlite3.Connection) -> Iterator[object]:
    for (holder,) in connection.execute("SELECT holder FROM standing"):
        yield holder


def _notes(connection: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    for name, value in connection.execute("SELECT name, value FROM notes ORDER BY name"):
        if type(name) is str and type(value) is bytes:
            yield name, value


def _put_aside(path: Path) -> Path:
    """Give the damaged files other names, the log before the file that it belongs to."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with told_of(path):
        os.link(path, aside)
        for end in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + end).replace(aside.with_name(aside.name + end))
        sync_directory(path.parent)
    return aside
