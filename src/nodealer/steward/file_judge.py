"""The judge of a file that a page brings: it comes in pieces, and a process of its own judges it.

What comes of strangers may take as long as it likes, and no more than a process: the table goes on
meanwhile, and the process ends when the page is gone. One file is brought at a time, of at most
the bytes that a transcript can have. It lies in a file without a name, so nothing is left of it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import IO, Final, TypeAlias

import trio

from nodealer.dialogue import VerdictShown, read_verdict
from nodealer.home import refused
from nodealer.verify import TRANSCRIPT_BYTES_MAX, Verdict

WORKER: Final = ("-P", "-m", "nodealer.steward.judging_worker")

NOT_JUDGED: Final = VerdictShown(
    "",
    Verdict.UNREADABLE.value,
    ("The judge has failed; `nodealer verify FILE` says why.",),
    (),
)

TellVerdict: TypeAlias = Callable[[int, VerdictShown], None]
"""Tells a page, by its number, the verdict on its file."""


@dataclass(slots=True)
class BroughtFile:
    """A file on its way from a page, or before its judge."""

    page: int
    name: str
    size: int
    spool: IO[bytes]
    came: int = 0
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    @property
    def is_whole(self) -> bool:
        """Whether all of it has come; its judge closes it then."""
        return self.came == self.size

    def keep(self, data: bytes) -> bool:
        """Keep more of it; say whether that is all."""
        left = memoryview(data)
        while left:
            left = left[self.spool.write(left) :]
        self.came += len(data)
        return self.is_whole

    def drop(self) -> None:
        """Leave nothing of it."""
        self.scope.cancel()
        if not self.is_whole:
            self.spool.close()


class FileJudge:
    """Whoever has files judged for all pages of a player."""

    def __init__(self, nursery: trio.Nursery, tell: TellVerdict) -> None:
        """Begin with no file; judges run in the nursery."""
        self._nursery = nursery
        self._tell = tell
        self._brought: BroughtFile | None = None

    def begin(self, page: int, name: str, size: int) -> None:
        """Take a file that a page is going to bring; its own one before is dropped."""
        if not 0 < size <= TRANSCRIPT_BYTES_MAX:
            raise refused(f"a record has 1 to {TRANSCRIPT_BYTES_MAX} bytes")
        if self._brought is not None and self._brought.page != page:
            raise refused("another page has brought a file that is being judged")
        self.gone(page)
        self._brought = BroughtFile(page, name, size, _unnamed())

    async def piece(self, page: int, data: bytes) -> None:
        """Take the next bytes; with the last of them the file is judged."""
        brought = self._brought
        if brought is None or brought.page != page or brought.is_whole:
            raise refused("no file is being brought")
        if brought.came + len(data) > brought.size:
            self.gone(page)
            raise refused("the file is longer than was said")
        try:
            is_all = await trio.to_thread.run_sync(brought.keep, data)
        except OSError as error:
            self.gone(page)
            raise refused(f"it cannot be kept: {error.strerror}") from error
        if is_all:
            self._nursery.start_soon(self._judge, brought)

    def gone(self, page: int) -> None:
        """Drop what a page has brought, if it has: nobody wants to know any more."""
        if self._brought is not None and self._brought.page == page:
            self._brought.drop()
            self._brought = None

    async def _judge(self, brought: BroughtFile) -> None:
        with brought.spool, brought.scope:
            brought.spool.seek(0)
            verdict = replace(await _judged(brought.spool), name=brought.name)
            self._brought = None
            self._tell(brought.page, verdict)


def _unnamed() -> IO[bytes]:
    return tempfile.TemporaryFile(buffering=0)


async def _judged(spool: IO[bytes]) -> VerdictShown:
    """Return what a judge finds; one that cannot begin, or breaks down, has found nothing."""
    try:
        done = await trio.run_process(
            [sys.executable, *WORKER],
            stdin=spool,
            capture_stdout=True,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except OSError:  # the machine has no process to spare; the table goes on
        return NOT_JUDGED
    return NOT_JUDGED if done.returncode else read_verdict(done.stdout.decode())
