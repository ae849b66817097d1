"""Whole games of 66, position by position, are what they were when somebody last read them."""

from __future__ import annotations

import pytest

from tests.games.sixty_six.playthrough import PLACE, SCRIPTS, written


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_goes_as_it_is_written(name: str) -> None:
    assert (PLACE / f"{name}.txt").read_text() == written(SCRIPTS[name])


def test_nothing_else_is_kept() -> None:
    assert {path.stem for path in PLACE.iterdir()} == set(SCRIPTS)
