"""The failure of many tasks, let out as what it is.

A failure among tasks comes out of trio in a group, and groups within groups. If all of them are
failures that people can do something about, the first one is told in their place; anything else is
a defect and keeps its whole group.
"""

from __future__ import annotations

from collections.abc import Iterator

from nodealer.kernel import Bug, NodealerError


def told_failure(group: BaseExceptionGroup[BaseException]) -> BaseException:
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
