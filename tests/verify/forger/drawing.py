"""Recipes drawn by a number: which history, whose key, and one to three operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodealer.kernel.chance import Chance
from tests.verify.forger.dishonest import DISHONEST
from tests.verify.forger.forgery import Hand, Nothing, Operation, Recipe
from tests.verify.forger.histories import history
from tests.verify.forger.strangers import STRANGERS
from tests.verify.forger.tricks import TRICKS

OPERATIONS: Final[Mapping[str, Operation]] = {**STRANGERS, **TRICKS, **DISHONEST}

STEPS_MAX: Final = 3


def drawn(number: int, names: Sequence[str], key: int | None) -> Recipe:
    """Return the recipe of a number at one of these histories, with a key or without."""
    chance = Chance("recipe", number, -1 if key is None else key)
    able = [name for name in names if key is None or key < len(history(name).charter.keys)]
    name = chance.pick(able)
    pool = [*STRANGERS, *TRICKS, *(DISHONEST if key is not None else ())]
    steps = [chance.pick(pool) for _ in range(1 + chance.below(STEPS_MAX))]
    if key is not None:
        steps[chance.below(len(steps))] = chance.pick(list(DISHONEST))
    if f"-waits-for-{key}-" in name and chance.happens(50):
        steps.insert(0, "provoke")
    return Recipe(name, key, tuple(steps), number)


def forged(numbers: range, names: Sequence[str], key: int | None) -> Iterator[tuple[Recipe, Hand]]:
    """Yield the forgeries of these numbers, without those of which no step can be done."""
    for number in numbers:
        recipe = drawn(number, names, key)
        try:
            yield recipe, recipe.carry_out(OPERATIONS)
        except Nothing:
            continue
