"""Channels: whole texts in order, in both directions, over WebSocket.

A text has been handed to the machine when `send` returns: there is one text under way at a time,
and whoever reads slowly holds the sender by TCP. What comes in is bounded; a text that is too long
ends the channel. What is not text means nothing, and its reader refuses it. Pings are answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

if TYPE_CHECKING:
    from websockets.trio.server import ServerConnection

__all__ = ["ChannelEnded", "CloseCode", "TextChannel"]

CLOSE_SECONDS: Final = 2.0
"""So long the other side may take to say that it has understood."""

NO_TEXT: Final = "\ufffd"
"""Stands for what is no text."""


class ChannelEnded(Exception):  # noqa: N818 - it is no error
    """The other side is gone, or reads nothing any more."""


class TextChannel:
    """A connection over which texts travel."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    async def send(self, text: str) -> None:
        """Send a text, or raise `ChannelEnded`."""
        try:
            await self._connection.send(text)
        except ConnectionClosed as error:
            raise ChannelEnded from error

    async def receive(self) -> str:
        """Return the next text, or raise `ChannelEnded`."""
        try:
            data = await self._connection.recv()
        except ConnectionClosed as error:
            raise ChannelEnded from error
        return data if isinstance(data, str) else NO_TEXT

    async def close(self, code: CloseCode = CloseCode.NORMAL_CLOSURE) -> None:
        """Say why nothing more will be said, and wait a little for the other side to hear it."""
        with trio.move_on_after(CLOSE_SECONDS):
            await self._connection.aclose(code)
        await trio.aclose_forcefully(self._connection.stream)
