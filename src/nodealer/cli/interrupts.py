"""Interrupts that come between two steps of a command and never within one.

Python raises Ctrl-C wherever the program happens to be: after something was counted and before it
was told, in the middle of a line, in the summary itself. A command that goes from one item to the
next lets itself be interrupted while it waits for the next one, and nowhere else. Whatever comes at
another moment is noted, and raised before the next wait or at the end. Whoever presses Ctrl-C once
more meanwhile does not want to wait, perhaps because nobody reads what is written: that one ends
the process at once, and nothing is said any more.

While an item is awaited the handler is Python's own, for which trio looks. Where interrupts are
ignored or dealt with by somebody else, nothing is changed.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType
from typing import Self, TypeVar

T = TypeVar("T")


class Interrupts:
    """Ctrl-C from here to the end of a `with`: noted, but for the moments of `between`."""

    def __init__(self) -> None:
        self._is_noted = False
        self._is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> Self:
        self._hold()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._let()
        if kind is None:
            self._raise_noted()

    def between(self, items: Iterator[T]) -> Iterator[T]:
        """Yield all items; while the next one is awaited, an interrupt is raised."""
        while True:
            self._let()
            try:
                self._raise_noted()
                item = next(items)
            except StopIteration:
                return
            finally:
                self._hold()
            yield item

    def _hold(self) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, self._note)

    def _let(self) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _note(self, _signal: int, _frame: FrameType | None) -> None:
        self._is_noted = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _raise_noted(self) -> None:
        if self._is_noted:
            self._is_noted = False
            raise KeyboardInterrupt
