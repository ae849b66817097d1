"""Every single change to a value made of dataclasses and tuples: one field, changed once.

`changes(value)` walks through a value and yields the value again for every field in it, with that
field changed: numbers are one greater, bytes have one bit turned, truth values are the other one,
words have a letter more; tuples also lose an item, have one twice, and have two exchanged. Ids that
follow from other fields follow from the changed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Change:
    """A changed value, and where it was changed: names of fields, `[]` for items of tuples."""

    path: tuple[str, ...]
    value: Any

    @property
    def shape(self) -> str:
        """The place without the numbers of items."""
        return ".".join(step for step in self.path if not step.isdigit())


def changes(value: object, path: tuple[str, ...] = ()) -> Iterator[Change]:
    """Yield the value with each of its fields changed once."""
    if is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            if one.init:
                for inner in changes(getattr(value, one.name), (*path, one.name)):
                    yield Change(inner.path, replace(value, **{one.name: inner.value}))
    elif isinstance(value, tuple):
        yield from _rearranged(value, path)
        for index, item in enumerate(value):
            for inner in changes(item, (*path, str(index))):
                yield Change(inner.path, (*value[:index], inner.value, *value[index + 1 :]))
    else:
        yield from (Change(path, other) for other in _other(value))


def _rearranged(items: tuple[Any, ...], path: tuple[str, ...]) -> Iterator[Change]:
    if items:
        yield Change((*path, "dropped"), items[1:])
        yield Change((*path, "doubled"), (*items, items[-1]))
    if len(items) > 1 and items[0] != items[1]:
        yield Change((*path, "swapped"), (items[1], items[0], *items[2:]))


def _other(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case bytes():
            if value:
                yield value[:-1] + bytes([value[-1] ^ 1])
                yield bytes([value[0] ^ 1]) + value[1:]
        case str():
            yield value + "x"
        case None:
            return
        case _:
            raise AssertionError(f"no field holds a {type(value).__name__}")
