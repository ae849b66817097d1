"""Turns: what strangers may cost, all of them together, however many connections they have.

Whoever can connect can make a node compute: a handshake, a frame to be opened and looked at, a
stream to be begun. One connection more is free to them, so a bound for each connection bounds
nothing. Here all of them wait in one line. One has its turn at a time, and for
what a turn has cost the line then rests, so that strangers have a share of the processor and those
who play have what is left, at every moment. A node with nobody else to serve rests in vain; that is
the price for a rule that asks nobody how busy it is.

Of those who wait the first has its turn, but whoever has cost little so far goes before whoever has
cost more, and whoever may be somebody who is awaited goes before all (`Rank`). Else a few hundred
connections on which something is asked for again and again would leave to everybody else one turn
in so many, and a handshake takes several.

What is counted is the time that the work itself took, and a price for what it sets in motion: tasks
that wake, an answer that is written. Short bursts are free: honest strangers never notice the line.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from enum import IntEnum
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

NEW_SECONDS: Final = 0.008
"""What a connection may cost before others go first: a handshake, a stream, a hello, an invite."""

Found = TypeVar("Found")


class Rank(IntEnum):
    """The order in which callers go."""

    AWAITED = 0
    """It comes from where somebody known may come from, and its key is not proven yet."""
    NEW = 1
    """It has cost little so far."""
    OTHER = 2


class Turns:
    """One line for the work of all strangers."""

    def __init__(
        self, share: float = SHARE, stopwatch: Callable[[], float] = time.thread_time
    ) -> None:
        self._share = share
        self._stopwatch = stopwatch
        self._waiting = {rank: trio.lowlevel.ParkingLot() for rank in Rank}
        self._is_taken = False
        self._paid_until = -math.inf

    async def take(self, work: Callable[[], Found], price: float, pace: Pace) -> Found:
        """Wait for a turn, do a piece of work, and rest for it."""
        if self._is_taken:
            await self._waiting[pace.rank].park()  # whoever wakes it hands its turn over
        self._is_taken = True
        try:
            await trio.lowlevel.checkpoint()
            began = self._stopwatch()
            try:
                return work()
            finally:
                cost = self._stopwatch() - began + price
                pace.spent += cost
                await self._rest(cost)
        finally:
            self._hand_over()

    def _hand_over(self) -> None:
        for waiting in self._waiting.values():
            if waiting:
                waiting.unpark()
                return
        self._is_taken = False

    async def _rest(self, cost: float) -> None:
        now = trio.current_time()
        self._paid_until = max(self._paid_until, now - BURST_SECONDS / self._share)
        self._paid_until += cost / self._share
        if self._paid_until > now:
            await trio.sleep_until(self._paid_until)


class Pace:
    """The pace of the work that one connection asks for: in the line while it is a stranger's.

    Other tasks run between two pieces of it in any case.
    """

    def __init__(
        self,
        turns: Turns,
        is_stranger: Callable[[], bool],
        is_awaited: Callable[[], bool] = lambda: False,
    ) -> None:
        self._turns = turns
        self._is_stranger = is_stranger
        self._is_awaited = is_awaited
        self.spent = 0.0
        """The cost of its work so far."""

    @property
    def rank(self) -> Rank:
        """Return before whom its next turn comes."""
        if self._is_awaited():
            return Rank.AWAITED
        return Rank.NEW if self.spent < NEW_SECONDS else Rank.OTHER

    async def do(self, work: Callable[[], Found], price: float) -> Found:
        """Do a piece of work when it is its turn."""
        if not self._is_stranger():
            await trio.lowlevel.checkpoint()  # one read of a socket may bring thousands of pieces
            return work()
        return await self._turns.take(work, price, self)
