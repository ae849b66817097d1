"""The conversations beside the page on the dialogue are what is said, and fit the schema."""

from __future__ import annotations

import json

from tests.dialogue.conversations import FOLDER, files
from tests.dialogue.schema import is_wished, require_said


def test_conversations_are_as_they_were_written() -> None:
    made = dict(files())
    assert {path.name for path in FOLDER.iterdir()} == set(made)
    for name, text in made.items():
        assert (FOLDER / name).read_text("utf-8") == text


def test_conversations_fit_the_schema() -> None:
    for path in FOLDER.iterdir():
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("< "):
                require_said(line[2:])
            elif line.startswith("> "):
                wish = json.loads(line[2:])
                assert is_wished(wish) == (wish["do"] not in ("dance", "leave"))
