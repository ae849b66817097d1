"""The operations: one file for each effect, named as the effect, with all that it is to a table.

`OPERATIONS` has one for each member of the union `games.effects.Effect`, found by its name: that
of `NewDeck` is `OPERATION` in `new_deck`. An effect without a file, or one whose file is about
another, is an error when this package is imported. What an operation has to say stands in
`table.operation`; the steps and parts of one may be used by another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from inspect import isabstract
from types import MappingProxyType
from typing import Final

from nodealer.games import EFFECTS, Effect
from nodealer.table.operation import Operation, PartKind


def _operation_for(effect: type[Effect]) -> Operation:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", effect.__name__).lower()
    found = import_module(f"{__name__}.{name}").OPERATION
    assert isinstance(found, Operation), "a file in operations has an operation"
    assert found.effect is effect, "and is named as its effect"
    assert not isabstract(effect), "an effect says what it comes to on open cards"
    assert effect.takes_steps == bool(found.steps), "and whether a seat can be left out meanwhile"
    return found


OPERATIONS: Final[Mapping[type[Effect], Operation]] = MappingProxyType(
    {effect: _operation_for(effect) for effect in EFFECTS}
)
"""The operation of every effect."""

PARTS: Final[Mapping[str, PartKind]] = MappingProxyType(
    {
        part.kind: part
        for operation in OPERATIONS.values()
        for step in operation.steps
        for part in step.parts
    }
)
"""All kinds of parts that seats owe to operations."""


def operation_of(effect: Effect) -> Operation:
    """Return all that an effect is to a table."""
    return OPERATIONS[type(effect)]
