"""The example of the README runs, and tells one story: what is shown is what is then played."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "deal.py"


def test_the_example_deals_shows_and_plays_one_card() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE], capture_output=True, text=True, check=True, timeout=60
    )
    *hands, seen, played = done.stdout.splitlines()
    assert [line.split(" holds ")[0] for line in hands] == ["seat 0", "seat 1", "seat 2"]
    assert seen.removeprefix("seat 1 is shown ") == played.removeprefix("seat 0 plays ")
    assert f"'{played.removeprefix('seat 0 plays ')}'" in hands[0]
    assert not done.stderr
