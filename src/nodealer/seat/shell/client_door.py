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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeAlias, TypeVar

import trio

from nodealer.seat.shell.wire import Talk, Wire, WireEnded

WireT = TypeVar("WireT", bound=Wire)

LOOPBACK: Final = "127.0.0.1"

HOST_NAMES: Final = (LOOPBACK, "localhost")

KNOCKING_MAX: Final = 16
"""Connections that have not shown a token yet; more than these are closed at once."""

KNOCKING_SECONDS: Final = 10.0
"""So long a connection may take to show its token."""

Listeners: TypeAlias = list[trio.SocketListener]


async def listen(port: int) -> Listeners:
    """Listen on a port of this machine, any free one for 0; raises `OSError` if it is taken."""
    return list(await trio.open_tcp_listeners(port, host=LOOPBACK))


def port_of(listeners: Listeners) -> int:
    """Return the port on which somebody listens."""
    return int(listeners[0].socket.getsockname()[1])


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


async def serve(
    door: Door,
    talk: Talk,
    listeners: Listeners,
    wire_over: Callable[[trio.SocketStream], WireT],
    knock: Callable[[WireT], Awaitable[bool]],
    *,
    takes_over: bool,
) -> NoReturn:
    """Serve one client after the other; `knock` finds out whether one may come in."""

    async def come(stream: trio.SocketStream) -> None:
        async with stream:
            wire, is_let_in = wire_over(stream), False
            with suppress(WireEnded):
                with door.knocked() as has_room, trio.move_on_after(KNOCKING_SECONDS):
                    is_let_in = has_room and await knock(wire)
                if is_let_in and (takes_over or not door.is_taken):
                    async with door.held():
                        await talk(wire)

    await trio.serve_listeners(come, listeners)
