"""Programs that know no game play every game over lines, and all that they are told fits."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from high_card.rules import GAME
from nodealer.dialogue import TEXT_BYTES_MAX
from nodealer.games import AnyGame
from nodealer.games.registry import BUILT_IN, game
from nodealer.kernel import Seat
from tests.dialogue.parlour import parlour, play_with
from tests.dialogue.schema import require_said

HERE = Path(__file__).parent
NODE = shutil.which("node")

SHORT: Mapping[str, Mapping[str, int | str | bool]] = {
    "take5": {"turn_count": 3, "deck_size": 12, "win_score": 1},
    "papas": {"max_turns": 12},
}
"""What keeps games short that may be long."""

GAMES = [*map(game, BUILT_IN), GAME]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
def test_two_programs_play_a_whole_game(rules: AnyGame) -> None:
    if NODE is None:
        pytest.skip("a client in JavaScript needs Node")
    found = parlour(rules, options=SHORT.get(rules.id))
    python = [sys.executable, str(HERE / "client.py"), "1"]
    play_with(found, [python, [NODE, str(HERE / "client.mjs"), "2"]])
    assert found.made.table.position.is_closed
    for seat, texts in found.texts.items():
        said = [require_said(text) for text in texts]
        assert max(len(text.encode()) for text in texts) <= TEXT_BYTES_MAX
        lines = [
            tuple(one["at"]) for text in said if text["is"] == "lines" for one in text["lines"]
        ]
        assert lines == [one.at for one in found.snapshot(seat).log], "each once and in order"
        assert said[0]["is"] == "hello"
        kinds = Counter(text["is"] for text in said)
        assert kinds["answer"] > 0
        assert not [text for text in said if text["is"] == "answer" and text["to"] is None]
        last = [text for text in said if text["is"] == "table"][-1]
        assert last["state"] == "over"
        assert len(last["standing"]) == len(found.dialogues)


@pytest.mark.parametrize("name", ["client.py", "client.mjs"])
def test_a_client_is_small(name: str) -> None:
    lines = (HERE / name).read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 100


def test_a_table_is_small() -> None:
    """Eight kilobytes for any of our games, with no deltas to keep in order."""
    for rules in GAMES:
        found = parlour(rules, seats=3)
        page = found.enter(Seat(0))
        found.wish(Seat(0), page, "follow")
        assert len(found.dialogues[Seat(0)].state.encode()) < 10_000
