"""A connection to a client, whatever it runs over: texts in both directions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from nodealer.seat.json_text import SAID_BYTES_MAX


class WireEnded(Exception):  # noqa: N818 - it is no error
    """The client is gone."""


TOO_LONG = " " * (SAID_BYTES_MAX + 1)
"""Stands for what was too long to be kept; it is refused as such."""


class Wire(Protocol):
    """A connection to a client."""

    async def send(self, text: str) -> None:
        """Send a text, or raise `WireEnded`."""

    async def receive(self) -> str:
        """Return the next text, or raise `WireEnded`."""


Talk: TypeAlias = Callable[[Wire], Awaitable[None]]
"""Talks with a client that was let in, until it is gone."""
