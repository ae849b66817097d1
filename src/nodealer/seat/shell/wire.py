"""A connection to a client, whatever it runs over: texts in both directions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias


class Wire(Protocol):
    """A connection to a client."""

    async def send(self, text: str) -> None:
        """Send a text, or raise `ChannelEnded`."""

    async def receive(self) -> str:
        """Return the next text, or raise `ChannelEnded`."""


Talk: TypeAlias = Callable[[Wire], Awaitable[None]]
"""Talks with a client that was let in, until it is gone."""
