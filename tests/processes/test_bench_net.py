"""`nodealer bench net` measures what it says, whatever the figures are."""

from __future__ import annotations

import json

from tests.cli.program import nodealer


def test_a_game_is_measured() -> None:
    done = nodealer("bench", "net", "--games", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    found = json.loads(done.stdout)
    assert found["commits"] > 50
    assert 0 < found["rtt_ms_p50"] <= found["ask_all_ms_p50"]
    assert 0 < found["commit_ms_p50"] <= found["commit_ms_p99"]
    bare = found["ask_all_ms_p50"] + 2 * found["fsync_ms_p50"]
    assert abs(found["commit_over_bare"] - found["commit_ms_p50"] / bare) < 0.05
    assert min(found[name] for name in ("ready_ms", "deal_wall_ms", "rss_mb", "start_ms")) > 0
