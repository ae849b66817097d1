"""Every way in which two, three or four cards can be equal to each other."""

from __future__ import annotations

from collections.abc import Iterator


def patterns(count: int) -> Iterator[tuple[int, ...]]:
    """Return the patterns of `count` cards: each card by the class that it is in."""

    def extended(start: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(start) == count:
            yield start
        else:
            for kind in range(max(start, default=-1) + 2):
                yield from extended((*start, kind))

    return extended(())


PATTERNS = [pattern for count in (2, 3, 4) for pattern in patterns(count)]
