"""A client over WebSocket: one JSON text in a message, the token as the path.

The words of the protocol are those of wsproto, which has no input or output; this module moves the
bytes. A handshake is answered with 403 where the page or the name of this machine is a stranger's,
with 404 where the path is not the token, with 409 where a client is here already. Nothing else is
served, and no header says that something else could be.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NoReturn

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from nodealer.seat.json_text import SAID_BYTES_MAX
from nodealer.seat.shell.client_door import Door, Listeners, port_of, serve
from nodealer.seat.shell.wire import TOO_LONG, Talk, WireEnded

PART_BYTES: Final = 4096

FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
CONFLICT: Final = 409


class _WebWire:
    """A client that speaks WebSocket."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._socket = WSConnection(ConnectionType.SERVER)
        self._events: deque[Event] = deque()
        self._text = ""
        self._is_too_long = False
        self._writing = trio.Lock()

    async def request(self) -> Request:
        """Return what the client asks for in its handshake."""
        event = await self._event()
        assert isinstance(event, Request), "everything else is an error of the handshake"
        return event

    async def answer(self, status: int | None) -> None:
        """Accept a handshake, or reject it with a status."""
        await self._write(AcceptConnection() if status is None else RejectConnection(status))

    async def send(self, text: str) -> None:
        """Send a message."""
        await self._write(TextMessage(text))

    async def receive(self) -> str:
        """Return the next message; what is no text is a text that means nothing."""
        while True:
            event = await self._event()
            match event:
                case TextMessage():
                    self._add(event.data)
                case BytesMessage():
                    self._add("\ufffd" * len(event.data))
                case Ping():
                    await self._write(event.response())
                case CloseConnection():
                    await self._write(event.response())
                    raise WireEnded
                case _:
                    pass  # an answer to nothing that was asked
            if isinstance(event, TextMessage | BytesMessage) and event.message_finished:
                text = TOO_LONG if self._is_too_long else self._text
                self._is_too_long, self._text = False, ""
                return text

    def _add(self, text: str) -> None:
        """Keep a part of a message, as long as the message can mean something."""
        self._text += text
        if len(self._text) > SAID_BYTES_MAX:
            self._is_too_long, self._text = True, ""

    async def _event(self) -> Event:
        while not self._events:
            try:
                data = await self._stream.receive_some(PART_BYTES)
                self._socket.receive_data(bytes(data) or None)
                self._events.extend(self._socket.events())
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                raise WireEnded from error
            except (RemoteProtocolError, UnicodeError) as error:
                raise WireEnded from error
            if not data and not self._events:
                raise WireEnded
        return self._events.popleft()

    async def _write(self, event: Event) -> None:
        try:
            async with self._writing:
                await self._stream.send_all(self._socket.send(event))
        except (trio.BrokenResourceError, trio.ClosedResourceError, LocalProtocolError) as error:
            raise WireEnded from error


async def serve_websocket(door: Door, talk: Talk, listeners: Listeners) -> NoReturn:
    """Serve one client after the other."""
    port = port_of(listeners)

    async def knock(wire: _WebWire) -> bool:
        status = _status(door, await wire.request(), port)
        await wire.answer(status)
        return status is None

    await serve(door, talk, listeners, _WebWire, knock, takes_over=False)


def _status(door: Door, request: Request, port: int) -> int | None:
    """Return with which status a handshake is rejected; None if it is not."""
    origins = [value.decode("latin-1") for name, value in request.extra_headers if _is_origin(name)]
    origin = ",".join(origins) if origins else None
    if not door.allows(request.host, origin, port):
        return FORBIDDEN
    if not door.has_token(request.target.removeprefix("/")):
        return NOT_FOUND
    return CONFLICT if door.is_taken else None


def _is_origin(name: bytes) -> bool:
    return name.lower() == b"origin"
