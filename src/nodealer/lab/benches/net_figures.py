"""The figures of a network of processes: what a committed transition costs among processes.

    commit      from the choice of a seat to the moment when its journal has all seals
    everywhere  the same until the last of all journals has them; by then the next seat may act
    rtt         a bare question to one peer and back, over the same streams
    ask_all     the same to all three peers at once, until the last has answered
    fsync       writing a kilobyte and syncing it, on the disk of the journals
    first_setup from the first start in a new directory of sources, nothing cached, to its answer
    ready       from starting the programs until all hold the sealed charter
    deal        from there until the first move can leave, at the last seat
    first_page, click_echo    what somebody waits for at the page of such a program (`page_figures`)

A commit is one round trip to everybody, a sync before the proposal leaves and one before the seals
of the others do; so the bare cost of it is ask_all and two syncs. Four processes play a whole game;
every one measures in its own turns, when nobody else has anything to do.
"""

from __future__ import annotations

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

from nodealer.games import game
from nodealer.lab.processes.measured_seat import SeatFigures, figures_at
from nodealer.lab.processes.real_game import PATIENT
from nodealer.lab.processes.real_processes import Processes
from nodealer.lab.processes.real_table import found_table
from nodealer.sim import Order

PROGRAM: Final = "nodealer.lab.processes.measured_seat"

SEATS: Final = 4

SEEDS: Final = (2, 3)
"""Two games of 155 entries each."""

STARTS: Final = 5

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


class UnmeasuredError(Exception):
    """A game that did not come to its end; the text says why."""


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
            raise UnmeasuredError("; ".join([*processes.troubles, *said.splitlines()[-1:]]))
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
    sources = Path(__file__).resolve().parents[4]
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


def start_ms() -> float:
    """Return how long the program takes to answer at all."""
    took = []
    for _ in range(STARTS):
        started = monotonic()
        command = [sys.executable, "-P", "-m", "nodealer", "--help"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command, without a shell
        took.append(1000 * (monotonic() - started))
    return median(took)
