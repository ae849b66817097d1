"""The newest of many values: who shows them may be slow, and never holds up who makes them.

Whoever makes values puts them here and goes on at once. Whoever waits gets the newest and is not
told of those in between; snapshots are such values, since each has the whole log in it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Generic, TypeVar

import trio

T = TypeVar("T")


class Latest(Generic[T]):
    """Holds the newest value."""

    def __init__(self) -> None:
        self._value: T | None = None
        self._count = 0
        self._is_closed = False
        self._changed = trio.Event()

    def put(self, value: T) -> None:
        """Take a newer value."""
        self._value = value
        self._count += 1
        self._wake()

    def close(self) -> None:
        """Say that there will be none."""
        self._is_closed = True
        self._wake()

    def updates(self) -> AsyncIterator[T]:
        """Yield the newest value, whenever there is one that was not yielded yet."""
        return _Updates(self)

    async def after(self, count: int) -> tuple[T, int] | None:
        """Wait for a value that is newer than the one of that count; None once there is none."""
        while self._count <= count:
            if self._is_closed:
                return None
            await self._changed.wait()
        assert self._value is not None, "there are values"
        return self._value, self._count

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


class _Updates(AsyncIterator[T]):
    """One who waits. No generator: those hold on to scopes of trio when they are dropped."""

    def __init__(self, latest: Latest[T]) -> None:
        self._latest = latest
        self._count = 0

    async def __anext__(self) -> T:
        """Wait for the next value."""
        await trio.lowlevel.checkpoint()
        found = await self._latest.after(self._count)
        if found is None:
            raise StopAsyncIteration
        value, self._count = found
        return value
