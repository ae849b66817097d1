"""Callers: the connections to a port of this machine, from their beginning to their end.

Whoever calls is a stranger until the service lets it in. There are at most `CALLERS_MAX`
connections at a time; when one more comes, the stranger that has been there longest has to go. Of
those that are let in there are at most `KNOWN_MAX`, so that there is always a stranger to go, and
room for somebody who has yet to show who it is. Whoever does not take what is sent to it for
`SEND_SECONDS` is gone.

A connection that fails is over, and nothing else is. Where this program is what failed, that is
counted and told: the kind of the failure and the line of the program, and never its words, because
they could hold a secret.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final

import trio

CALLERS_MAX: Final = 32
"""A browser opens six connections to one place, and two browsers may come at once."""

KNOWN_MAX: Final = 16
"""Tabs of one player; each has one connection that stays."""

SEND_SECONDS: Final = 30.0
"""A tab in the background reads late; one that is frozen comes back with a new connection."""

BREATH_SECONDS: Final = 0.1
"""So long nobody is let in when the machine has no socket left."""

PART_BYTES: Final = 4096


class Mishap(Enum):
    """The ways in which callers are lost."""

    CROWDED = "crowded"
    """A stranger had to make room."""

    REFUSED = "refused"
    """There were as many known ones as there may be."""

    UNMADE = "unmade"
    """The machine could not make a connection."""

    FAILED = "failed"
    """This program failed in a connection, and it ended."""

    FELL = "fell"
    """All connections ended at once by a failure, and others can come."""


class LocalCaller(trio.abc.HalfCloseableStream):
    """A connection, which is one of the callers until it is closed."""

    def __init__(self, stream: trio.SocketStream, there: list[LocalCaller]) -> None:
        self._stream = stream
        self._there = there
        self.is_known = False
        there.append(self)

    async def send_all(self, data: bytes | memoryview) -> None:
        """Send, or raise `trio.TooSlowError` if nobody takes it."""
        with trio.fail_after(SEND_SECONDS):
            await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until something can be sent."""
        await self._stream.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        """Say that nothing more will be sent."""
        await self._stream.send_eof()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receive a part, a small one, so that little waits to be looked at."""
        return await self._stream.receive_some(min(max_bytes or PART_BYTES, PART_BYTES))

    async def aclose(self) -> None:
        """Close it."""
        with suppress(ValueError):
            self._there.remove(self)
        await self._stream.aclose()


class Callers:
    """The connections to one port, and how often something went wrong with one."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.there: list[LocalCaller] = []
        self.counts: Counter[Mishap] = Counter()
        self._tell = tell

    async def add(self, stream: trio.SocketStream) -> LocalCaller:
        """Take a connection in, as a stranger; the oldest stranger goes if there are too many."""
        if len(self.there) >= CALLERS_MAX:
            oldest = next(one for one in self.there if not one.is_known)
            self.counts[Mishap.CROWDED] += 1
            await trio.aclose_forcefully(oldest)
        return LocalCaller(stream, self.there)

    def let_in(self, caller: LocalCaller) -> bool:
        """Take a caller for known; say whether there was room for it."""
        if sum(one.is_known for one in self.there) >= KNOWN_MAX:
            self.counts[Mishap.REFUSED] += 1
            return False
        caller.is_known = True
        return True

    def note(self, mishap: Mishap, error: Exception) -> None:
        """Count a failure of this program, and tell of it."""
        self.counts[mishap] += 1
        self._tell(f"a connection on this machine {mishap.value}: {line_of(error)}")


class CallerListener(trio.abc.Listener[LocalCaller]):
    """A listener whose connections are callers; whoever made it closes the socket."""

    def __init__(self, listener: trio.SocketListener, callers: Callers) -> None:
        self._listener = listener
        self._callers = callers
        self.socket = listener.socket

    async def accept(self) -> LocalCaller:
        """Wait for the next caller, whatever becomes of others."""
        while True:
            try:
                return await self._callers.add(await self._listener.accept())
            except OSError:
                self._callers.counts[Mishap.UNMADE] += 1
                await trio.sleep(BREATH_SECONDS)

    async def aclose(self) -> None:
        """Listen no more, for now."""
        await trio.lowlevel.checkpoint()


def line_of(error: Exception) -> str:
    """Return the kind of a failure and where in the program it was, without its words."""
    one: BaseException = error
    places = traceback.extract_tb(one.__traceback__)
    while isinstance(one, BaseExceptionGroup):
        one = one.exceptions[0]
        places = traceback.extract_tb(one.__traceback__) or places
    return f"{type(one).__name__} in {Path(places[-1].filename).name}, line {places[-1].lineno}"
