"""The golden conversations are what the ledgers really say."""

from __future__ import annotations

import pytest

from tests.ledger.conversations import FOLDER, STORIES, told


@pytest.mark.parametrize("name", STORIES)
def test_a_conversation_is_as_it_is_written(name: str) -> None:
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), (
        "if this change is meant: python -m tests.ledger.conversations"
    )


def test_no_story_is_written_that_nobody_tells() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(STORIES)


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("authored-step", "2 shows takes A at height 1 with rank 0"),
        ("due-step", "takes A at height 1 with rank 0"),
        ("kept", "2 shows takes A at height 1 with rank 1"),
        ("evicted", "(round 1 leaves out 3), by the votes of 0 and 1 and 2 in round 1"),
        ("equivocated", "shows evidence E1 against 0"),
        ("refused", "shows evidence E5 against 0"),
        ("falsely-refused", "shows evidence E6 against 3"),
        ("left", "by the votes of 0 in round 1 and the leave of 1"),
        ("closed-and-again", "(0: again)"),
        ("restored", "suspect: signs nothing until all have answered"),
    ],
)
def test_a_conversation_tells_what_its_title_says(name: str, ending: str) -> None:
    assert ending in told(name)
