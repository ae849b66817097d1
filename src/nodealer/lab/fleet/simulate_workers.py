"""Games in several processes at once, answered in the order of their seeds.

Each worker is a fresh interpreter that is given one game at a time. Which worker plays a game makes
no difference to it, so neither does their number. Ctrl-C is for the parent, which then ends its
workers; if the parent is ended in a way that leaves it no time for that, its workers notice and end
by themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Self, cast

from nodealer.lab.fleet.simulated_game import Played, Task, lost, play_task

AHEAD_MAX: Final = 64
"""Of the games that are not yet told of, so many may be finished for each worker."""


def played(tasks: Sequence[Task], jobs: int) -> Iterator[Played]:
    """Yield what came of the games, in their order."""
    if jobs == 1 or len(tasks) == 1:
        yield from map(play_task, tasks)
        return
    with _Workers(min(jobs, len(tasks))) as workers:
        yield from workers.played(tasks)


class _Workers:
    """The processes, and which game each of them is playing."""

    def __init__(self, jobs: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._jobs = jobs
        self._processes: list[SpawnProcess] = []
        self._busy: dict[Connection, int] = {}
        self._idle: list[Connection] = []

    def __enter__(self) -> Self:
        for _ in range(self._jobs):
            self._start()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def played(self, tasks: Sequence[Task]) -> Iterator[Played]:
        """Yield what came of the games, in their order."""
        done: dict[int, Played] = {}
        begun = 0
        for number in range(len(tasks)):
            while number not in done:
                while self._idle and begun < min(len(tasks), number + AHEAD_MAX * self._jobs):
                    self._give(tasks, begun)
                    begun += 1
                for link in wait(list(self._busy)):
                    which, one = self._take(tasks, cast("Connection", link))
                    done[which] = one
            yield done.pop(number)

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        self._processes.append(process)
        self._idle.append(ours)

    def _give(self, tasks: Sequence[Task], number: int) -> None:
        link = self._idle.pop()
        self._busy[link] = number
        # A worker that has ended is noticed where its answer is awaited.
        with suppress(BrokenPipeError):
            link.send(tasks[number])

    def _take(self, tasks: Sequence[Task], link: Connection) -> tuple[int, Played]:
        number = self._busy.pop(link)
        try:
            one = cast("Played", link.recv())
        except (EOFError, ConnectionError):
            self._start()
            return number, lost(tasks[number], "the process that played it was ended")
        self._idle.append(link)
        return number, one


def _work(link: Connection) -> None:
    """Play the games that are asked for, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, BrokenPipeError):
        while True:
            link.send(play_task(cast("Task", link.recv())))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker was started by somebody"
    parent.join()
    os._exit(1)
