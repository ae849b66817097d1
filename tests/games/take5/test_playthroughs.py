"""Whole games of 6 nimmt! come to what is written down."""

from __future__ import annotations

import pytest

from tests.games.take5.playthrough import PLACE, SCRIPTS, written


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_is_as_written(name: str) -> None:
    assert written(SCRIPTS[name]) == (PLACE / f"{name}.txt").read_text()


def test_every_file_is_of_a_script() -> None:
    assert {path.stem for path in PLACE.glob("*.txt")} == set(SCRIPTS)
