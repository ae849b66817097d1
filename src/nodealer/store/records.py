"""The records of a journal: chained by hashes, read as messages, never changed.

    link 0  =  H("nodealer/1/journal", charter, seat, identity key)
    link n  =  H("nodealer/1/journal", link n-1, n, body)

The chain shows damage, edits by hand, and the loss of records from the middle or, with the count
and head that stand beside them, from the end. It is no protection against somebody who can compute
hashes; the signatures in the records are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodealer.kernel import PeerError, Seat, digest
from nodealer.ledger import Charter, Founded, LedgerMessage, read, write
from nodealer.store.trouble import StoreError, Trouble

JOURNAL: Final = "nodealer/1/journal"


@dataclass(frozen=True, slots=True)
class JournalOrigin:
    """The table of a journal, and the seat whose journal it is. A reader has no seat."""

    charter: Charter
    seat: Seat | None = None
    identity: bytes | None = None

    @property
    def is_possible(self) -> bool:
        """Whether the seat is one of the charter, and the identity its key."""
        return (self.seat, self.identity) in {(None, None), *enumerate(self.charter.keys)}

    def charter_bytes(self) -> bytes:
        """Return the charter as it is stored."""
        return write(Founded(self.charter))

    def link(self) -> bytes:
        """Return the beginning of the chain."""
        return digest(JOURNAL, self.charter_bytes(), self.seat, self.identity)


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """One record as it is stored."""

    number: int
    batch: int
    """The number of the first record that was stored together with this one."""
    body: bytes
    link: bytes

    def follows(self, before: bytes) -> bool:
        """Whether this record is chained to the link before it."""
        # Damage can put anything into a column.
        is_whole = type(self.number) is int and type(self.body) is bytes
        return is_whole and self.link == linked(before, self.number, self.body)


def linked(before: bytes, number: int, body: bytes) -> bytes:
    """Return the link of a record."""
    return digest(JOURNAL, before, number, body)


def bodies_of(
    path: Path, connection: sqlite3.Connection, origin: JournalOrigin
) -> tuple[bytes, ...]:
    """Return all records as they were stored, or raise if some are not."""
    count, head = connection.execute("SELECT count, head FROM standing").fetchone()
    rows = tuple(good_rows(connection, origin))
    last = rows[-1].link if rows else origin.link()
    if (len(rows), last) != (count, head):
        raise StoreError(Trouble.DAMAGED, path, f"{len(rows)} of {count} records are whole")
    return tuple(row.body for row in rows)


def read_origin(path: Path, connection: sqlite3.Connection) -> JournalOrigin:
    """Return what the journal is of."""
    row = connection.execute("SELECT charter, seat, identity FROM founding").fetchone()
    data, seat, identity = (None, None, None) if row is None else row
    try:
        founded = read(data) if type(data) is bytes else None
    except PeerError as error:
        raise StoreError(Trouble.DAMAGED, path, f"its charter: {error.slug}") from None
    if not isinstance(founded, Founded):
        raise StoreError(Trouble.DAMAGED, path, "it has no charter")
    charter = founded.charter
    if charter.table.hex() != path.stem:
        raise StoreError(Trouble.FOREIGN, path, f"it is of table {charter.table.hex()}")
    origin = JournalOrigin(charter, seat, identity)
    if not origin.is_possible:
        raise StoreError(Trouble.DAMAGED, path, "its seat is not one of the charter")
    return origin


def good_rows(connection: sqlite3.Connection, origin: JournalOrigin) -> Iterator[StoredRecord]:
    """Yield the records in order, as long as each is chained to the one before it."""
    before, query = origin.link(), "SELECT number, batch, body, link FROM records ORDER BY number"
    for expected, fields in enumerate(connection.execute(query), 1):
        row = StoredRecord(*fields)
        if row.number != expected or not row.follows(before):
            return
        yield row
        before = row.link


def messages_of(path: Path, bodies: Sequence[bytes]) -> tuple[LedgerMessage, ...]:
    """Return records as messages; one that this program cannot read is of a later one."""
    found = []
    for number, body in enumerate(bodies, 1):
        try:
            found.append(read(body))
        except PeerError as error:
            raise StoreError(Trouble.NEWER, path, f"record {number}: {error.slug}") from None
    return tuple(found)
