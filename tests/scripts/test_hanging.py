"""A test that hangs is ended, and its failure shows what was waited for."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
import trio

from tests.hanging import Hangs, at_most


async def waits_for_nothing() -> None:
    await trio.sleep_forever()


async def two() -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(waits_for_nothing)
        nursery.start_soon(waits_for_nothing)


def test_the_stacks_of_all_tasks_are_shown() -> None:
    with pytest.raises(Hangs) as caught, at_most(0.2):
        trio.run(two)
    text = str(caught.value)
    assert text.startswith("no end after 0.2 s")
    assert text.count("waits_for_nothing") >= 2


def test_the_programs_that_were_started_are_named_and_ended() -> None:
    with pytest.raises(Hangs, match=r"import time; time\.sleep") as caught, at_most(0.5):
        subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"], check=False)
    assert "subprocess.run" in str(caught.value)


def test_nothing_of_it_is_left_behind_what_ends_in_time() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with at_most(60):
        with at_most(30):
            assert signal.getsignal(signal.SIGALRM) is not before
        assert 30 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60
    assert signal.getsignal(signal.SIGALRM) is before
