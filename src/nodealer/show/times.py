"""Spans of time as people read them. A tick is a millisecond."""

from __future__ import annotations

from typing import Final

TICKS_A_SECOND: Final = 1000

_MINUTE: Final = 60
_HOUR: Final = 3600

_UNITS: Final = (
    (24 * _HOUR * TICKS_A_SECOND, "day"),
    (_HOUR * TICKS_A_SECOND, "hour"),
    (_MINUTE * TICKS_A_SECOND, "minute"),
    (TICKS_A_SECOND, "second"),
    (1, "millisecond"),
)


def duration(ticks: int) -> str:
    """Return a span of time in its one or two largest units; below zero there is nothing left."""
    seconds = max(0, ticks) // TICKS_A_SECOND
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min {seconds % _MINUTE} s"
    return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min"


def in_words(ticks: int) -> str:
    """Return a span of time in words, exactly, as terms state it."""
    found, rest = [], ticks
    for unit, name in _UNITS:
        count, rest = divmod(rest, unit)
        if count:
            found.append(f"{count} {name}" if count == 1 else f"{count} {name}s")
    return " ".join(found) or "no time"
