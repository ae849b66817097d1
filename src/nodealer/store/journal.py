"""The journal of a seat at a table: what it must not forget, on the disk before anything leaves.

    journal = create(...)  or  open_journal(...)        of `opening`
    journal.append(batch.records, syncs=batch.syncs)            then `ready.send` may leave
    journal.close()

A batch is one transaction: after a crash there are all of its records or none, and of the batches
those that were appended first. A batch that could not be stored leaves the journal finished;
whoever opens it again finds what the disk has. So what left was stored, whatever happens to the
disk.

Before a seat says anything new of its own, all that was stored is synced. A batch of which nothing
leaves waits for that: half of all batches are the words of others, who say them
again after a power cut. Doubt does not wait, because who has forgotten it would sign. Whatever
fails to be written leaves the journal finished: a disk tells of a failed sync once, and not of what
it lost.

While a journal is open its mark (`old_copies`) is kept up to date with what is synced. One that
does not fit its mark is in doubt until a batch says that the seat is suspect no more, also over
restarts. A journal that was retired is read and never again appended to.

What is secret lies in tables of its own: the seed, in a box under the identity, and notes, which
are whatever the program around wants to remember for this table. Records are public: they are what
was sent or will be.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from nodealer.crypto import NONCE_BYTES, SigningKey, opened, shut
from nodealer.kernel import LocalError, Reason, Seat, TableId, frame
from nodealer.ledger import Charter, LedgerMessage, write
from nodealer.store.database import transaction, unsynced
from nodealer.store.identity import Identity
from nodealer.store.locks import Lock
from nodealer.store.old_copies import Doubt, Mark, MarkFile, doubt_of
from nodealer.store.records import (
    JournalOrigin,
    StoredRecord,
    bodies_of,
    linked,
    messages_of,
    read_origin,
)
from nodealer.store.trouble import StoreError, Trouble, told_of

SEED: Final = "nodealer/1/seed"

NOTE_NAME_BYTES_MAX: Final = 64
NOTE_BYTES_MAX: Final = 1 << 16
"""A note is an address or a choice, and no place for files."""


class Journal:
    """A journal that this process has open."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: Lock,
        mark: MarkFile,
        identity: Identity | None,
    ) -> None:
        """Wrap what `opening` has opened and looked at."""
        self.path = path
        self._connection = connection
        self._lock = lock
        self._mark = mark
        self._identity = identity
        self._is_finished = False
        self.is_synced = True
        self.origin = read_origin(path, connection)
        row = connection.execute("SELECT count, head, mark, doubt, retired FROM standing")
        self.count, self._head, self._number, doubt, self.retired = row.fetchone()
        self.doubt = doubt_of(doubt)

    def __repr__(self) -> str:
        """Show whose journal it is and how long, and nothing of what is in it."""
        return f"<journal of seat {self.seat} at {self.table.hex()[:12]}, {self.count} records>"

    @property
    def table(self) -> TableId:
        """The table."""
        return self.charter.table

    @property
    def charter(self) -> Charter:
        """What all seats have agreed on."""
        return self.origin.charter

    @property
    def seat(self) -> Seat | None:
        """The seat whose journal this is; that of a spectator has none."""
        return self.origin.seat

    def append(
        self,
        records: Iterable[LedgerMessage],
        *,
        syncs: bool = True,
        is_suspect: bool | None = None,
    ) -> None:
        """Store a batch; if it syncs, all that was stored is on the disk on return.

        With `is_suspect` the batch also says whether this seat signs nothing for now: the journal
        is in doubt as long as it is.
        """
        self._require_usable()
        rows = chained([write(record) for record in records], self.count, self._head)
        doubt = self._doubt_if(is_suspect=is_suspect)
        is_synced = syncs or doubt is not self.doubt
        if not rows and doubt is self.doubt and (self.is_synced or not syncs):
            return
        with self._or_finished():
            with nullcontext() if is_synced else unsynced(self._connection):
                self._store(rows, doubt)
            self.is_synced = is_synced
            if is_synced:
                self._write_mark()

    def _store(self, rows: Sequence[StoredRecord], doubt: Doubt | None) -> None:
        count, head = self.count + len(rows), rows[-1].link if rows else self._head
        with transaction(self._connection):
            insert(self._connection, rows)
            if not rows:
                stir(self._connection)
            self._connection.execute(
                "UPDATE standing SET count = ?, head = ?, doubt = ?",
                (count, head, None if doubt is None else doubt.name),
            )
        self.count, self._head, self.doubt = count, head, doubt

    @contextmanager
    def _or_finished(self) -> Iterator[None]:
        """Do what is done inside, or finish the journal: what the disk has is not known then."""
        try:
            with told_of(self.path):
                yield
        except BaseException:
            self._is_finished = True
            raise

    def _write_mark(self) -> None:
        self._mark.write(Mark(self._number, self.count, self._head))

    def records(self) -> tuple[LedgerMessage, ...]:
        """Return everything that was appended, in order."""
        return messages_of(self.path, self.bodies())

    def bodies(self) -> tuple[bytes, ...]:
        """Return everything that was appended, as it was stored."""
        with told_of(self.path):
            return bodies_of(self.path, self._connection, self.origin)

    def seed(self) -> bytes:
        """Return the seed of this seat, out of its box; never print or store it."""
        if self._identity is None:
            raise LocalError(Reason.LOCAL_ARGUMENT, "a spectator has no seed")
        with told_of(self.path):
            row = self._connection.execute("SELECT box FROM private").fetchone()
        return open_seed(self.path, None if row is None else row[0], self._identity, self.origin)

    def signer(self) -> SigningKey:
        """Return what signs for this seat."""
        if self._identity is None:
            raise LocalError(Reason.LOCAL_ARGUMENT, "a spectator signs nothing")
        return self._identity.signer

    def note(self, name: str, value: bytes) -> None:
        """Remember something for this table that is nobody else's business."""
        self._require_usable()
        if len(name.encode()) > NOTE_NAME_BYTES_MAX or len(value) > NOTE_BYTES_MAX:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"a note of {len(value)} bytes")
        with self._or_finished(), transaction(self._connection):
            self._connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value))

    def noted(self, name: str) -> bytes | None:
        """Return what was remembered under a name."""
        query = "SELECT value FROM notes WHERE name = ?"
        with told_of(self.path):
            row = self._connection.execute(query, (name,)).fetchone()
        return row[0] if row is not None and type(row[0]) is bytes else None  # else it is damaged

    def notes(self) -> tuple[tuple[str, bytes], ...]:
        """Return everything that was remembered, by name."""
        with told_of(self.path):
            rows = self._connection.execute("SELECT name, value FROM notes ORDER BY name")
            return tuple(row for row in rows if tuple(map(type, row)) == (str, bytes))

    def retire(self, why: str) -> None:
        """Let this seat never sign from here again; it lasts when this returns."""
        with self._or_finished(), transaction(self._connection):
            self._connection.execute("UPDATE standing SET retired = ?", (why,))
        self.retired = why

    def revive(self) -> None:
        """Take back that it was retired; what was signed elsewhere meanwhile is not known here."""
        doubt = Doubt.REVIVED
        with self._or_finished(), transaction(self._connection):
            self._connection.execute("UPDATE standing SET retired = NULL, doubt = ?", (doubt.name,))
        self.retired, self.doubt = None, doubt

    def close(self) -> None:
        """Close the journal, and let others open it."""
        try:
            if not self._is_finished:
                with told_of(self.path), transaction(self._connection):
                    self._connection.execute("UPDATE standing SET holder = NULL")
                self._write_mark()
                self._mark.sync()
        finally:
            self._is_finished = True
            self._connection.close()
            self._mark.close()
            self._lock.release()

    def _doubt_if(self, *, is_suspect: bool | None) -> Doubt | None:
        if is_suspect is None:
            return self.doubt
        return (self.doubt or Doubt.SHOWN) if is_suspect else None

    def _require_usable(self) -> None:
        if self._is_finished:
            raise StoreError(Trouble.FINISHED, self.path)
        if self.retired is not None:
            raise StoreError(Trouble.RETIRED, self.path, self.retired)


def chained(bodies: Sequence[bytes], count: int, head: bytes) -> tuple[StoredRecord, ...]:
    """Return the rows of a batch that follows `count` records of which the last link is `head`."""
    rows, batch = [], count + 1
    for number, body in enumerate(bodies, batch):
        head = linked(head, number, body)
        rows.append(StoredRecord(number, batch, body, head))
    return tuple(rows)


def stir(connection: sqlite3.Connection) -> None:
    """Change something before `count` is set, inside a transaction that may bring nothing new.

    One that changes nothing syncs nothing, not even what came before it.
    """
    connection.execute("UPDATE standing SET count = -1")


def insert(connection: sqlite3.Connection, rows: Iterable[StoredRecord]) -> None:
    """Add rows, inside a transaction."""
    fields = ((row.number, row.batch, row.body, row.link) for row in rows)
    connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", fields)


def seed_box(seed: bytes, nonce: bytes, identity: Identity, origin: JournalOrigin) -> bytes:
    """Return the box of a seed: only this identity opens it, and only for this seat."""
    return nonce + shut(identity.box_key(), nonce, seed, _beside(origin))


def open_seed(path: Path, box: object, identity: Identity, origin: JournalOrigin) -> bytes:
    """Return the seed in what is stored as its box, or raise if that is damaged."""
    whole = box if isinstance(box, bytes) else b""  # damage can put anything into a column
    nonce, rest = whole[:NONCE_BYTES], whole[NONCE_BYTES:]
    try:
        return opened(identity.box_key(), nonce, rest, _beside(origin))
    except (LocalError, ValueError):
        raise StoreError(Trouble.DAMAGED, path, "the box of its seed") from None


def _beside(origin: JournalOrigin) -> bytes:
    return frame(SEED, origin.charter.table, origin.seat)
