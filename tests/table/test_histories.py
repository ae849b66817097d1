"""The golden histories are what the table really does."""

from __future__ import annotations

import pytest

from tests.table.histories import FOLDER, STORIES, told


@pytest.mark.parametrize("name", STORIES)
def test_a_history_is_as_it_is_written(name: str) -> None:
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), (
        "if this change is meant: python -m tests.table.histories"
    )


def test_no_history_is_written_that_nobody_tells() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(STORIES)
