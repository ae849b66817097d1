"""The door is asked for each connection that somebody else opens: before anything, and by key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio

from nodealer.node.transport import guarded
from nodealer.node.transport.admission import Acquaintances
from nodealer.node.transport.doorkeeper import Caller, Doorkeeper
from nodealer.node.transport.over_libp2p import open_carrier
from nodealer.node.transport.stranger_turns import Found, Pace, Rank, Turns
from tests.node.makers import HERE, SEEDS, ended, key, stream_between
from tests.node.test_pitfalls import is_turned_away, port_of


class Noted(Doorkeeper):
    """A door that writes down what it is asked, and says no to some."""

    def __init__(self, *, is_shut: bool = False, unwelcome: int | None = None) -> None:
        super().__init__()
        self.asked: list[tuple[str, bytes | None]] = []
        self.callers: list[Caller] = []
        self.left_by: list[Caller] = []
        self.somebody_left = trio.Event()
        self._is_shut = is_shut
        self._unwelcome = None if unwelcome is None else key(unwelcome)

    def admits(self, caller: Caller) -> bool:
        self.asked.append((caller.host, caller.key))
        self.callers.append(caller)
        return not self._is_shut and (caller.key is None or caller.key != self._unwelcome)

    def left(self, caller: Caller) -> None:
        self.left_by.append(caller)
        self.somebody_left.set()


def test_the_door_is_asked_before_anything_and_once_there_is_a_key() -> None:
    async def main() -> None:
        door = Noted()
        async with (
            open_carrier(SEEDS[0], [HERE], door=door) as one,
            open_carrier(SEEDS[1], [HERE]) as other,
        ):
            here, there = await stream_between(other, one)
            assert door.asked == [("127.0.0.1", None), ("127.0.0.1", key(1))]
            assert door.left_by == []
            await here.abandon()
            assert await ended(there)
            await there.abandon()
            with trio.fail_after(10):
                await door.somebody_left.wait()
            assert door.left_by == door.callers[:1]

    trio.run(main)


def test_whom_the_door_says_no_to_is_not_answered() -> None:
    async def main() -> None:
        door = Noted(is_shut=True)
        async with open_carrier(SEEDS[0], [HERE], door=door) as carrier:
            raw = await trio.open_tcp_stream("127.0.0.1", port_of(carrier))
            async with raw:
                with trio.fail_after(10):
                    assert await raw.receive_some(1) == b""
            assert door.asked == [("127.0.0.1", None)]
            assert door.left_by == []

    trio.run(main)


def test_whose_key_the_door_says_no_to_is_out_again() -> None:
    async def main() -> None:
        door = Noted(unwelcome=1)
        async with (
            open_carrier(SEEDS[0], [HERE], door=door) as one,
            open_carrier(SEEDS[1], [HERE]) as unwelcome,
            open_carrier(SEEDS[2], [HERE]) as welcome,
        ):
            with trio.fail_after(10):
                assert await is_turned_away(unwelcome, one)
            await stream_between(welcome, one)

    trio.run(main)


def test_a_door_may_end_a_caller_at_any_time() -> None:
    async def main() -> None:
        door = Noted()
        async with (
            open_carrier(SEEDS[0], [HERE], door=door) as one,
            open_carrier(SEEDS[1], [HERE]) as other,
        ):
            here, there = await stream_between(other, one)
            door.callers[0].end()
            with trio.fail_after(10):
                assert await ended(here)
                assert await ended(there)

    trio.run(main)


class Watched(Turns):
    """A line that writes down before whom somebody goes."""

    def __init__(self, share: float) -> None:
        super().__init__(share)
        self.ranks: list[Rank] = []
        LINES.append(self)

    async def take(self, work: Callable[[], Found], price: float, pace: Pace) -> Found:
        self.ranks.append(pace.rank)
        return await super().take(work, price, pace)


LINES: list[Watched] = []


def test_who_is_expected_goes_first_until_there_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "Turns", Watched)

    async def main() -> None:
        door = Doorkeeper()
        door.acquaintances = Acquaintances(expects=lambda host: host == "127.0.0.1")
        async with (
            open_carrier(SEEDS[0], [HERE], door=door) as one,
            open_carrier(SEEDS[1], [HERE]) as other,
        ):
            here, there = await stream_between(other, one)
            ranks = LINES[0].ranks
            assert ranks[0] is Rank.AWAITED
            assert ranks == sorted(ranks)
            assert ranks[-1] is Rank.NEW
            await here.abandon()
            await there.abandon()

    trio.run(main)
