"""The doubt whether a journal is an old copy: what this machine remembers of it outside of it.

A seat that signs from an old copy of its journal may sign a second time, against itself. So for
every journal a mark lies in another directory: a number drawn for this journal, how many records it
has, and the hash of their chain. A journal is taken for what it is only if everything fits:

    what is compared                                    what a difference shows
    the mark is there, and has the journal's number     a copy, or the state was lost
    the journal has the records that the mark knows     an older copy, or records were lost
    the file has the inode it was made with             a copy lies in its place
    the machine is the one that opened it last          all of it was restored or copied

The mark is written after the records are synced and is not synced each time, so after a crash it
may know less than the journal, and never more. A journal that has *more* records, with the
mark's hash in its chain, is therefore sound. Opening and closing sync it.

The machine is known by a file that is written once: its content, its inode, the second in which it
was last changed, and the number that the system gives itself. No program that copies or restores
files can set that second, so a home directory that comes back whole is noticed too. What turns the
whole disk back, a snapshot of a virtual machine for one, is noticed by nothing here; then the
others show what was forgotten (`ledger.recall`).

Doubt costs a question to all others at the table before the next signature, and nothing else. So
wherever something does not fit, the journal is in doubt.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from nodealer.kernel import digest
from nodealer.store.files import FILE_MODE, read_private, sync_directory, write_new
from nodealer.store.locks import MACHINE_ID
from nodealer.store.trouble import StoreError, Trouble, told_of

MACHINE: Final = "nodealer/1/machine"
MARK: Final = "nodealer/1/mark"

NUMBER_BYTES: Final = 16
_COUNT_BYTES: Final = 8
_HASH_BYTES: Final = 32
_MARK_BYTES: Final = NUMBER_BYTES + _COUNT_BYTES + 2 * _HASH_BYTES


class Doubt(Enum):
    """The reason why a journal may be older than what its seat has signed."""

    UNMARKED = "this machine has never kept this journal, or has lost the mark of it"
    BEHIND = "the journal lacks records that it once had"
    FILE = "another file lies in the place of the journal"
    MACHINE = "the files were copied or restored, or this is another machine"
    SHOWN = "another seat has shown a signature that the journal lacks"
    AGAIN = "another import of this may be in use"
    REVIVED = "it had been moved to another machine, and was brought back to life"
    SALVAGED = "it was damaged, and what was lost of it is not known"


def doubt_of(name: str | None) -> Doubt | None:
    """Return the doubt that was stored under a name; one that is not known here is one as well."""
    return None if name is None else Doubt.__members__.get(name, Doubt.UNMARKED)


@dataclass(frozen=True, slots=True)
class Mark:
    """The memory of a journal outside of it."""

    number: bytes
    count: int
    head: bytes

    def encode(self) -> bytes:
        """Return the mark as bytes of a fixed length, so that it is written in one piece."""
        body = self.number + self.count.to_bytes(_COUNT_BYTES, "big") + self.head
        return body + digest(MARK, body)


def new_number() -> bytes:
    """Draw the number of a journal."""
    return secrets.token_bytes(NUMBER_BYTES)


class MarkFile:
    """The file of a mark, open for as long as its journal is."""

    __slots__ = ("_handle", "path")

    def __init__(self, path: Path) -> None:
        self.path = path
        with told_of(path):
            is_new = not path.exists()
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._handle = os.open(path, flags, FILE_MODE)
            if is_new:
                sync_directory(path.parent)

    def read(self) -> Mark | None:
        """Return the mark, or none if there is none that is whole."""
        with told_of(self.path):
            data = os.pread(self._handle, _MARK_BYTES + 1, 0)
        body, check = data[:-_HASH_BYTES], data[-_HASH_BYTES:]
        if len(data) != _MARK_BYTES or check != digest(MARK, body):
            return None
        number, rest = body[:NUMBER_BYTES], body[NUMBER_BYTES:]
        count = int.from_bytes(rest[:_COUNT_BYTES], "big")
        return Mark(number, count, rest[_COUNT_BYTES:])

    def write(self, mark: Mark) -> None:
        """Write the mark. It outlives this process at once, and a power cut after `sync`."""
        with told_of(self.path):
            os.pwrite(self._handle, mark.encode(), 0)

    def sync(self) -> None:
        """Make the mark last."""
        with told_of(self.path):
            os.fsync(self._handle)

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)


def machine_mark(path: Path) -> bytes:
    """Return what this machine is known by, which no copy of its files has."""
    try:
        drawn = read_private(path, NUMBER_BYTES)
    except StoreError as error:
        if error.trouble is not Trouble.MISSING:
            raise
        write_new(path, secrets.token_bytes(NUMBER_BYTES))
        drawn = read_private(path, NUMBER_BYTES)
    with told_of(path):
        found = path.stat()
    return digest(MACHINE, drawn, found.st_ino, int(found.st_ctime), _system_id())


def _system_id() -> bytes:
    try:
        return MACHINE_ID.read_bytes()
    except OSError:  # not every system has one
        return b""
