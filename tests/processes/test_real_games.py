"""Four processes play over libp2p, whatever is done to one of them.

What they play follows from the order, as in memory: so the entries of a game in which somebody was
killed, wherever it was, are those of a simulation in which nothing went wrong. Points are heights,
and batches stored at that height, never times; the games wait for nothing but themselves, except
that one seat which never comes back is waited for as long as the charter says.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nodealer.kernel import Seat
from nodealer.kernel.chance import Chance
from nodealer.lab.processes.real_game import drawn_kills, entry_ids, record_of_processes
from nodealer.lab.processes.real_processes import Kill
from nodealer.ledger import Clock
from nodealer.store.transcripts import glance
from nodealer.table import position_of
from nodealer.verify import Verdict, judge_bytes
from tests.cli.program import nodealer
from tests.processes.real_tables import ids_at, in_memory, judged_at, order_of, processes_of

SHORT, LONG = 6, 4
"""Seeds of a game of 17 entries, and of one of 67."""

IMPATIENT = Clock(act=4_000, answer=3_000, rejoin=4_000, longest=30_000)
"""A seat that stays away is left out after seconds."""


def test_four_processes_play_the_game_that_is_played_in_memory(tmp_path: Path) -> None:
    arguments = ["simulate", "macaua", "--players", "4", "--seed", str(SHORT), "--json"]
    done = nodealer(*arguments, "--transport", "libp2p", "--transcripts", ".", at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    told, summary = map(json.loads, done.stdout.splitlines())
    assert told["violations"] == []
    assert told["verdict"] == "complete"
    assert sorted(seat for place in told["result"]["places"] for seat in place) == [0, 1, 2, 3]
    assert told["cpu_ms"] > 0
    assert summary["counts"] == {"verdicts": {"complete": 1}}
    tip = judge_bytes((tmp_path / told["transcript"]).read_bytes()).tip
    assert tip is not None
    assert entry_ids(tip) == in_memory(order_of(4, SHORT))
    assert told["height"] == tip.height


def test_a_process_that_is_killed_again_and_again_changes_nothing(
    tmp_path: Path, *, is_full: bool
) -> None:
    seed, count = (LONG, 20) if is_full else (SHORT, 2)
    order = order_of(4, seed)
    expected = in_memory(order)
    chance = Chance("kills", seed)
    seat = Seat(chance.below(4))
    processes = processes_of(order, tmp_path, drawn_kills(seat, count, len(expected) - 1, chance))
    assert [one.killed for one in processes.seats] == [count * (one == seat) for one in range(4)]
    assert [ids_at(processes.table, one) == expected for one in range(4)] == [True] * 4
    record = record_of_processes(processes)
    assert record.violations == ()
    assert record.verdict == "complete"
    assert dict(record.counts)["fault came back"] == count


def test_one_never_comes_back_while_another_is_started_again(tmp_path: Path) -> None:
    kills = [Kill(Seat(2), 6, comes_back=False), Kill(Seat(1), 6, batches=1)]
    processes = processes_of(order_of(4, SHORT, IMPATIENT), tmp_path, kills)
    assert processes.troubles == []
    assert [one.killed for one in processes.seats] == [0, 1, 1, 0]
    stayed = [judged_at(processes.table, seat) for seat in (0, 1, 3)]
    for one in stayed:
        assert one.tip is not None
        assert one.report.verdict is Verdict.COMPLETE
        assert one.report.cheats == ()
        assert position_of(one.tip).is_closed
        assert position_of(one.tip).roster == (0, 1, 3)
    histories = [ids_at(processes.table, seat) for seat in (0, 1, 3)]
    assert histories[0] == histories[1] == histories[2]
    assert histories[0][-len(ids_at(processes.table, 2)) :] == ids_at(processes.table, 2)
    assert [processes.complaints(Seat(seat)) for seat in range(4)] == [""] * 4


def test_a_game_that_stands_still_is_a_failure(tmp_path: Path) -> None:
    kills = [Kill(Seat(1), 3, comes_back=False)]
    record = record_of_processes(processes_of(order_of(2, 1), tmp_path, kills, stalled_seconds=4))
    found = {(one.invariant, one.detail.split(" for ")[0]) for one in record.violations}
    assert ("no error", "nothing has happened") in found
    assert {"progress", "verdict as predicted"} <= {invariant for invariant, _ in found}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_command(tmp_path: Path, how: signal.Signals) -> None:
    arguments = ["simulate", "macaua", "--players", "2", "--seed", "1", "--transport", "libp2p"]
    with subprocess.Popen(  # more games than are played before the signal comes, whatever the load
        [sys.executable, "-P", "-m", "nodealer", *arguments, "--games", "100"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        holders: set[int] = set()
        while len(holders) < 2:
            assert command.poll() is None, "it plays"
            time.sleep(0.05)
            holders = pids_of_holders(tmp_path) - {command.pid}
        command.send_signal(how)
        _, complaints = command.communicate(timeout=30)
    assert command.returncode == (130 if how is signal.SIGINT else -how)
    assert b"Traceback" not in complaints
    while any(is_running(pid) for pid in holders):
        time.sleep(0.05)
    if how is signal.SIGINT:
        assert list(tmp_path.iterdir()) == []


def pids_of_holders(place: Path) -> set[int]:
    """Return the processes that have journals open below a directory."""
    holders = [glance(path).holder for path in place.glob("*/data/profiles/*/tables/*.journal")]
    return {holder.process for holder in holders if holder is not None}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("faults", ["lossy", "all"])
def test_what_cannot_go_wrong_among_processes_is_a_wrong_command_line(faults: str) -> None:
    done = nodealer("simulate", "macaua", "--transport", "libp2p", "--faults", faults)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--faults {faults} needs --transport memory" in done.stderr
    assert "none and crash" in done.stderr
