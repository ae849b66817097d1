"""The way through our own code: which frames lead to a call, which modules have a part in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType

OWN = "nodealer."

Hop = tuple[str, str]
"""A module, without our own name before it, and a function of it."""


@dataclass(slots=True)
class Trace:
    """All calls of our own functions while it was traced, and the ways that led to some of them."""

    calls: int = 0
    functions: set[Hop] = field(default_factory=set)
    ways: list[tuple[Hop, ...]] = field(default_factory=list)

    @property
    def modules(self) -> set[str]:
        """The modules that had a part in it."""
        return {module for module, _ in self.functions}

    @property
    def shortest(self) -> tuple[Hop, ...]:
        """The shortest of the ways."""
        return min(self.ways, key=len)


@contextmanager
def traced(*ends: Callable[..., object]) -> Iterator[Trace]:
    """Trace everything in this thread; of calls of `ends` the own frames around them are noted."""
    codes = {one.__code__ for one in ends if isinstance(one, FunctionType)}
    trace, names = Trace(), dict[CodeType, Hop | None]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        hop = _hop_of(frame, names)
        if hop is None:
            return
        trace.calls += 1
        trace.functions.add(hop)
        if frame.f_code in codes:
            trace.ways.append(tuple(_way_to(frame, names)))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield trace
    finally:
        sys.setprofile(before)


def _way_to(frame: FrameType | None, names: dict[CodeType, Hop | None]) -> list[Hop]:
    way: list[Hop] = []
    while frame is not None:
        hop = _hop_of(frame, names)
        if hop is not None:
            way.append(hop)
        frame = frame.f_back
    return way[::-1]


def _hop_of(frame: FrameType, names: dict[CodeType, Hop | None]) -> Hop | None:
    code = frame.f_code
    if code not in names:
        module = str(frame.f_globals.get("__name__", ""))
        own = module.startswith(OWN) and code.co_filename != "<string>"
        names[code] = (module.removeprefix(OWN), code.co_qualname) if own else None
    return names[code]
