"""Runs what is asynchronous, and lets its failure out as what it is.

A failure among tasks comes out of trio in a group, and groups within groups. If all of them are
failures that people can do something about, the first one is raised in their place, so that `main`
says it in a line; anything else is a defect and keeps its whole group.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar, TypeVarTuple

import trio

from nodealer.kernel import Bug, NodealerError

T = TypeVar("T")
Args = TypeVarTuple("Args")


def run_trio(main: Callable[[*Args], Awaitable[T]], *args: *Args) -> T:
    """Run to the end; raise one failure where a group holds nothing but expected ones."""
    try:
        return trio.run(main, *args)
    except BaseExceptionGroup as group:
        raise told(group) from group


def told(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return what is to be said of a group of failures."""
    leaves = tuple(_leaves(group))
    if any(not _is_expected(one) for one in leaves):
        return group
    stopped = [one for one in leaves if isinstance(one, KeyboardInterrupt)]
    return (stopped or leaves)[0]


def _is_expected(error: BaseException) -> bool:
    if isinstance(error, NodealerError):
        return not isinstance(error, Bug)
    return isinstance(error, KeyboardInterrupt | OSError)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for one in group.exceptions:
        if isinstance(one, BaseExceptionGroup):
            yield from _leaves(one)
        else:
            yield one
