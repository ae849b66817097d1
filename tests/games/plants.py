"""Flaws that are planted in the rules of a game: each must be noticed by the test that is for it.

A plant says what is wrong, in which module or class, under which name, what stands there instead,
and which test notices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import pytest
from _pytest.outcomes import Failed

Plant: TypeAlias = tuple[str, object, str, object, Callable[[], None]]


def each(plants: Sequence[Plant]) -> pytest.MarkDecorator:
    """Return the mark of a test that is run with every plant."""
    return pytest.mark.parametrize("plant", plants, ids=[plant[0] for plant in plants])


def each_test(plants: Sequence[Plant]) -> pytest.MarkDecorator:
    """Return the mark of a test that is run with every test by which plants are noticed."""
    return pytest.mark.parametrize("noticing", dict.fromkeys(plant[4] for plant in plants))


def require_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail unless the test of a plant fails with it."""
    _, owner, name, planted, noticing = plant
    monkeypatch.setattr(owner, name, planted)
    # Whatever is raised fails a test; a flaw may also break the game outright.
    with pytest.raises((Exception, Failed)):
        noticing()
