"""`nodealer bench net` measures what it says, whatever the figures are."""

from __future__ import annotations

from nodealer.lab.benches.net_figures import figures_of, played_seed
from nodealer.lab.benches.page_figures import page_figures

SHORT, LONG = 6, 2
"""Seeds of a game of 17 entries, and of one of 155."""


def test_a_game_is_measured(*, is_full: bool) -> None:
    found = figures_of([played_seed(LONG if is_full else SHORT)])
    assert found["commits"] > (50 if is_full else 5)
    assert 0 < found["commit_ms_p50"] <= found["commit_ms_p99"]
    assert found["commit_ms_p50"] <= found["everywhere_ms_p50"]
    bare = found["ask_all_ms_p50"] + 2 * found["fsync_ms_p50"]
    assert abs(found["commit_over_bare"] - found["commit_ms_p50"] / bare) < 0.05
    rest = ("rtt_ms_p50", "ask_all_ms_p50", "fsync_ms_p50", "ready_ms", "deal_wall_ms", "rss_mb")
    assert min(found[name] for name in rest) > 0


def test_a_page_is_measured() -> None:
    found = page_figures()
    assert 0 < found.click_echo_ms < found.first_page_ms
