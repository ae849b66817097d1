"""A client over a plain socket: one JSON text on a line, the token alone on the first line.

What is longer than a message can be is read to the end of its line and dropped, and the client is
told so; it costs no memory. A browser that is made to speak to this port begins with the words of
HTTP, which are not the token.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NoReturn

import trio

from nodealer.loopback import ChannelEnded, LocalListeners
from nodealer.seat.json_text import SAID_BYTES_MAX
from nodealer.seat.shell.client_door import KNOCKING_SECONDS, Door
from nodealer.seat.shell.wire import Talk

PART_BYTES: Final = 4096

TOO_LONG: Final = " " * (SAID_BYTES_MAX + 1)
"""Stands for what was too long to be kept; it is refused as such."""


class LineWire:
    """A client that reads and writes lines."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._buffer = b""

    async def send(self, text: str) -> None:
        """Send a line."""
        try:
            await self._stream.send_all(text.encode() + b"\n")
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise ChannelEnded from error

    async def receive(self) -> str:
        """Return the next line, without its end."""
        is_too_long = False
        while b"\n" not in self._buffer:
            if len(self._buffer) > SAID_BYTES_MAX:
                is_too_long, self._buffer = True, b""
            self._buffer += await self._more()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return TOO_LONG if is_too_long else line.decode(errors="replace")

    async def _more(self) -> bytes:
        try:
            data = await self._stream.receive_some(PART_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise ChannelEnded from error
        if not data:
            raise ChannelEnded
        return bytes(data)


async def serve_lines(door: Door, talk: Talk, listeners: LocalListeners) -> NoReturn:
    """Serve one client after the other."""

    async def come(stream: trio.SocketStream) -> None:
        wire, is_let_in = LineWire(stream), False
        async with stream:
            with suppress(ChannelEnded):
                with door.knocked() as has_room, trio.move_on_after(KNOCKING_SECONDS):
                    is_let_in = has_room and door.has_token((await wire.receive()).strip())
                if is_let_in:
                    async with door.held():
                        await talk(wire)

    await trio.serve_listeners(come, listeners)
