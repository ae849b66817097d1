"""The beginning of a journal, and how it is opened again.

A new journal is made whole beside its place, with its charter and seed and whatever records it
begins with, folded into one file and synced; then it gets its name. So a journal that is there has
its charter and seed in the file itself: whatever is lost with a log, they are not.

Opening takes the lock, looks whether the files belong together, and enters this process as the
holder. What is found to be in doubt is written down before anything else is done with it.

The lock is one for each table and identity on this machine, whatever file the journal is in: two
copies of a journal are never open at once.
"""

from __future__ import annotations

import secrets
import sqlite3
from dataclasses import dataclass, field, replace
from pathlib import Path

from nodealer.crypto import NONCE_BYTES
from nodealer.kernel import TableId
from nodealer.store import database
from nodealer.store.database import transaction
from nodealer.store.files import make_directory
from nodealer.store.identity import Identity, read_key_file
from nodealer.store.journal import Journal, insert, seed_box, stir
from nodealer.store.layouts import JOURNAL
from nodealer.store.locks import Lock, read_tag, this_process
from nodealer.store.old_copies import Doubt, Mark, MarkFile, machine_mark, new_number
from nodealer.store.places import Profile
from nodealer.store.records import JournalOrigin, StoredRecord, read_origin
from nodealer.store.trouble import StoreError, Trouble, told_of


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents with which a journal begins."""

    origin: JournalOrigin
    box: bytes | None = field(default=None, repr=False)
    rows: tuple[StoredRecord, ...] = ()
    notes: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    doubt: Doubt | None = None

    def link_after(self, count: int) -> bytes:
        """Return the link after so many records, or after the last one."""
        rows = self.rows[:count]
        return rows[-1].link if rows else self.origin.link()


def create(
    profile: Profile,
    origin: JournalOrigin,
    identity: Identity | None = None,
    seed: bytes | None = None,
    notes: tuple[tuple[str, bytes], ...] = (),
) -> Journal:
    """Return the journal of a table at which this player sits down, or which somebody watches.

    The notes are there as soon as the journal is: no stop comes between.
    """
    profile.make()
    _require_active(profile, identity)
    table = origin.charter.table
    lock = take_lock(profile, table, identity)
    try:
        _require_absent(profile.journal(table))
        box = None
        if identity is not None and seed is not None:
            box = seed_box(seed, secrets.token_bytes(NONCE_BYTES), identity, origin)
        install(profile, Contents(origin, box, notes=notes))
        return _open(profile, table, identity, lock, takes_over=False, even_retired=False)
    except BaseException:
        lock.release()
        raise


def open_journal(
    profile: Profile,
    table: TableId,
    identity: Identity | None = None,
    *,
    takes_over: bool = False,
    even_retired: bool = False,
) -> Journal:
    """Return the journal of a table that was played at before.

    One that was left open on another machine is opened only to take it over.
    """
    profile.make()
    if not even_retired:
        _require_active(profile, identity)
    lock = take_lock(profile, table, identity)
    try:
        return _open(
            profile, table, identity, lock, takes_over=takes_over, even_retired=even_retired
        )
    except BaseException:
        lock.release()
        raise


def take_lock(profile: Profile, table: TableId, owner: Identity | None) -> Lock:
    """Take the lock on the journal of a table."""
    folder = profile.places.state / "locks"
    make_directory(folder)
    whose = f"watched-{profile.name}" if owner is None else owner.public.hex()[:16]
    return Lock(folder / f"{table.hex()}.{whose}")


def require_not_elsewhere(path: Path, stored: object) -> None:
    """Raise if what is stored as the holder of a journal is a process of another machine."""
    holder = read_tag(stored) if isinstance(stored, str) else None
    if holder is not None and not holder.is_here:
        raise StoreError(Trouble.ELSEWHERE, path, str(holder))


def install(profile: Profile, contents: Contents) -> None:
    """Put a journal in its place; the lock on it is held."""
    table = contents.origin.charter.table
    path, mark = profile.journal(table), MarkFile(profile.mark(table))
    try:
        begun = Mark(new_number(), len(contents.rows), contents.link_after(len(contents.rows)))
        known = mark.read()
        is_behind = known is not None and contents.link_after(known.count) != known.head
        if is_behind:
            contents = replace(contents, doubt=contents.doubt or Doubt.BEHIND)
        machine = machine_mark(profile.places.machine)
        with database.beside(path, JOURNAL) as (connection, made):
            _fill(connection, contents)
            name = None if contents.doubt is None else contents.doubt.name
            connection.execute(
                "INSERT INTO standing VALUES (1, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                (begun.count, begun.head, begun.number, made.stat().st_ino, machine, name),
            )
            if not is_behind:  # what the old mark knows must not be lost before the journal says so
                mark.write(begun)
                mark.sync()
    finally:
        mark.close()


def _require_active(profile: Profile, identity: Identity | None) -> None:
    """Raise if the profile was moved away, also while this program had its identity open.

    An identity that is in no file, as that of a bot, cannot have been.
    """
    if identity is None or not profile.key.exists():
        return
    if retired := read_key_file(profile.key).retired:
        raise StoreError(Trouble.RETIRED, profile.key, retired)


def _require_absent(path: Path) -> None:
    if path.exists():
        raise StoreError(Trouble.EXISTS, path)


def _fill(connection: sqlite3.Connection, contents: Contents) -> None:
    origin = contents.origin
    founding = (origin.charter_bytes(), origin.seat, origin.identity)
    connection.execute("INSERT INTO founding VALUES (1, ?, ?, ?)", founding)
    if contents.box is not None:
        connection.execute("INSERT INTO private VALUES (1, ?)", (contents.box,))
    connection.executemany("INSERT INTO notes VALUES (?, ?)", contents.notes)
    insert(connection, contents.rows)


def _open(
    profile: Profile,
    table: TableId,
    identity: Identity | None,
    lock: Lock,
    *,
    takes_over: bool,
    even_retired: bool,
) -> Journal:
    path = profile.journal(table)
    log_pages = 0 if even_retired else database.LOG_PAGES  # nobody plays on from one
    connection = database.opened(path, JOURNAL, log_pages=log_pages)
    mark = None
    try:
        mark = MarkFile(profile.mark(table))
        with told_of(path):
            _look(path, connection, identity, takes_over=takes_over, even_retired=even_retired)
            _hold(profile, path, connection, mark)
            return Journal(path, connection, lock, mark, identity)
    except BaseException:
        connection.close()
        if mark is not None:
            mark.close()
        raise


def _look(
    path: Path,
    connection: sqlite3.Connection,
    identity: Identity | None,
    *,
    takes_over: bool,
    even_retired: bool,
) -> None:
    """Look whether this identity may open the journal here, and whether nobody else has."""
    query = "SELECT identity, holder, retired, count, head FROM founding, standing"
    row = connection.execute(query).fetchone()
    if row is None:
        raise StoreError(Trouble.DAMAGED, path, "it has no beginning")
    count, head = row[3:]
    if type(count) is not int or count < 0 or type(head) is not bytes:
        raise StoreError(Trouble.DAMAGED, path, "nothing says how many records it has")
    if row[0] != (None if identity is None else identity.public):
        raise StoreError(Trouble.OTHER_KEY, path)
    if not takes_over:
        require_not_elsewhere(path, row[1])
    if row[2] is not None and not even_retired:
        raise StoreError(Trouble.RETIRED, path, row[2])


def _hold(profile: Profile, path: Path, connection: sqlite3.Connection, mark: MarkFile) -> None:
    """Enter this process as the holder, with the doubt that there is; then bring the mark up."""
    machine, file = machine_mark(profile.places.machine), path.stat().st_ino
    query = "SELECT count, head, mark, file, machine, doubt FROM standing"
    count, head, number, known_file, known_machine, doubt = connection.execute(query).fetchone()
    found = _doubt(path, connection, mark.read(), number)
    if found is None and known_file != file:
        found = Doubt.FILE
    if found is None and known_machine != machine:
        found = Doubt.MACHINE
    if found is not None:
        number = new_number()
    name = doubt or (None if found is None else found.name)
    with transaction(connection):
        stir(connection)  # what a former process has left is to be synced as well
        connection.execute(
            "UPDATE standing SET count = ?, mark = ?, file = ?, machine = ?, doubt = ?, holder = ?",
            (count, number, file, machine, name, str(this_process())),
        )
    mark.write(Mark(number, count, head))
    mark.sync()


def _doubt(
    path: Path, connection: sqlite3.Connection, mark: Mark | None, number: bytes
) -> Doubt | None:
    """Return what the mark and the records say about each other."""
    if mark is None or mark.number != number:
        return Doubt.UNMARKED
    query = "SELECT link FROM records WHERE number = ?"
    row = connection.execute(query, (mark.count,)).fetchone()
    if row is None and mark.count == 0:
        row = (read_origin(path, connection).link(),)
    return None if row == (mark.head,) else Doubt.BEHIND
