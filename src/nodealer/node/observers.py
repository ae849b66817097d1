"""Observers: those who are told of what happens, in the order in which they came, until they go.

Each gets what takes it out again. Who goes while the others are told is told nothing more, and who
comes meanwhile is told from the next time on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Observers(Generic[P]):
    """Callables that must not wait, and are told the same."""

    def __init__(self) -> None:
        self._all: dict[object, Callable[P, None]] = {}

    def add(self, observer: Callable[P, None]) -> Callable[[], None]:
        """Tell somebody from now on; return what ends it, as often as it is called."""
        token = object()
        self._all[token] = observer

        def remove() -> None:
            self._all.pop(token, None)

        return remove

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell all who are there."""
        for token in tuple(self._all):
            if token in self._all:
                self._all[token](*args, **kwargs)
