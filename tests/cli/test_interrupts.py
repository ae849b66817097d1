"""Ctrl-C at every moment of `nodealer simulate`: a game counts exactly if its line was written."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Final

import pytest

from nodealer.cli import game_tally, interrupts, output, simulate
from nodealer.cli.interrupts import Interrupts
from nodealer.cli.main import parser
from nodealer.games import registry
from nodealer.lab.fleet import simulate_workers, simulated_game
from nodealer.lab.fleet.simulated_game import Played, Task

if TYPE_CHECKING:
    from _typeshed import TraceFunction

GAMES: Final = 2

RUN: Final = parser().parse_args(
    ["simulate", "macaua", "--players", "2", "--games", str(GAMES), "--json"]
)

MODULES: Final = (simulate, game_tally, output, simulate_workers, interrupts)
"""Where moments are counted: in all that is done between a game that was played and its line."""

STEP: Final = "opcode" if os.environ.get("NODEALER_TEST_PROFILE") == "full" else "line"


class Clockwork:
    """Sends the interrupt at one moment, counted in steps of the modules above."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.steps = 0
        self._files = {module.__file__ for module in MODULES}

    def entering(self, frame: FrameType, _event: str, _: object) -> TraceFunction | None:
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_opcodes = True
        return self.within

    def within(self, _frame: FrameType, event: str, _: object) -> TraceFunction | None:
        if event == STEP:
            self.steps += 1
            if self.steps == self.at:
                signal.raise_signal(signal.SIGINT)
        return self.within


@contextmanager
def handled_by_python() -> Iterator[None]:
    """Have Python's own handler there, whatever runs these tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted_at(moment: int) -> tuple[bool, int, list[dict[str, object]]]:
    """Return whether the run was interrupted, how many steps there were, and what was told."""
    clockwork, told, is_interrupted = Clockwork(moment), io.StringIO(), False
    traced = sys.gettrace()
    with handled_by_python(), redirect_stdout(told):
        sys.settrace(clockwork.entering)
        try:
            simulate.run(RUN)
        except KeyboardInterrupt:
            is_interrupted = True
        finally:
            sys.settrace(traced)
    lines = told.getvalue().splitlines()
    return is_interrupted, clockwork.steps, [json.loads(line) for line in lines]


@cache
def known_game(task: Task) -> Played:
    return simulated_game.play_task(task)


@pytest.fixture
def _games_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play each game once and look for installed games once, for all moments."""
    monkeypatch.setattr(simulate_workers, "play_task", known_game)
    monkeypatch.setattr(registry, "_offers", cache(registry._offers))


@pytest.mark.usefixtures("_games_are_known")
def test_a_game_counts_exactly_if_it_was_told_whenever_the_interrupt_comes() -> None:
    is_interrupted, steps, whole = interrupted_at(0)
    assert not is_interrupted
    assert len(whole) == GAMES + 1
    how_many = []
    for moment in range(1, steps + 1):
        is_interrupted, _, told = interrupted_at(moment)
        assert is_interrupted, moment
        games = [one for one in told if "seed" in one]
        sums = [one for one in told if "summary" in one]
        assert games == whole[: len(games)], moment
        assert [one["games"] for one in sums] == [len(games)] * len(sums), moment
        assert sums or not games, moment
        how_many.append(len(games))
    assert how_many == sorted(how_many), "the later it comes, the more was told"
    assert set(how_many) == set(range(GAMES + 1))


def interrupt(seen: list[str], what: str) -> None:
    signal.raise_signal(signal.SIGINT)
    seen.append(what)


def interrupt_between(seen: list[str]) -> None:
    with Interrupts() as held:
        for item in held.between(iter("abc")):
            interrupt(seen, item)


def interrupt_at_the_end(seen: list[str]) -> None:
    with Interrupts():
        interrupt(seen, "done")
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL, "the next one ends the process"


def test_an_interrupt_waits_for_the_next_wait_or_the_end() -> None:
    seen: list[str] = []
    for interrupting in (interrupt_between, interrupt_at_the_end):
        with handled_by_python(), pytest.raises(KeyboardInterrupt):
            interrupting(seen)
    assert seen == ["a", "done"]


def test_where_interrupts_are_ignored_they_stay_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts() as held:
            assert list(held.between(iter("ab"))) == ["a", "b"]
            signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
