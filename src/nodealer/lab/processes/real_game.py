"""A simulated game among processes: each seat in its own, over libp2p on the loopback interface.

Nothing is simulated but the players: keys, journals, links and processes are those of real games,
on a disk below a temporary directory. What must hold is looked up afterwards, in the journals:

    no error       every process has ended in good order, and has written nothing for people
    progress       the game has come to its close
    one history    all seats hold the same entries, with the same ids
    nobody blamed  nobody was left out, and no evidence names anybody
    verdict        the offline judge finds every transcript complete

Faults are `none` and `crash`: then one process, drawn from the seed, is killed at points drawn from
the seed, again and again, and started again.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio

from nodealer.kernel import Chance, Seat
from nodealer.lab.processes.real_processes import Kill, Processes
from nodealer.lab.processes.real_table import found_table
from nodealer.ledger import ChainEntry, Clock
from nodealer.sim import Findings, GameRecord, Order, chance_of, counted_in
from nodealer.store import transcript
from nodealer.table import position_of
from nodealer.verify import JudgedFile, Verdict, judge_bytes

PATIENT: Final = Clock(act=30_000, answer=20_000, rejoin=40_000, longest=120_000)
"""Patience with programs that have to be started again on a machine that has much to do."""

KILLS_MAX: Final = 5

HEIGHT_MAX: Final = 24
"""Points are drawn below this height; most games of four are longer."""

BATCHES_MAX: Final = 4


def played_for_real(order: Order) -> GameRecord:
    """Play a game among processes, and say what came of it."""
    order = replace(order, clock=PATIENT)
    with tempfile.TemporaryDirectory(prefix="nodealer-", ignore_cleanup_errors=True) as home:
        table = found_table(order, Path(home))
        processes = Processes(table, kills_for(order))
        trio.run(processes.run)
        return record_of_processes(processes)


def kills_for(order: Order) -> list[Kill]:
    """Return what is to be killed, and when."""
    if order.faults != "crash":
        return []
    chance = chance_of(order).branch("kills")
    seat = Seat(chance.below(order.seats))
    count = 1 + chance.below(KILLS_MAX)
    return drawn_kills(seat, count, HEIGHT_MAX, chance)


def drawn_kills(seat: Seat, count: int, height_end: int, chance: Chance) -> list[Kill]:
    """Return so many points, each at another height below the end, in ascending order."""
    heights = [*range(height_end)]
    chance.shuffle(heights)
    return [Kill(seat, height, chance.below(BATCHES_MAX)) for height in sorted(heights[:count])]


def record_of_processes(processes: Processes) -> GameRecord:
    """Return the record of a table whose processes have ended."""
    table, order = processes.table, processes.table.order
    files = [transcript(table.journal(seat)) for seat in table.charter.seats]
    judged = [judge_bytes(data) for data in files]
    findings = Findings()
    _require_quiet(processes, findings)
    _require_one_history(judged, findings)
    first = judged[0]
    assert first.tip is not None, "a journal holds at least the charter"
    standing = position_of(first.tip).standing
    return GameRecord(
        game=order.game.id,
        players=order.seats,
        seed=order.seed,
        table=table.charter.table.hex(),
        height=first.tip.height,
        verdict=first.report.verdict.value,
        culprit=first.report.culprit,
        behaviour=None,
        places=None if standing is None else standing.places,
        points=() if standing is None else tuple(sorted(standing.points.items())),
        violations=tuple(findings.violations),
        counts=tuple(sorted(_counts(processes, first.tip, first.report.verdict).items())),
        transcript=files[0],
    )


def entry_ids(tip: ChainEntry) -> list[bytes]:
    """Return the ids of all entries up to this one, the last one first."""
    return [link.id for link in tip.downwards()]


def _require_quiet(processes: Processes, findings: Findings) -> None:
    for trouble in processes.troubles:
        findings.note("no error", trouble)
    for one in processes.seats:
        if said := processes.complaints(one.seat).splitlines():
            findings.note("no error", f"seat {one.seat} has written: {said[-1]}")


def _require_one_history(judged: Sequence[JudgedFile], findings: Findings) -> None:
    first = judged[0].tip
    for seat, one in enumerate(judged):
        assert one.tip is not None, "a journal holds at least the charter"
        assert first is not None, "a journal holds at least the charter"
        is_same = entry_ids(one.tip) == entry_ids(first)
        findings.require(is_same, "one history", f"seat {seat} holds other entries than seat 0")
        position, report = position_of(one.tip), one.report
        findings.require(
            position.is_closed, "progress", f"seat {seat} ended at height {one.tip.height}"
        )
        findings.require(
            len(position.roster) == len(judged) and not report.cheats,
            "nobody blamed",
            f"seat {seat} knows {len(report.cheats)} cheats and the roster {position.roster}",
        )
        verdict = report.verdict
        findings.require(
            verdict is Verdict.COMPLETE, "verdict as predicted", f"seat {seat}: {verdict.value}"
        )


def _counts(processes: Processes, tip: ChainEntry, verdict: Verdict) -> Counter[str]:
    killed = sum(one.killed for one in processes.seats)
    gone = sum(one.is_gone for one in processes.seats)
    counts = counted_in(tip)
    counts["fault stopped"] = killed
    counts["fault came back"] = killed - gone
    counts[f"verdict {verdict.value}"] = 1
    return +counts
