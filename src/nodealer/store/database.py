"""SQLite as this package uses it: durable when it says so, of a known kind and version, or refused.

A `DatabaseKind` has the number by which files of the kind are known, and the steps that lead from
an empty file to the present version, as data. A file of an earlier version is brought up to date in
one transaction when it is opened for writing; one of a later version is refused.

A transaction is on the disk when it returns: a write-ahead log with synchronous FULL, which is
looked at after it was asked for, since a file system may not be able to. One that says so is only
in the log then, where the death of this process does not touch it: a power cut may take it away,
and with it only what came behind it. The next that is synced brings all before it to the disk. One
thread at a time uses a connection; which one does not matter.

Whoever opens a database can have its log laid out: filled up with zeros and synced. While a log
grows, every sync brings its new length to the disk as well, which costs about as much again. SQLite
reads a log up to the first frame that is not of its present round; what lies behind that is nothing
to it, zeros no less than what a round before has left.

A connection for readers is one that the database itself keeps from changing anything and from
reading the tables that it is not told of.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from nodealer.store.files import FILE_MODE, require_private, sync_directory
from nodealer.store.trouble import StoreError, Trouble, told_of

BUSY_SECONDS: Final = 5.0
"""Readers hold a database for milliseconds; a writer waits for them."""

_FULL: Final = 2
"""What SQLite calls the synchronous level at which every transaction is synced."""

LOG_PAGES: Final = 1000
"""A log of this length is brought into the database by the next transaction that is synced."""

_PAGE_BYTES: Final = 4096
_LOG_HEAD_BYTES: Final = 32
_FRAME_HEAD_BYTES: Final = 24

_MADE: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"

_PRAGMAS: Final = (
    "PRAGMA journal_mode = wal",
    "PRAGMA synchronous = full",
    f"PRAGMA wal_autocheckpoint = {LOG_PAGES}",
    "PRAGMA fullfsync = on",  # where a sync otherwise ends in the cache of the disk
    "PRAGMA checkpoint_fullfsync = on",
    "PRAGMA secure_delete = on",
    "PRAGMA trusted_schema = off",
    "PRAGMA cell_size_check = on",
)


@dataclass(frozen=True, slots=True)
class DatabaseKind:
    """A kind of database: its number, and for every version the statements that lead to it."""

    application: int
    steps: tuple[tuple[str, ...], ...]

    @property
    def version(self) -> int:
        """The version that this program writes."""
        return len(self.steps)


@contextmanager
def beside(path: Path, layout: DatabaseKind) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """Make a database beside its place, to be filled inside, and put it there at the end.

    There it is whole, in one file and synced. The caller holds a lock; what somebody has left who
    was killed at this is swept away.
    """
    made = path.with_name(f".{path.name}.new")
    with told_of(path):
        for rest in path.parent.glob(f"{made.name}*"):
            rest.unlink()
        os.close(os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE))
        connection = _connected(made, "rw")
        try:
            with transaction(connection):
                connection.execute(f"PRAGMA application_id = {layout.application}")
                _bring_up(connection, layout, 0)
            _make_durable(path, connection)
            with transaction(connection):
                yield connection, made
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
        made.replace(path)
        sync_directory(path.parent)


def opened(path: Path, layout: DatabaseKind, *, log_pages: int = 0) -> sqlite3.Connection:
    """Return a connection to a database that is there, of the present version from now on.

    Its log is laid out for so many pages; the caller holds a lock then.
    """
    _require_file(path)
    with told_of(path):
        connection = _connected(path, "rw")
    try:
        version = _checked(path, connection, layout)
        _make_durable(path, connection)
        if version < layout.version:
            with told_of(path), transaction(connection):
                _bring_up(connection, layout, version)
        if log_pages:
            _lay_out(_log_of(path), _log_bytes(log_pages))
    except BaseException:
        connection.close()
        raise
    return connection


def opened_to_read(path: Path, layout: DatabaseKind, tables: frozenset[str]) -> sqlite3.Connection:
    """Return a connection that reads these tables and nothing else."""
    _require_file(path)
    with told_of(path):
        connection = _connected(path, "ro")
    try:
        _checked(path, connection, layout)
        connection.execute("BEGIN")  # all that is read is of one moment
        connection.set_authorizer(_only(tables))
    except BaseException:
        connection.close()
        raise
    return connection


def as_it_is(path: Path, layout: DatabaseKind) -> sqlite3.Connection:
    """Return a connection that reads a database without asking whether it is whole."""
    _require_file(path)
    with told_of(path):
        connection = _connected(path, "ro")
    try:
        with suppress(sqlite3.DatabaseError):  # then nothing else can be read either
            _require_own(path, connection, layout, Trouble.LOST)
    except BaseException:
        connection.close()
        raise
    return connection


class _Transaction:
    """A class and not a generator: every batch of a journal is one."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, _: object, __: object) -> None:
        try:
            if kind is None:
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:  # some failures have ended it already
                self._connection.execute("ROLLBACK")


def transaction(connection: sqlite3.Connection) -> AbstractContextManager[None]:
    """Do all that is done inside, or nothing of it."""
    return _Transaction(connection)


@contextmanager
def unsynced(connection: sqlite3.Connection) -> Iterator[None]:
    """Let the transaction inside be the log's, and the disk's with the next one that is synced.

    The log is not brought into the database here: that syncs it, and nobody is told of a failure.
    """
    connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
    connection.execute("PRAGMA synchronous = normal")
    try:
        yield
    finally:
        connection.execute("PRAGMA synchronous = full")
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}").fetchall()


def _require_file(path: Path) -> None:
    with told_of(path):
        require_private(path, path.lstat())


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _make_durable(path: Path, connection: sqlite3.Connection) -> None:
    with told_of(path):
        for pragma in _PRAGMAS:
            connection.execute(pragma).fetchall()
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        level = connection.execute("PRAGMA synchronous").fetchone()[0]
    if (mode, level) != ("wal", _FULL):
        raise StoreError(Trouble.FAILED, path, f"no log can be kept there, only {mode}")


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _log_bytes(pages: int) -> int:
    return _LOG_HEAD_BYTES + pages * (_FRAME_HEAD_BYTES + _PAGE_BYTES)


def _lay_out(log: Path, length: int) -> None:
    """Bring a log to a length, unless it has it or there is no room: then it grows as it can."""
    with told_of(log):
        # To close a file gives up the locks on it, and SQLite has none on its log.
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(log, flags, FILE_MODE)
        try:
            if _is_lengthened(log, handle, length):
                os.fsync(handle)
        finally:
            os.close(handle)


def _is_lengthened(log: Path, handle: int, length: int) -> bool:
    before = at = os.fstat(handle).st_size
    try:
        with told_of(log):
            while at < length:
                at += os.pwrite(handle, bytes(length - at), at)
    except StoreError as error:
        if error.trouble is not Trouble.FULL:
            raise
        os.ftruncate(handle, before)
        return False
    return at > before


def _checked(path: Path, connection: sqlite3.Connection, layout: DatabaseKind) -> int:
    """Return the version of a database, once it is found to be whole and of this kind."""
    with told_of(path):
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != layout.application:
            raise StoreError(Trouble.FOREIGN, path, f"of kind {application:#x}")
        if version > layout.version:
            raise StoreError(Trouble.NEWER, path, f"version {version}, not {layout.version}")
        _require_own(path, connection, layout, Trouble.DAMAGED)
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreError(Trouble.DAMAGED, path, found.splitlines()[0])
    return int(version)


def _require_own(
    path: Path, connection: sqlite3.Connection, layout: DatabaseKind, trouble: Trouble
) -> None:
    """Raise unless all that is made in a database is what a program of ours has made there.

    What has the name of a table may be a question instead, of which the answer has no end.
    """
    for made in connection.execute(_MADE).fetchall():
        if made not in _made_by(layout):
            raise StoreError(trouble, path, f"{made[0]} {made[1]} is none of ours")


@cache
def _made_by(layout: DatabaseKind) -> frozenset[tuple[object, ...]]:
    """Return what any version of a layout makes in a database."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        found: set[tuple[object, ...]] = set()
        for statements in layout.steps:
            for statement in statements:
                connection.execute(statement)
            found.update(connection.execute(_MADE))
    return frozenset(found)


def _bring_up(connection: sqlite3.Connection, layout: DatabaseKind, version: int) -> None:
    for statements in layout.steps[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {layout.version}")


def _only(tables: frozenset[str]) -> Callable[..., int]:
    """Return what says to the database that these tables may be read, and nothing else be done."""

    def allows(action: int, name: str | None, *_: str | None) -> int:
        is_query = action == sqlite3.SQLITE_SELECT
        is_known = action == sqlite3.SQLITE_READ and name in tables
        return sqlite3.SQLITE_OK if is_query or is_known else sqlite3.SQLITE_DENY

    return allows
