"""Strangers share a part of the processor, however many they are; who is known waits for nobody."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from nodealer.node.transport.stranger_turns import BURST_SECONDS, NEW_SECONDS, Pace, Turns
from tests.node.makers import in_virtual_time


class Stopwatch:
    """Shows how much work was done, as the work itself says."""

    def __init__(self) -> None:
        self.worked = 0.0

    def __call__(self) -> float:
        return self.worked

    def work(self, seconds: float) -> None:
        self.worked += seconds


def stranger_of(turns: Turns, spent: float = 0.0, *, is_awaited: bool = False) -> Pace:
    """Return the pace of a stranger whose work has cost so much."""
    pace = Pace(turns, lambda: True, lambda: is_awaited)
    pace.spent = spent
    return pace


@pytest.mark.parametrize("strangers", [1, 50])
@pytest.mark.parametrize("share", [0.25, 0.75])
def test_all_strangers_together_have_their_share(strangers: int, share: float) -> None:
    async def main() -> None:
        stopwatch = Stopwatch()
        turns = Turns(share, stopwatch)
        price, work, count = 0.01, 0.04, 400 // strangers

        async def stranger() -> None:
            for _ in range(count):
                await stranger_of(turns).do(lambda: stopwatch.work(work), price)

        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            for _ in range(strangers):
                nursery.start_soon(stranger)
        cost = (work + price) * count * strangers
        passed = trio.current_time() - began
        assert cost / passed == pytest.approx(share, rel=0.05)

    in_virtual_time(main)


def test_a_burst_is_free_after_a_quiet_time_and_not_a_second_one() -> None:
    async def main() -> None:
        stopwatch = Stopwatch()
        turns = Turns(0.25, stopwatch)
        for quiet in (0, 1000):
            await trio.sleep(quiet)
            began = trio.current_time()
            await stranger_of(turns).do(lambda: stopwatch.work(BURST_SECONDS), 0)
            assert trio.current_time() == began
            await stranger_of(turns).do(lambda: stopwatch.work(0.1), 0)
            assert trio.current_time() == pytest.approx(began + 0.4)

    in_virtual_time(main)


def test_one_stranger_has_its_turn_at_a_time_and_others_in_between() -> None:
    async def main() -> None:
        turns = Turns(stopwatch=lambda: 0.0)
        happened: list[str] = []

        async def stranger(name: str) -> None:
            for _ in range(20):
                await stranger_of(turns).do(lambda: happened.append(name), 0)

        async def player() -> None:
            while True:
                happened.append("player")
                await trio.lowlevel.checkpoint()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(player)
            async with trio.open_nursery() as strangers:
                for name in "abcdefgh":
                    strangers.start_soon(stranger, name)
            nursery.cancel_scope.cancel()
        # In every three things that happen there is one of the player's, with eight strangers too.
        runs = "".join("." if one == "player" else one for one in happened).split(".")
        assert max(map(len, runs)) <= 2
        assert sum(map(len, runs)) == 160
        # Nobody is passed over: after two rounds each has had a turn.
        assert all(happened[:60].count(name) for name in "abcdefgh")

    trio.run(main)


def test_work_that_fails_is_paid_for_and_its_turn_passes_on() -> None:
    async def main() -> None:
        turns = Turns(0.5, lambda: 0.0)

        def fail() -> None:
            raise ZeroDivisionError

        began = trio.current_time()
        with pytest.raises(ZeroDivisionError):
            await stranger_of(turns).do(fail, BURST_SECONDS + 1)
        assert trio.current_time() == pytest.approx(began + 2)
        assert await stranger_of(turns).do(lambda: 7, 0) == 7

    in_virtual_time(main)


def test_who_is_known_does_not_stand_in_line() -> None:
    async def main() -> None:
        turns, known = Turns(stopwatch=lambda: 0.0), [False]
        pace = Pace(turns, lambda: not known[0])
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stranger_of(turns).do, lambda: None, 1000.0)
            await trio.testing.wait_all_tasks_blocked()
            with trio.move_on_after(100) as waiting:
                await pace.do(lambda: None, 0)
            assert waiting.cancelled_caught
            known[0] = True
            assert await pace.do(lambda: "at once", 1000.0) == "at once"
            assert trio.current_time() == began + 100

    in_virtual_time(main)


def test_who_is_awaited_goes_first_and_who_has_cost_little_before_who_has_cost_more() -> None:
    async def main() -> None:
        turns = Turns(stopwatch=lambda: 0.0)
        happened: list[str] = []
        paces = {
            "busy": stranger_of(turns, NEW_SECONDS),
            "new": stranger_of(turns),
            "awaited": stranger_of(turns, NEW_SECONDS, is_awaited=True),
            "new too": stranger_of(turns),
        }

        async def take(name: str, pace: Pace, price: float = 0) -> None:
            await pace.do(lambda: happened.append(name), price)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(take, "first", stranger_of(turns), BURST_SECONDS + 1)
            await trio.testing.wait_all_tasks_blocked()
            for name, pace in paces.items():
                nursery.start_soon(take, name, pace)
                await trio.testing.wait_all_tasks_blocked()
        assert happened == ["first", "awaited", "new", "new too", "busy"]
        assert not turns._is_taken

    in_virtual_time(main)


def test_what_a_connection_has_cost_is_counted_and_who_leaves_the_line_is_passed_over() -> None:
    async def main() -> None:
        turns, awaited = Turns(stopwatch=lambda: 0.0), [False]
        happened: list[str] = []
        busy = Pace(turns, lambda: True, lambda: awaited[0])
        await busy.do(lambda: None, BURST_SECONDS + NEW_SECONDS)

        async def ask(name: str, pace: Pace) -> None:
            await pace.do(lambda: happened.append(name), 1.0)

        for is_awaited in (False, True):
            awaited[0] = is_awaited
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask, "first", Pace(turns, lambda: True))
                await trio.testing.wait_all_tasks_blocked()
                with trio.move_on_after(0.1):
                    await ask("gone", busy)
                for name, pace in (("busy", busy), ("new", Pace(turns, lambda: True))):
                    nursery.start_soon(ask, name, pace)
                    await trio.testing.wait_all_tasks_blocked()
        assert happened == ["first", "new", "busy", "first", "busy", "new"]

    in_virtual_time(main)
