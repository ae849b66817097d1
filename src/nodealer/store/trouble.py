"""Everything that can be wrong with what a machine keeps, and what its owner can do about it.

A trouble is data: a stable slug, what it means, and advice. `StoreError` carries one, with the path
and what was found there. It never carries a secret, not even a part of one; what is wrong with a
secret is told by the name of its file.

Troubles are no reasons of the protocol: nobody else ever sees them. The table of the page
`specs/09-store.md` is compared with this one.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Mapping
from contextlib import AbstractContextManager
from enum import Enum, unique
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from nodealer.kernel import LocalError, Reason


@unique
class Trouble(Enum):
    """A slug, what it means, and what to do."""

    meaning: str
    advice: str

    def __new__(cls, slug: str, meaning: str, advice: str) -> Self:
        """Make the member's value its slug alone."""
        member = object.__new__(cls)
        member._value_ = slug
        member.meaning = meaning
        member.advice = advice
        return member

    NOWHERE = (
        "store/nowhere",
        "there is no place for the files of nodealer",
        "set HOME, or NODEALER_HOME to a directory of your own",
    )
    UNWRITABLE = (
        "store/unwritable",
        "the directory or file cannot be written",
        "make it yours and writable, or set NODEALER_HOME to a directory that is",
    )
    FULL = (
        "store/full",
        "the disk is full, or a limit for its files is reached",
        "make room and start again: nothing was signed that is not stored",
    )
    FAILED = (
        "store/failed",
        "the disk did not do what it was asked for",
        "look after the disk and start again: nothing was signed that is not stored",
    )
    FINISHED = (
        "store/finished",
        "the journal is closed, or a write to it has failed",
        "open it again: what is on the disk is what counts",
    )
    MISSING = ("store/missing", "there is no such file", "see what there is, and its name")
    EXISTS = (
        "store/exists",
        "there is one already, and it was left as it is",
        "choose another name, or move the old file away yourself",
    )
    TOO_OPEN = (
        "store/too-open",
        "others on this machine may read or change it",
        "take their rights away: chmod 600 for a file, chmod 700 for a directory",
    )
    OWNER = (
        "store/owner",
        "it belongs to another user",
        "run nodealer as that user, or use a file of your own",
    )
    DAMAGED = (
        "store/damaged",
        "its bytes are not those that were written",
        "put a good copy in its place; of a table, `nodealer resume TABLE --salvage` saves it",
    )
    LOST = (
        "store/lost",
        "its charter or seed cannot be read any more, so nothing can be saved of it",
        "put a good copy in its place; without one the seat is lost, and the others go on",
    )
    FOREIGN = (
        "store/foreign",
        "it is a file of something else",
        "it was left as it is: look whether the name is the right one",
    )
    NEWER = (
        "store/newer",
        "a later version of nodealer has written it",
        "use that version, or a later one",
    )
    PASSPHRASE = ("store/passphrase", "the passphrase is another one", "try again")
    PROTECTED = (
        "store/protected",
        "it is protected by a passphrase, and none was given",
        "give it when you are asked",
    )
    WEAK = (
        "store/weak",
        "the passphrase has fewer than 8 characters",
        "take a longer one; four or more words are easy to keep",
    )
    HELD = (
        "store/held",
        "another process has it open",
        "close that process, or go on there",
    )
    ELSEWHERE = (
        "store/elsewhere",
        "it was open on another machine, and was not closed there",
        "close it there; only if that is lost for ever: `nodealer resume TABLE --take-over`",
    )
    RETIRED = (
        "store/retired",
        "it was moved to another machine and signs nothing here any more",
        "go on there; only if that copy is lost: `nodealer move back`",
    )
    STAYED = (
        "store/stayed",
        "this bot and its journal are not here: bots stay where a game against them began",
        "the game can go on there and nowhere else; `nodealer play` begins another one here",
    )
    OTHER_KEY = (
        "store/other-key",
        "it belongs to another identity",
        "use the profile that it was made with",
    )
    OLD_COPY = (
        "store/old-copy",
        "it may be an older copy of the record of a lobby",
        "the lobby was left: nothing may be agreed to twice; ask for a new invite, or open another",
    )
    NEW_KEY = (
        "store/new-key",
        "somebody goes by the name of a friend, and has another key",
        "compare the words aloud; if it is your friend, begin again with --new-key",
    )
    RULES = (
        "store/rules",
        "the rules of its game are not installed in the version that its table agreed on",
        "install that version of the game; the table waits for it, and nothing is lost",
    )
    NETWORK = (
        "store/network",
        "what tables among machines need is not installed here",
        "install it: `pip install 'nodealer[net]'` (or `pipx install --force`, `uv tool install`)",
    )
    NAME = (
        "store/name",
        "this is no name of a profile",
        "take 1 to 32 of the letters a-z, digits, - and _, beginning with a letter",
    )


class StoreError(LocalError):
    """Something that this machine keeps cannot be used; nothing was changed or signed."""

    def __init__(self, trouble: Trouble, place: object, found: str = "") -> None:
        """Name the trouble, where it is, and what exactly was found."""
        super().__init__(Reason.LOCAL_STORE, f"{place}: {found}" if found else str(place))
        self.trouble = trouble
        self.place = str(place)
        self.found = found

    @property
    def slug(self) -> str:
        """The stable name of the trouble."""
        return str(self.trouble.value)

    @property
    def advice(self) -> str:
        """What the owner can do."""
        return self.trouble.advice

    def __str__(self) -> str:
        """Say where, what is wrong, and what was found."""
        line = f"{self.place}: {self.trouble.meaning}"
        return f"{line} ({self.found})" if self.found else line


_OF_ERRNO: Final[Mapping[int, Trouble]] = MappingProxyType(
    {
        errno.ENOSPC: Trouble.FULL,
        errno.EDQUOT: Trouble.FULL,
        errno.EFBIG: Trouble.FULL,
        errno.EACCES: Trouble.UNWRITABLE,
        errno.EPERM: Trouble.UNWRITABLE,
        errno.EROFS: Trouble.UNWRITABLE,
        errno.ENOTDIR: Trouble.UNWRITABLE,
        errno.EEXIST: Trouble.EXISTS,
        errno.ENOENT: Trouble.MISSING,
    }
)

_OF_SQLITE: Final[Mapping[int, Trouble]] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: Trouble.FULL,
        sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
        sqlite3.SQLITE_NOTADB: Trouble.FOREIGN,
        sqlite3.SQLITE_READONLY: Trouble.UNWRITABLE,
        sqlite3.SQLITE_CANTOPEN: Trouble.UNWRITABLE,
        sqlite3.SQLITE_PERM: Trouble.UNWRITABLE,
        sqlite3.SQLITE_BUSY: Trouble.HELD,
        sqlite3.SQLITE_LOCKED: Trouble.HELD,
    }
)
"""By primary code; an extended one has it in its low byte. Whatever is not here is `FAILED`."""

_PRIMARY: Final = 0xFF


class _Told:
    """A class and not a generator: every batch of a journal passes here more than once."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, OSError):
            trouble = _OF_ERRNO.get(error.errno or 0, Trouble.FAILED)
            detail = error.strerror or type(error).__name__
            raise StoreError(trouble, self._path, detail) from error
        if isinstance(error, sqlite3.Error):
            code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
            trouble = _OF_SQLITE.get(code, Trouble.FAILED)
            raise StoreError(trouble, self._path, str(error)) from error


def told_of(path: Path) -> AbstractContextManager[None]:
    """Turn what the system or the database says of a path into a trouble."""
    return _Told(path)
