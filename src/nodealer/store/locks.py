"""One process for one journal: an exclusive lock of the system, with a name tag on it.

The lock is what `flock` gives on a file. The system takes it away when the process ends, however it
ends, so no lock outlives its holder. The tag in the file says who holds it, for the message to
whoever comes second; a tag without a lock is that of a process that was killed.

The journal itself repeats the tag in a row, because a lock of the system means nothing to another
machine that sees the same disk, and does not travel with a copy of the file. A row of another
machine is believed: only its owner can know that it is gone.
"""

from __future__ import annotations

import fcntl
import os
import platform
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from nodealer.store.files import FILE_MODE
from nodealer.store.trouble import StoreError, Trouble, told_of

MACHINE_ID: Final = Path("/etc/machine-id")

_TAG_BYTES_MAX: Final = 512
_TAG: Final = re.compile(r"process (?P<process>\d{1,10}) on (?P<machine>\S+) since (?P<since>\S+)")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a journal open."""

    process: int
    machine: str
    since: str

    def __str__(self) -> str:
        return f"process {self.process} on {self.machine} since {self.since}"

    @property
    def is_here(self) -> bool:
        """Whether this is a process of this machine, whatever the machine was called then."""
        return _number_of(self.machine) == _number_of(machine_name())


def this_process() -> Holder:
    """Return the tag of this process."""
    now = datetime.now(tz=UTC).isoformat(timespec="seconds")
    return Holder(os.getpid(), machine_name(), now)


def machine_name() -> str:
    """Return what tells this machine from others, for people and programs alike."""
    host = re.sub(r"\s", "", platform.node()) or "unnamed"
    try:
        return f"{host}/{MACHINE_ID.read_text(encoding='ascii').strip()[:8]}"
    except (OSError, ValueError):  # not every system has one
        return host


def read_tag(text: str) -> Holder | None:
    """Return the holder that a tag names, if it names one."""
    found = _TAG.fullmatch(text)
    if found is None:
        return None
    return Holder(int(found["process"]), found["machine"], found["since"])


def _number_of(machine: str) -> str:
    """Return the number that a machine gives itself; its name, where there is none."""
    return machine.rpartition("/")[2]


class Lock:
    """An exclusive lock; it ends with `release`, or with the process."""

    __slots__ = ("_handle", "path")

    def __init__(self, path: Path) -> None:
        """Take the lock, or raise with the name of the process that holds it."""
        self.path = path
        with told_of(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._handle = os.open(path, flags, FILE_MODE)
        try:
            with told_of(path):
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._write(str(this_process()))
        except StoreError as error:
            holder = self._tag()
            os.close(self._handle)
            if isinstance(error.__cause__, BlockingIOError):
                raise StoreError(Trouble.HELD, path, str(holder or "unknown")) from None
            raise

    def release(self) -> None:
        """Let go of the lock."""
        with told_of(self.path):
            self._write("")
        os.close(self._handle)

    def _tag(self) -> Holder | None:
        data = os.pread(self._handle, _TAG_BYTES_MAX, 0)
        return read_tag(data.decode("ascii", "replace"))

    def _write(self, text: str) -> None:
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, text.encode("ascii", "replace"), 0)
