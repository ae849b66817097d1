"""The figures of `nodealer bench net`: what a committed transition costs among processes.

    commit      from the choice of a seat to the moment when its journal has all seals
    everywhere  the same until the last of all journals has them; by then the next seat may act
    rtt         a bare question to one peer and back, over the same streams
    ask_all     the same to all three peers at once, until the last has answered
    fsync       writing a kilobyte and syncing it, on the disk of the journals
    first_setup from the first start in a new directory of sources, nothing cached, to its answer
    ready       from starting the programs until all hold the sealed charter
    deal        from there until the first move can leave, at the last seat
    first_page, click_echo    what somebody waits for at the page of such a program (`measure_page`)

A commit is one round trip to everybody, a sync before the proposal leaves and one before the seals
of the others do; so the bare cost of it is ask_all and two syncs. Four processes play a whole game;
every one measures in its own turns, when nobody else has anything to do.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Final

import trio

from nodealer.cli.measure_page import page_figures
from nodealer.cli.measured_seat import SeatFigures, figures_at
from nodealer.cli.output import Json, complain, emit_json, emit_table
from nodealer.cli.real_game import PATIENT
from nodealer.cli.real_processes import Processes
from nodealer.cli.real_table import found_table
from nodealer.games import game
from nodealer.sim import Order

PROGRAM: Final = "nodealer.cli.measured_seat"

SEATS: Final = 4

SEEDS: Final = (2, 3)
"""Two games of 155 entries each."""

STARTS: Final = 5

TO_REACH: Final = 2.0
START_MS_TO_REACH: Final = 300
READY_MS_TO_REACH: Final = 800
RSS_MB_TO_REACH: Final = 72
FIRST_PAGE_MS_TO_REACH: Final = 1500
CLICK_ECHO_MS_TO_REACH: Final = 100
FIRST_SETUP_S_TO_REACH: Final = 12

_OF_A_START: Final = ("NODEALER_STARTER", "NODEALER_LAYER", "NODEALER_CALLED", "PYTHONPATH")
"""What this start has of its own in its environment."""


@dataclass(frozen=True, slots=True)
class MeasuredGame:
    """The measurements of a game, by seat."""

    started: float
    figures: tuple[SeatFigures, ...]

    @property
    def ready_ms(self) -> float:
        """How long it took until everybody sat at the table."""
        return 1000 * (max(one.founded for one in self.figures) - self.started)

    @property
    def deal_ms(self) -> float:
        """How long the deal took."""
        founded = max(one.founded for one in self.figures)
        return 1000 * (max(one.dealt for one in self.figures) - founded)

    def commits_ms(self, *, everywhere: bool) -> list[float]:
        """Return how long each transition took, at its author or at the last of all."""
        took = []
        for author in self.figures:
            seats = self.figures if everywhere else (author,)
            for height, acted in author.acted.items():
                took.append(1000 * (max(one.taken[height] for one in seats) - acted))
        return took


class _FailedError(Exception):
    """A game that did not come to its end; the text says why."""


def run(args: argparse.Namespace) -> int:
    """Measure and report."""
    try:
        games = [played_seed(seed) for seed in SEEDS[: args.games]]
    except _FailedError as error:
        complain(str(error), "Nothing was measured.")
        return 1
    setup = first_setup_s() if args.setup else None
    page = page_figures()
    figures = figures_of(games) | {
        "start_ms": round(_start_ms()),
        "first_page_ms": round(page.first_page_ms),
        "click_echo_ms": round(page.click_echo_ms, 1),
        "first_setup_s": setup,
    }
    if args.json:
        emit_json(figures)
    else:
        _show(figures)
    return 0


def played_seed(seed: int) -> MeasuredGame:
    """Play the game of a seed, and return what was measured in it."""
    order = Order(game("macaua"), SEATS, seed, clock=PATIENT)
    with tempfile.TemporaryDirectory(prefix="nodealer-") as home:
        table = found_table(order, Path(home))
        processes = Processes(table, program=PROGRAM)
        started = monotonic()
        trio.run(processes.run)
        said = "".join(processes.complaints(seat) for seat in table.charter.seats)
        if processes.troubles or said:
            raise _FailedError("; ".join([*processes.troubles, *said.splitlines()[-1:]]))
        files = [figures_at(Path(home), seat) for seat in table.charter.seats]
        read = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return MeasuredGame(started, tuple(SeatFigures(**one) for one in read))


def figures_of(games: list[MeasuredGame]) -> dict[str, float]:
    """Return all figures that come out of games."""
    seats = [one for each in games for one in each.figures]
    commit = sorted(ms for game in games for ms in game.commits_ms(everywhere=False))
    everywhere = [ms for game in games for ms in game.commits_ms(everywhere=True)]
    rtt = median(ms for one in seats for ms in one.rtt_ms)
    ask_all = median(ms for one in seats for ms in one.ask_all_ms)
    fsync = median(ms for one in seats for ms in one.fsync_ms)
    return {
        "schema": 1,
        "commits": len(commit),
        "commit_ms_p50": round(median(commit), 2),
        "commit_ms_p99": round(commit[len(commit) * 99 // 100], 2),
        "everywhere_ms_p50": round(median(everywhere), 2),
        "rtt_ms_p50": round(rtt, 2),
        "ask_all_ms_p50": round(ask_all, 2),
        "fsync_ms_p50": round(fsync, 2),
        "commit_over_bare": round(median(commit) / (ask_all + 2 * fsync), 2),
        "ready_ms": round(median(each.ready_ms for each in games)),
        "deal_wall_ms": round(median(each.deal_ms for each in games)),
        "rss_mb": round(max(one.rss_mb for one in seats)),
    }


def first_setup_s(installer: str = "") -> float | None:
    """Return how long somebody waits for the first answer; nothing where there are no sources.

    What is installed is fetched anew. `installer` can be `no` to do without uv.
    """
    sources = Path(__file__).resolve().parents[3]
    if not (sources / "scripts" / "set_up.py").exists():
        return None
    with tempfile.TemporaryDirectory(prefix="nodealer-") as home:
        place = Path(home) / "nodealer"
        for name in ("scripts", "requirements", "src"):
            shutil.copytree(
                sources / name, place / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        shutil.copy(sources / "pyproject.toml", place)
        caches = dict.fromkeys(("PIP_CACHE_DIR", "UV_CACHE_DIR"), home)
        given = {"NODEALER_UV": installer} if installer else {}
        left = {name: value for name, value in os.environ.items() if name not in _OF_A_START}
        command = [str(place / "scripts" / "nodealer"), "--version"]
        started = monotonic()
        subprocess.run(  # noqa: S603 - our own command, without a shell
            command, check=True, stdout=subprocess.DEVNULL, env=left | caches | given
        )
        return round(monotonic() - started, 1)


def _start_ms() -> float:
    took = []
    for _ in range(STARTS):
        started = monotonic()
        command = [sys.executable, "-P", "-m", "nodealer", "--help"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command, without a shell
        took.append(1000 * (monotonic() - started))
    return median(took)


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
