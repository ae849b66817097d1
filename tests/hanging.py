"""A test that hangs fails, and what it waited for is shown.

A guard inside of a test says what that test waits for. This one is around all of them: it is so
long that no machine needs it, and only a defect lets it strike. Then the stack of every task of
`trio` is part of the failure, and so are the programs that the test has started.

What runs in `trio` is ended as by Ctrl-C, which reaches its main task and spares its insides. What
is raised is no `Exception`: neither the code under test nor the search for a smaller example
catches it. It comes again until the test gives up, for an orderly end may hang too.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import trio
from trio.lowlevel import Task

TEST_SECONDS: Final = 300.0
"""Ten times what the longest test of the ordinary run takes."""

AGAIN_SECONDS: Final = 10.0
"""Between one try to end a test and the next."""


class Hangs(BaseException):
    """What a test that takes too long is ended by."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `Hangs` if what is inside takes longer, with all stacks."""
    struck = list[Hangs]()

    def strike(number: int, frame: FrameType | None) -> None:
        del number
        struck.append(Hangs(f"no end after {seconds:g} s\n{_told(frame)}"))
        interrupt = signal.getsignal(signal.SIGINT)
        if _root() is None or not callable(interrupt):
            raise struck[0]
        interrupt(signal.SIGINT, frame)

    handler = signal.signal(signal.SIGALRM, strike)
    began = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
    try:
        yield
    except BaseException as ending:
        if not struck or ending is struck[0]:
            raise
        raise struck[0] from ending
    finally:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *began)


def _told(frame: FrameType | None) -> str:
    parts = ["".join(traceback.format_stack(frame))]
    root = _root()
    if root is not None:
        parts += [_stack_of(task) for task in _below(root)]
    parts += [f"program: {line}" for line in _programs()]
    return "\n".join(parts)


def _root() -> Task | None:
    try:
        return trio.lowlevel.current_root_task()
    except RuntimeError:
        return None  # nothing of trio runs


def _below(task: Task) -> Iterator[Task]:
    yield task
    for nursery in task.child_nurseries:
        for child in nursery.child_tasks:
            yield from _below(child)


def _stack_of(task: Task) -> str:
    frames = traceback.StackSummary.extract(task.iter_await_frames())
    return f"task {task.name}\n" + "".join(frames.format())


def _programs() -> list[str]:
    """Return the command lines of what this process has started, where the system tells them."""
    children = Path("/proc/self/task").glob("*/children")
    numbers = [number for path in children for number in path.read_text().split()]
    found = (_or_nothing(Path("/proc", number, "cmdline").read_text) for number in numbers)
    return [line.replace("\0", " ") for line in found if line]


def _or_nothing(read: Callable[[], str]) -> str:
    try:
        return read()
    except OSError:
        return ""  # it has ended meanwhile
