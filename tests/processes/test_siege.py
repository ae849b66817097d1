"""A small siege: a table of four goes on under all attacks at once, and whoever may come in does.

Nothing here is a matter of time: what is asserted holds on a slow machine too. How fast the table
is meanwhile is for `nodealer bench siege` to say.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from nodealer.cli import bench
from nodealer.kernel import LocalError
from nodealer.lab.processes.real_game import entry_ids
from nodealer.lab.siege.attacks import ATTACKS, BY_NAME, AttackTally
from nodealer.lab.siege.burden import Load, load_of
from nodealer.lab.siege.by_hand import require_loopback
from nodealer.lab.siege.field import SEATS, SiegeOutcome, SiegePlan, besieged
from nodealer.lab.siege.siege_figures import MEMORY_TO_REACH, figures_of_siege
from nodealer.node.transport.addresses import parse
from nodealer.store.transcripts import transcript
from nodealer.table import position_of
from nodealer.verify import Verdict, judge_bytes
from tests.processes.real_tables import order_of
from tests.processes.test_real_games import is_running, pids_of_holders

SEED = 6
"""A game of 17 entries."""

THOUGHT_SECONDS = 0.4
"""So the game is not over before everybody has come."""

CONNECTIONS = 48 if os.environ.get("NODEALER_TEST_PROFILE") == "full" else 24
"""Of each attack: those of three together, or of six, are more than a node once had places for."""

PLAN = SiegePlan(
    ATTACKS,
    CONNECTIONS,
    seconds=2,
    order=order_of(SEATS, SEED),
    thought_seconds=THOUGHT_SECONDS,
    to_its_end=True,
)


def test_a_table_under_all_attacks_at_once_goes_on_and_lets_in_who_may_come(
    tmp_path: Path,
) -> None:
    outcome = trio.run(besieged, PLAN, tmp_path)
    assert outcome.troubles == []
    assert outcome.evicted == ()
    require_good_end(tmp_path)
    came = (outcome.back_seconds, outcome.guest_seconds, outcome.spectator_seconds)
    assert None not in (*came, outcome.sixth_seconds), "a player, a guest, a spectator, a place"
    if outcome.peak_mb is not None and outcome.calm_mb is not None:  # the system tells
        assert outcome.peak_mb <= MEMORY_TO_REACH * outcome.calm_mb
    tried = {name for name, tally in outcome.tallies.items() if tally.tried}
    reached = {name for name, tally in outcome.tallies.items() if tally.reached}
    assert tried == set(BY_NAME)
    # All wait in one line, in which whoever is expected goes first; some may wait to the end.
    assert len(reached) > len(BY_NAME) // 2, "an attack that reaches nothing shows nothing"


def require_good_end(home: Path) -> None:
    journals = sorted(home.glob("data/profiles/seat-*/tables/*.journal"))
    judged = [judge_bytes(transcript(one)) for one in journals]
    assert len(judged) == SEATS
    for one in judged:
        assert one.tip is not None
        assert one.report.verdict is Verdict.COMPLETE
        assert one.report.cheats == ()
        assert position_of(one.tip).is_closed
        assert len(position_of(one.tip).roster) == SEATS
    assert len({tuple(entry_ids(one.tip)) for one in judged if one.tip is not None}) == 1


def test_no_process_outlives_a_siege_that_is_interrupted(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "nodealer", "bench", "siege", "--attack", "idle"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        holders: set[int] = set()
        while len(holders) < SEATS:
            assert command.poll() is None, "it plays"
            time.sleep(0.05)
            holders = pids_of_holders(tmp_path) - {command.pid}
        command.send_signal(signal.SIGINT)
        _, complaints = command.communicate(timeout=60)
    assert command.returncode == 130
    assert b"Traceback" not in complaints
    assert not any(is_running(pid) for pid in holders)
    assert list(tmp_path.iterdir()) == []


def test_the_help_names_every_attack() -> None:
    assert list(bench.ATTACKS) == list(BY_NAME)


@pytest.mark.parametrize(
    "text",
    ["/ip4/192.0.2.1/tcp/4001", "/dns/localhost/tcp/4001", "/ip6/2001:db8::1/tcp/4001"],
)
def test_nothing_but_this_machine_is_besieged(text: str) -> None:
    with pytest.raises(LocalError):
        require_loopback(parse(text))


def test_the_ratio_is_that_of_the_speeds_whatever_the_machine() -> None:
    hit = SiegeOutcome(
        entries=60, seconds=4, peak_mb=120, evicted=(2,), tallies={"idle": AttackTally(9, 8)}
    )
    control, calm = (
        SiegeOutcome(entries=80, seconds=4),
        SiegeOutcome(entries=90, seconds=4, peak_mb=100),
    )
    found = figures_of_siege("idle", hit, control, calm)
    assert (found["ratio"], found["ratio_to_reach"]) == (0.75, 0.7)
    assert found["memory_over_calm"] == 1.2
    assert found["evicted"] == [2]
    assert found["guest_seconds"] is None


def test_an_attacker_is_counted_by_the_second() -> None:
    tally = AttackTally(tried=30, sent_bytes=5_000, cpu_seconds=1.5, seconds=10)
    assert load_of(tally) == Load(cpu_seconds=0.15, sent_bytes=500, connections=3)
