"""A client over WebSocket: one JSON text in a message, the token as the path.

A handshake is answered with 403 where the page or the name of this machine is a stranger's, with
404 where the path is not the token, with 409 where a client is here already. Nothing else is
served, and no header says that something else could be.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final, NoReturn

from nodealer.loopback import (
    Callers,
    ChannelEnded,
    CloseCode,
    LocalListeners,
    TextChannel,
    WebAnswer,
    WebRequest,
    port_of,
    serve_web,
)
from nodealer.seat.shell.client_door import Door
from nodealer.seat.shell.wire import Talk

TEXT_BYTES_MAX: Final = 1 << 16
"""What is longer than a message can be is refused; what is longer than this ends the connection."""


class _DoorService:
    """The door, as what is behind a port of the web."""

    text_bytes_max = TEXT_BYTES_MAX

    def __init__(self, door: Door, talk: Talk, port: int) -> None:
        self._door = door
        self._talk = talk
        self._port = port

    def answer(self, request: WebRequest) -> WebAnswer | None:
        """Reject a handshake, or let the client in."""
        host, origin = request.header("Host") or "", request.header("Origin")
        if not self._door.allows(host, origin, self._port):
            return WebAnswer(HTTPStatus.FORBIDDEN)
        if not self._door.has_token(request.target.removeprefix("/")):
            return WebAnswer(HTTPStatus.NOT_FOUND)
        return WebAnswer(HTTPStatus.CONFLICT) if self._door.is_taken else None

    async def talk(self, channel: TextChannel) -> None:
        """Talk with the client; of two that have come at once the first stays."""
        with suppress(ChannelEnded):
            if self._door.is_taken:
                await channel.close(CloseCode.TRY_AGAIN_LATER)
            else:
                async with self._door.held():
                    await self._talk(channel)


async def serve_websocket(
    door: Door, talk: Talk, listeners: LocalListeners, tell: Callable[[str], None]
) -> NoReturn:
    """Serve one client after the other; `tell` is told in a line what failed."""
    try:
        await serve_web(_DoorService(door, talk, port_of(listeners)), Callers(tell), listeners)
    finally:
        for listener in listeners:
            listener.socket.close()
