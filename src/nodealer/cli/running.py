"""Runs what is asynchronous, and lets its failure out as what it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio

from nodealer.home import told_failure

T = TypeVar("T")
Args = TypeVarTuple("Args")


def run_trio(main: Callable[[*Args], Awaitable[T]], *args: *Args) -> T:
    """Run to the end; raise one failure where a group holds nothing but expected ones."""
    try:
        return trio.run(main, *args)
    except BaseExceptionGroup as group:
        raise told_failure(group) from group
