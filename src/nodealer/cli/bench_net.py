"""`nodealer bench net`: what a transition costs among processes, as a table or as JSON."""

from __future__ import annotations

import argparse
from typing import Final

from nodealer.cli.output import Json, complain, emit_json, emit_table
from nodealer.lab.benches.net_figures import (
    SEEDS,
    UnmeasuredError,
    figures_of,
    first_setup_s,
    played_seed,
    start_ms,
)
from nodealer.lab.benches.page_figures import page_figures

TO_REACH: Final = 2.0
START_MS_TO_REACH: Final = 300
READY_MS_TO_REACH: Final = 800
RSS_MB_TO_REACH: Final = 72
FIRST_PAGE_MS_TO_REACH: Final = 1500
CLICK_ECHO_MS_TO_REACH: Final = 100
FIRST_SETUP_S_TO_REACH: Final = 12


def run(args: argparse.Namespace) -> int:
    """Measure and report."""
    try:
        games = [played_seed(seed) for seed in SEEDS[: args.games]]
    except UnmeasuredError as error:
        complain(str(error), "Nothing was measured.")
        return 1
    setup = first_setup_s() if args.setup else None
    page = page_figures()
    figures = figures_of(games) | {
        "start_ms": round(start_ms()),
        "first_page_ms": round(page.first_page_ms),
        "click_echo_ms": round(page.click_echo_ms, 1),
        "first_setup_s": setup,
    }
    if args.json:
        emit_json(figures)
    else:
        _show(figures)
    return 0


def _show(figures: dict[str, float | None]) -> None:
    to_reach: dict[str, Json] = {
        "commit_over_bare": TO_REACH,
        "ready_ms": READY_MS_TO_REACH,
        "rss_mb": RSS_MB_TO_REACH,
        "start_ms": START_MS_TO_REACH,
        "first_page_ms": FIRST_PAGE_MS_TO_REACH,
        "click_echo_ms": CLICK_ECHO_MS_TO_REACH,
        "first_setup_s": FIRST_SETUP_S_TO_REACH,
    }
    rows = [
        (name, f"{value:g}", str(to_reach.get(name, "")))
        for name, value in figures.items()
        if value is not None
    ]
    emit_table([("", "measured", "to reach"), *rows[1:]])
