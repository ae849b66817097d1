"""The record of a lobby on the disk: one file, one process, and whether it is the last one.

What a lobby has to remember is one record that takes the place of the one before it (`lobby`
decides what is in it). Whoever goes on from an older copy could offer or accept a second time under
one number. So for every record a mark lies in another directory, where backups do not bring it
along: what this machine is known by, and the hash of the record that was written last.

A mark and a record cannot be written in one step. The mark is written before the record, with the
hashes of both, the old and the new one, and synced; then the record; then the mark with the new one
alone. A crash in between leaves a record that the mark knows; afterwards the old one is a copy like
any other, and after a power cut perhaps one that is not noticed. A record without a fitting mark is
not sure, and it is for the lobby to draw the consequence: it leaves.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from nodealer.kernel import digest
from nodealer.store.files import FILE_MODE, make_directory, read_private, write_over
from nodealer.store.locks import Lock
from nodealer.store.old_copies import machine_mark
from nodealer.store.places import Profile
from nodealer.store.trouble import StoreError, Trouble, told_of

LOBBY_MARK: Final = "nodealer/1/lobby-mark"

RECORD_BYTES_MAX: Final = 1 << 20
"""Far above the longest record: its lists are bounded by the lobby."""

_HASH_BYTES: Final = 32
_MARK_BYTES: Final = 3 * _HASH_BYTES


class LobbyFile:
    """The record of one lobby, held by this process until it is closed."""

    __slots__ = ("_lock", "_machine", "_mark_path", "is_sure", "path")

    def __init__(self, profile: Profile, name: str) -> None:
        """Take hold of a record, which need not be there yet."""
        profile.make()
        folder, locks = profile.home / "lobbies", profile.places.state / "locks"
        make_directory(folder)
        make_directory(locks)
        self.path = folder / name
        self._machine = machine_mark(profile.places.machine)
        self._lock = Lock(locks / f"{name}.{profile.name}")
        self._mark_path = profile.marks / f"{name}.mark"
        self.is_sure = True
        """Whether the record that was read is the one that was written last; see above."""

    def read(self) -> bytes:
        """Return the record, and look whether it is the last one."""
        data = read_private(self.path, RECORD_BYTES_MAX)
        known = self._known()
        is_ours = known[:_HASH_BYTES] == self._machine
        hashes = (known[_HASH_BYTES : 2 * _HASH_BYTES], known[2 * _HASH_BYTES :])
        self.is_sure = is_ours and _hash(data) in hashes
        return data

    def write(self, data: bytes) -> None:
        """Put a record in the place of the one that is there; it is on the disk when it returns."""
        new = old = _hash(data)
        if self.path.exists():
            old = _hash(read_private(self.path, RECORD_BYTES_MAX))
        self._write_mark(new + old, is_lasting=True)
        write_over(self.path, data)
        self._write_mark(new + new)

    def discard(self) -> None:
        """Remove record and mark; nothing of the lobby is needed any more."""
        for path in (self.path, self._mark_path):
            with told_of(path):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the record."""
        self._lock.release()

    def _known(self) -> bytes:
        try:
            return read_private(self._mark_path, _MARK_BYTES)
        except StoreError as error:
            if error.trouble is not Trouble.MISSING:
                raise
            return b""

    def _write_mark(self, hashes: bytes, *, is_lasting: bool = False) -> None:
        """Write the mark in one piece; what is lasting outlives a power cut too."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with told_of(self._mark_path):
            handle = os.open(self._mark_path, flags, FILE_MODE)
            try:
                os.pwrite(handle, self._machine + hashes, 0)
                if is_lasting:
                    os.fsync(handle)
            finally:
                os.close(handle)


def records_in(profile: Profile) -> tuple[Path, ...]:
    """Return the records of a profile, the one that was written last first."""
    found = (profile.home / "lobbies").glob("[!.]*.*")
    return tuple(sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True))


def _hash(data: bytes) -> bytes:
    return digest(LOBBY_MARK, data)
