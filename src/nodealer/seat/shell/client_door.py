"""The door for clients: one at a time, with the token, and no page that was not invited.

Who comes with the token while a client is here takes its place where the door says so: over a plain
socket, because a program that comes back is there before the end of its old connection is noticed.
A page is told that somebody is here: it is mostly a second window of the same person.

A browser sends the Origin of the page with every WebSocket that the page opens, and the name by
which it has found this machine as the Host. A page of a stranger is refused by its Origin. A name
of a stranger that was made to lead to this machine (DNS rebinding) is refused as Host. A program
that is no browser sends no Origin; it needs the token like everybody.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final

import trio

from nodealer.loopback import LOOPBACK

HOST_NAMES: Final = (LOOPBACK, "localhost")

KNOCKING_MAX: Final = 16
"""Connections that have not shown a token yet; more than these are closed at once."""

KNOCKING_SECONDS: Final = 10.0
"""So long a connection may take to show its token."""


@dataclass(slots=True)
class Door:
    """The conditions for a client at a table."""

    token: str = field(repr=False)
    origins: Sequence[str] = ()
    knocking: int = 0
    _client: trio.CancelScope | None = None
    _gone: trio.Event = field(default_factory=trio.Event)

    @property
    def is_taken(self) -> bool:
        """Whether a client is here."""
        return self._client is not None

    def has_token(self, shown: str) -> bool:
        """Say whether this is the token, in the same time whatever it is."""
        return secrets.compare_digest(shown.encode(errors="replace"), self.token.encode())

    def allows(self, host: str, origin: str | None, port: int) -> bool:
        """Say whether somebody may come who calls this machine `host`, from a page or from none."""
        is_ours = host in {f"{name}:{port}" for name in HOST_NAMES}
        return is_ours and (origin is None or origin in self.origins)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Be the client, until the next one takes over; who is here goes first."""
        while self._client is not None:
            self._client.cancel()
            await self._gone.wait()
        self._gone = trio.Event()
        with trio.CancelScope() as scope:
            self._client = scope
            try:
                yield
            finally:
                self._client = None
                self._gone.set()

    @contextmanager
    def knocked(self) -> Iterator[bool]:
        """Count a connection that has not shown a token; say whether there is room for it."""
        self.knocking += 1
        try:
            yield self.knocking <= KNOCKING_MAX
        finally:
            self.knocking -= 1
