"""Turns: what strangers may cost, all of them together, however many connections they have.

Whoever can connect can make a node compute: a handshake, a frame to be opened and looked at, a
stream to be begun. One connection more is free to them, so a bound for each connection bounds
nothing. Here all of them wait in one line. One has its turn at a time, whoever comes first, and for
what a turn has cost the line then rests, so that strangers have a share of the processor and those
who play have what is left, at every moment. A node with nobody else to serve rests in vain; that is
the price for a rule that asks nobody how busy it is.

What is counted is the time that the work itself took, and a price for what it sets in motion: tasks
that wake, an answer that is written. Short bursts are free: honest strangers never notice the line.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, TypeVar

import trio

SHARE: Final = 0.25
"""Of one processor, for all strangers of a node: three quarters stay with its tables."""

SHARE_OF_RELAY: Final = 0.75
"""A relay has nothing else to do than to serve them."""

BURST_SECONDS: Final = 0.2
"""Of work that is free after a quiet time: a hundred handshakes, or a thousand frames."""

FRAME_SECONDS: Final = 0.0002
"""The price of a frame beside what opening it took: its task wakes, and mostly another one too."""

STREAM_SECONDS: Final = 0.002
"""The price of a stream: a task, and the talk about what is spoken there."""

CALL_SECONDS: Final = 0.001
"""The price of a connection beside its handshake."""

Found = TypeVar("Found")


class Turns:
    """One line for the work of all strangers."""

    def __init__(
        self, share: float = SHARE, stopwatch: Callable[[], float] = time.thread_time
    ) -> None:
        self._share = share
        self._stopwatch = stopwatch
        self._line = trio.Lock()
        self._paid_until = -math.inf

    async def take(self, work: Callable[[], Found], price: float) -> Found:
        """Wait for a turn, do a piece of work, and rest for it."""
        async with self._line:
            began = self._stopwatch()
            try:
                return work()
            finally:
                await self._rest(self._stopwatch() - began + price)

    async def _rest(self, cost: float) -> None:
        now = trio.current_time()
        self._paid_until = max(self._paid_until, now - BURST_SECONDS / self._share)
        self._paid_until += cost / self._share
        if self._paid_until > now:
            await trio.sleep_until(self._paid_until)


class Pace:
    """How the work is done that one connection asks for: in the line while it is a stranger's."""

    def __init__(self, turns: Turns, is_stranger: Callable[[], bool]) -> None:
        self._turns = turns
        self._is_stranger = is_stranger

    async def do(self, work: Callable[[], Found], price: float) -> Found:
        """Do a piece of work when it is its turn."""
        return await self._turns.take(work, price) if self._is_stranger() else work()
