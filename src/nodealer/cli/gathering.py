"""The common part of hosts and guests while people gather: waiting, and reading what is typed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from nodealer.cli.output import complain
from nodealer.cli.typed import typed_line

T = TypeVar("T")


def at_terminal(args: argparse.Namespace) -> bool:
    """Say whether a person is there who reads and types."""
    return not args.auto and sys.stdin.isatty()


async def gathered(
    gather: Callable[[], Awaitable[T]],
    typed: Callable[[str], None],
    *,
    reads: bool,
    at_end: Callable[[], None] | None = None,
) -> T:
    """Wait for what becomes of a lobby, and do what is typed meanwhile.

    Nothing that is typed after that is read here. When no more can be typed, `at_end` is called.
    """
    async with trio.open_nursery() as nursery:
        if reads:
            nursery.start_soon(_read, typed, at_end or _say_end)
        outcome = await gather()
        nursery.cancel_scope.cancel()
    return outcome


async def _read(typed: Callable[[str], None], at_end: Callable[[], None]) -> None:
    while (line := await typed_line()) is not None:
        typed(line)
    at_end()


def _say_end() -> None:
    complain("nothing more can be typed here; Ctrl-C stops, and the lobby stays open")
