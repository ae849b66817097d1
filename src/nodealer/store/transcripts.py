"""The public part of a journal: what can be told of a table without any secret.

Everything here is read through a connection that the database itself keeps from the private tables,
without a lock and without an identity: also while somebody plays, and also of a journal that is
retired. The transcript is the one that a spectator would write who had seen what the seat stored.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from nodealer.kernel import LocalError, Seat
from nodealer.ledger import Charter, LedgerMessage, Left
from nodealer.store import database
from nodealer.store.layouts import JOURNAL, PUBLIC
from nodealer.store.locks import Holder, read_tag
from nodealer.store.old_copies import Doubt, doubt_of
from nodealer.store.records import bodies_of, messages_of, read_origin
from nodealer.store.seats import setting_of
from nodealer.store.trouble import StoreError, Trouble, told_of
from nodealer.table import come_back
from nodealer.verify import transcript_of


@dataclass(frozen=True, slots=True)
class Glance:
    """The look at a journal from outside."""

    charter: Charter
    seat: Seat | None
    identity: bytes | None
    doubt: Doubt | None
    retired: str | None
    holder: Holder | None
    """The process that has it open, or had when it ended."""


def glance(path: Path) -> Glance:
    """Return what can be seen of a journal, whether or not somebody has it open."""
    with _reading(path) as connection, told_of(path):
        return _glance(path, connection)


def public_part(path: Path) -> tuple[Charter, tuple[LedgerMessage, ...]]:
    """Return the charter of a journal and all its records."""
    with _reading(path) as connection, told_of(path):
        origin = read_origin(path, connection)
        bodies = bodies_of(path, connection, origin)
    return origin.charter, messages_of(path, bodies)


def transcript(path: Path) -> bytes:
    """Return the transcript of a journal, as far as it goes."""
    charter, records = public_part(path)
    setting = setting_of(charter, path)
    try:
        table, _ = come_back(setting, None, records)
    except LocalError as error:
        raise StoreError(Trouble.DAMAGED, path, error.detail) from error
    for record in records:
        if isinstance(record, Left):  # of its own leave only the seat itself is reminded
            table, _ = table.receive(record)
    return transcript_of(table.ledger)


def _glance(path: Path, connection: sqlite3.Connection) -> Glance:
    origin = read_origin(path, connection)
    query = "SELECT doubt, retired, holder FROM standing"
    doubt, retired, holder = connection.execute(query).fetchone()
    return Glance(
        charter=origin.charter,
        seat=origin.seat,
        identity=origin.identity,
        doubt=doubt_of(doubt),
        retired=retired,
        holder=read_tag(holder or ""),
    )


def _reading(path: Path) -> closing[sqlite3.Connection]:
    return closing(database.opened_to_read(path, JOURNAL, PUBLIC))
