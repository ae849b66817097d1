"""Whole programs on a real terminal: a game by keys, and a terminal that is always given back."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from nodealer.games.registry import game
from nodealer.show.driver import Driver
from tests.show.tabling import tabling
from tests.terminal.terminals import PATIENCE_SECONDS, Terminal, signalled
from tests.tidy.project import ROOT

TRY = ("-m", "tests.terminal.try_table", "macaua", "--think", "0")


@pytest.fixture(autouse=True)
def _at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def at_turn() -> Iterator[Terminal]:
    """Yield a terminal at which the player has the turn."""
    with Terminal(*TRY, "--bots", "1", "--seed", "0") as terminal:
        terminal.wait_for(lambda text: "Your turn" in text)
        yield terminal


@pytest.fixture
def at_table() -> Iterator[Terminal]:
    """Yield a terminal on which a table is shown, whatever is going on there."""
    with Terminal(*TRY, "--bots", "1") as terminal:
        terminal.wait_for(lambda text: "? keys" in text)
        yield terminal


def own_part(text: str) -> str:
    """Return what is below the bar, but for the line with the time."""
    _, _, below = text.partition("-" * 60)
    return "\n".join(row for row in below.splitlines() if "Your turn" not in row)


def next_keys(text: str) -> str:
    """Return what a player who does not think types now; nothing if there is nothing to see yet."""
    part = own_part(text)
    if "Your turn" not in text:
        return ""
    if re.search(r"^\w+\?  1 ", part, re.MULTILINE):
        return "1"
    chosen = part.replace("Enter plays   Esc clears", "")
    if re.search("Enter plays|Enter goes on|Card 1_", chosen):
        return "\r"
    playable = re.search(r"(\d+)\*", part)
    if playable is not None:
        return playable[1]
    letter = re.search(r"\b([a-z]) (?:draw|take|pass|miss)", part)
    # There is nothing to do while what was chosen is on its way.
    return "" if letter is None else letter[1]


ANSWER_SECONDS, QUIET_SECONDS = 0.6, 0.05
"""The screen is drawn anew each second, whatever happens: an answer is waited for more briefly."""


def play(terminal: Terminal) -> int:
    """Play until the game is over; return how often keys were typed.

    What is drawn next may have been on its way before the keys were typed. Who takes it for the
    answer types a second time, which takes back what was chosen; the screen may look as before
    then, and wait for keys. So a player to whom nothing seems to happen looks again, as people do.
    """
    typed = 0
    while "The game is over." not in terminal.text:
        keys = next_keys(terminal.text)
        if keys:
            terminal.type(keys)
            typed += 1
            before = own_part(terminal.text)
            while own_part(terminal.text) == before and terminal.has_more(ANSWER_SECONDS):
                assert terminal.read()
        else:
            assert terminal.read()
        while terminal.has_more(QUIET_SECONDS):
            assert terminal.read()
    return typed


def test_a_whole_game_is_played_by_keys(at_turn: Terminal) -> None:
    assert play(at_turn) >= 4
    assert "1. " in at_turn.text
    at_turn.type("\x03")
    assert at_turn.end() == 0
    assert "ended: quit" in at_turn.seen
    assert at_turn.is_restored()


def test_the_window_says_whose_turn_it_is_and_rings_for_who_looks_away() -> None:
    with Terminal(*TRY, "--bots", "1", "--seed", "0", "--think", "5.5") as terminal:
        terminal.wait_for(lambda text: "Your turn" in text)
        picture = terminal.picture
        assert picture.titles == ["shell", "your turn: Macaua [trial]"]
        before = picture.bells
        while "Your turn" in terminal.text:
            terminal.type(next_keys(terminal.text))
            terminal.has_more(ANSWER_SECONDS)
            assert terminal.read()
        assert picture.titles[-1] == "Macaua [trial]"
        terminal.wait_for(lambda text: "Your turn" in text)
        assert picture.bells == before + 1
        terminal.type("\x03")
        assert terminal.end() == 0
        assert picture.titles == ["shell"]


def test_pages_and_lines_work_on_a_terminal(at_turn: Terminal) -> None:
    at_turn.type("?")
    at_turn.wait_for(lambda text: "space chooses" in text)
    at_turn.type("\x1b")
    at_turn.wait_for(lambda text: "Your turn" in text and "space chooses" not in text)
    at_turn.type("/say h")
    at_turn.wait_for(lambda text: "/ say h" in text)
    assert "25" in at_turn.picture.modes
    at_turn.type("i there\r")
    at_turn.wait_for(lambda text: "Ana: hi there" in text)
    at_turn.type("/mute bea\r")
    at_turn.wait_for(lambda text: "muted" in text)
    at_turn.type("/again\r")
    at_turn.wait_for(lambda text: "The game is not over" in text)
    at_turn.type("/quit\r")
    assert at_turn.end() == 0
    assert at_turn.is_restored()


def test_a_window_can_change_its_size(at_turn: Terminal) -> None:
    at_turn.resize(120, 34)
    signalled(at_turn.process, signal.SIGWINCH)
    at_turn.wait_for(lambda text: "│" in text and "Your turn" in text)
    at_turn.resize(60, 18)
    signalled(at_turn.process, signal.SIGWINCH)
    at_turn.wait_for(lambda text: "│" not in text and "? keys" in text.split("\n")[17])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(at_table: Terminal, number: signal.Signals) -> None:
    signalled(at_table.process, number)
    at_table.end()
    assert at_table.is_restored()


FAILING = """
import signal, weakref
import trio
from tests.show.tabling import Tabling, tabling
from nodealer.games.registry import game
from nodealer.terminal import run_table

class Last:
    pass

class Failing(Tabling):
    async def leave(self):
        await trio.sleep_forever()

    def say(self, text):
        if text == "last":
            item = Last()
            kept = weakref.ref(item, lambda _: signal.raise_signal(signal.SIGINT))
            del item
            return
        raise ValueError("planted")

async def play():
    table = tabling(game("macaua"), 2)
    table.__class__ = Failing
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.run)
        await run_table(table)
        nursery.cancel_scope.cancel()

trio.run(play)
"""


def test_a_crash_gives_the_terminal_back_and_shows_itself() -> None:
    with Terminal("-c", FAILING) as terminal:
        terminal.wait_for(lambda text: "? keys" in text)
        terminal.type("/say x\r")
        assert terminal.end() == 1
        assert terminal.is_restored()
        assert "ValueError: planted" in terminal.seen


def test_an_interrupt_where_nothing_can_be_raised_is_not_lost() -> None:
    with Terminal("-c", FAILING) as terminal:
        terminal.wait_for(lambda text: "? keys" in text)
        terminal.type("/say last\r")
        assert terminal.end() != 0
        assert terminal.is_restored()
        assert "KeyboardInterrupt" in terminal.seen
        assert "planted" not in terminal.seen


def test_a_table_that_hangs_can_be_closed() -> None:
    with Terminal("-c", FAILING) as terminal:
        terminal.wait_for(lambda text: "? keys" in text)
        terminal.type("/leave yes\r")
        terminal.type("\x03")
        assert terminal.end() == 0
        assert terminal.is_restored()


JOB_CONTROL = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-P", *sys.argv[1:]], process_group=0)
os.tcsetpgrp(0, child.pid)
_, status = os.waitpid(child.pid, os.WUNTRACED)
os.tcsetpgrp(0, os.getpgrp())
print("stopped" if os.WIFSTOPPED(status) else "ended", flush=True)
sys.stdin.readline()
os.tcsetpgrp(0, child.pid)
os.killpg(child.pid, signal.SIGCONT)
os.waitpid(child.pid, 0)
"""
"""What a shell does with Ctrl-Z and fg."""


def test_the_program_can_be_put_aside_and_called_back() -> None:
    with Terminal("-c", LEADING + JOB_CONTROL, *TRY, "--bots", "1") as terminal:
        terminal.wait_for(lambda text: "Your turn" in text)
        terminal.type("\x1a")
        terminal.wait_for(lambda text: "stopped" in text)
        assert terminal.is_restored()
        terminal.type("\n")
        terminal.wait_for(lambda text: "? keys" in text and "stopped" not in text)
        terminal.type("\x03")
        terminal.end()
        assert "ended: quit" in terminal.seen
        assert terminal.is_restored()


LEADING = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
"""
"""The first of a session has to take its terminal."""


def test_without_colours_nothing_is_coloured() -> None:
    for no_colour, has_colours in ("1", False), ("", True):
        with Terminal(*TRY, "--bots", "1", NO_COLOR=no_colour) as terminal:
            terminal.wait_for(lambda text: "Your turn" in text)
            coloured = {one for one in terminal.picture.colours if "3" in one}
            assert bool(coloured) == has_colours


def test_a_terminal_without_signs_gets_ascii() -> None:
    with Terminal(*TRY, "--bots", "3", PYTHONIOENCODING="ascii") as terminal:
        terminal.wait_for(lambda text: "? keys" in text)
        assert terminal.seen.isascii()


@pytest.mark.parametrize("arguments", [["--plain"], []])
def test_behind_a_pipe_a_game_is_played_by_numbers(arguments: list[str]) -> None:
    """Without a terminal there are plain lines, also if nobody asks for them."""
    with subprocess.Popen(
        [sys.executable, "-P", *TRY, "--bots", "1", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told = []
        for row in process.stdout:
            told.append(row.rstrip("\n"))
            assert "\x1b" not in row
            if row.startswith("  1. "):
                process.stdin.write("1\n")
                process.stdin.flush()
            if row.startswith("2. "):
                process.stdin.close()
                break
        told += process.stdout.read().splitlines()
        assert process.wait(PATIENCE_SECONDS) == 0
    assert "The game is over." in told
    assert told[-1] == "ended: gone"


def test_the_table_of_the_tests_is_a_driver() -> None:
    """So whoever passes the type checker with it has the methods of a driver."""
    driver: Driver = tabling(game("macaua"), 2)
    assert all(hasattr(driver, name) for name in ("updates", "act", "say", "mute"))
