"""Small files that must be whole: written beside their place, synced, and put there in one step.

Whoever finds such a file finds all of it or none of it, whenever the machine stops. The bytes go to
a file beside, are synced, get their name, and the directory is synced: after that they are there
even if the power fails. `write_new` never replaces anything; `write_over` replaces in one step.

What lies here is for its owner only. Files are made with mode 0600 and directories with 0700; what
others may read or change is refused rather than repaired, because whoever could has perhaps done
it already.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from nodealer.store.trouble import StoreError, Trouble, told_of

FILE_MODE: Final = 0o600
DIRECTORY_MODE: Final = 0o700

_OTHERS: Final = 0o077
_OTHERS_WRITE: Final = 0o022


def make_directory(path: Path) -> None:
    """Make a directory and what leads to it, all of it private; what is there is looked at."""
    with told_of(path):
        missing = []
        place = path
        while not place.exists():
            missing.append(place)
            place = place.parent
        for one in reversed(missing):
            one.mkdir(DIRECTORY_MODE, exist_ok=True)
            sync_directory(one.parent)
    require_own_directory(path)


def require_own_directory(path: Path) -> None:
    """Raise unless nobody but its owner, who is this user, can put files into a directory."""
    with told_of(path):
        found = path.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(Trouble.UNWRITABLE, path, "not a directory")
    _require_owner(path, found)
    if found.st_mode & _OTHERS_WRITE:
        raise StoreError(Trouble.TOO_OPEN, path, f"mode {stat.S_IMODE(found.st_mode):o}")


def require_private(path: Path, found: os.stat_result) -> None:
    """Raise unless a file is an ordinary one that only its owner, who is this user, can open."""
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(Trouble.FOREIGN, path, "not an ordinary file")
    _require_owner(path, found)
    if found.st_mode & _OTHERS:
        raise StoreError(Trouble.TOO_OPEN, path, f"mode {stat.S_IMODE(found.st_mode):o}")


def read_private(path: Path, bytes_max: int) -> bytes:
    """Return the bytes of a private file."""
    with told_of(path), path.open("rb") as file:
        require_private(path, os.fstat(file.fileno()))
        data = file.read(bytes_max + 1)
    if len(data) > bytes_max:
        raise StoreError(Trouble.FOREIGN, path, f"longer than {bytes_max} bytes")
    return data


def write_new(path: Path, data: bytes) -> None:
    """Write a file that must not be there yet."""
    with told_of(path), _beside(path, data) as made:
        os.link(made, path)


def write_over(path: Path, data: bytes) -> None:
    """Write a file in the place of the one that is there, if there is one."""
    with told_of(path), _beside(path, data) as made:
        made.replace(path)


def sync_directory(path: Path) -> None:
    """Make the names in a directory last."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _beside(path: Path, data: bytes) -> Iterator[Path]:
    """Write the bytes to a file beside, let it be given its name, and make that last.

    Of several processes one writes; the others are told so. What a process that was killed has left
    is written over by the next one.
    """
    made = path.with_name(f".{path.name}.new")
    handle = os.open(made, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    try:
        _hold(handle, made, path)
        try:
            _write(handle, data)
            yield made
        finally:
            made.unlink(missing_ok=True)
    finally:
        os.close(handle)
    sync_directory(path.parent)


def _write(handle: int, data: bytes) -> None:
    os.ftruncate(handle, 0)
    written = 0
    while written < len(data):
        written += os.write(handle, data[written:])
    os.fsync(handle)


def _hold(handle: int, made: Path, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = os.path.samestat(os.fstat(handle), made.stat())
    except (BlockingIOError, FileNotFoundError):
        is_ours = False
    if not is_ours:
        raise StoreError(Trouble.HELD, path, "it is being written")


def _require_owner(path: Path, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise StoreError(Trouble.OWNER, path, f"user {found.st_uid}")
