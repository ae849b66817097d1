"""The golden conversations are what happens."""

from __future__ import annotations

import pytest

from tests.lobby.conversations import FOLDER, STORIES, told


@pytest.mark.parametrize("name", STORIES)
def test_a_conversation_is_told_as_it_is_kept(name: str) -> None:
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_other_conversation_is_kept() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(STORIES)
