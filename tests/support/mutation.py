"""Every small change of a part: each field, each item, each length, one change at a time.

The walk goes through dataclasses and tuples. What it does at a leaf:

    point     plus G
    scalar    plus one
    bytes     one bit flipped (`value`), or one byte cut off (`length`)
    text      one letter more
    tuple     its first two items swapped (`value`), the last one cut off or doubled (`length`)

A masked card is a pair with names, and so is a branch of a proof; only lists change their length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace

from nodealer.crypto import Group, Masked, Point


@dataclass(frozen=True)
class Change:
    """A part with one change: where it is, and whether a value or a length was changed."""

    path: str
    kind: str
    part: object


def changes(group: Group, part: object, path: str = "") -> Iterator[Change]:
    """Return every part that differs from this one in one place."""
    match part:
        case Point():
            yield Change(path, "value", part + group.generator)
        case int():
            yield Change(path, "value", (part + 1) % group.order)
        case bytes():
            yield Change(path, "value", bytes([part[0] ^ 1]) + part[1:])
            yield Change(path, "length", part[:-1])
        case str():
            yield Change(path, "value", part + "x")
        case tuple():
            yield from _of_tuple(group, part, path)
        case _ if is_dataclass(part) and not isinstance(part, type):
            for field in fields(part):
                for change in changes(group, getattr(part, field.name), f"{path}.{field.name}"):
                    changed = replace(part, **{field.name: change.part})
                    yield Change(change.path, change.kind, changed)
        case _:
            raise TypeError(f"no change is known for {part!r} at {path}")


def _of_tuple(group: Group, items: tuple[object, ...], path: str) -> Iterator[Change]:
    for index, item in enumerate(items):
        for change in changes(group, item, f"{path}[{index}]"):
            rest = [*items[:index], change.part, *items[index + 1 :]]
            made = Masked(*rest) if isinstance(items, Masked) else tuple(rest)  # type: ignore[arg-type]
            yield Change(change.path, change.kind, made)
    if isinstance(items, Masked) or (len(items) == 2 and isinstance(items[1], tuple)):
        return
    yield Change(path, "length", items[:-1])
    yield Change(path, "length", (*items, items[-1]))
    if len(items) > 1 and items[0] != items[1]:
        yield Change(path, "value", (items[1], items[0], *items[2:]))
