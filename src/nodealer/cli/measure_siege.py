"""The figures of `nodealer bench siege`: what strangers cost a table, and whom they keep out.

A run is a table of four processes that plays at full speed (`siege.field`). First one is left
alone: its memory is what is called calm. Then, for each attack, one run is attacked and one is not,
but bears the same load: a process uses as much processor time, writes as many bytes and opens as
many connections as the attackers did, for nobody. Both play the same entries. What the attack costs
is the ratio of their speeds, whatever else this machine has to do; so each pair runs one behind the
other. The last pair has all attackers at once.

One attacker is a seat of the table. Its load is the processor time of its process beyond what the
same entries took it in the calm run, and that seat bears it itself.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from nodealer.cli.bench import ATTACKS as WHAT
from nodealer.cli.output import Json, complain, emit_json, emit_table
from nodealer.cli.running import run_trio
from nodealer.cli.siege.attacks import ATTACKS, BY_NAME, Aim, Attack
from nodealer.cli.siege.field import LIAR, SiegeOutcome, SiegePlan, besieged

ALL: Final = "all"

RATIO_TO_REACH: Final = 0.7
RATIO_TO_REACH_OF_ALL: Final = 0.4
MEMORY_TO_REACH: Final = 1.5
"""Of the memory of a table that is left alone."""


def run(args: argparse.Namespace) -> int:
    """Besiege, measure and report."""
    plan = SiegePlan(connections=args.connections, seconds=float(args.seconds))
    complain("a table that is left alone")
    calm = _played(SiegePlan(seconds=plan.seconds, newcomers=False))
    found = {}
    for name in [args.attack] if args.attack else [*BY_NAME, ALL]:
        attacks = ATTACKS if name == ALL else (BY_NAME[name],)
        complain(f"{name}: {_what(name)}")
        hit = _played(SiegePlan(attacks, plan.connections, plan.seconds))
        complain(f"{name}: the same load for nobody")
        share = _share_of_liar(attacks, hit, calm)
        control = _played(
            SiegePlan(
                loads=tuple(hit.loads), liar_share=share, seconds=plan.seconds, newcomers=False
            )
        )
        found[name] = figures_of(name, hit, control, calm)
        complain(f"{name}: {found[name]['ratio']} of the speed")
    if args.json:
        emit_json({"schema": 1, "calm": _speed(calm), "attacks": found})
    else:
        _show(found)
    return 0


def figures_of(
    name: str, hit: SiegeOutcome, control: SiegeOutcome, calm: SiegeOutcome
) -> dict[str, Json]:
    """Return all that is told of one attack."""
    speed, free = hit.entries_per_second, control.entries_per_second
    memory = None
    if hit.peak_mb is not None and calm.peak_mb:
        memory = round(hit.peak_mb / calm.peak_mb, 2)
    return {
        **_speed(hit),
        "control_entries_per_second": round(free, 2),
        "ratio": round(speed / free, 2) if free else None,
        "ratio_to_reach": RATIO_TO_REACH_OF_ALL if name == ALL else RATIO_TO_REACH,
        "memory_over_calm": memory,
        "memory_to_reach": MEMORY_TO_REACH,
        "evicted": list(hit.evicted),
        "back_seconds": hit.back_seconds,
        "guest_seconds": hit.guest_seconds,
        "spectator_seconds": hit.spectator_seconds,
        "sixth_seconds": hit.sixth_seconds,
        "attackers": {one: asdict(tally) for one, tally in hit.tallies.items()},
        "troubles": list(hit.troubles),
    }


def _played(plan: SiegePlan) -> SiegeOutcome:
    with tempfile.TemporaryDirectory(prefix="nodealer-", ignore_cleanup_errors=True) as home:
        return run_trio(besieged, plan, Path(home))


def _what(name: str) -> str:
    return "everything at once" if name == ALL else WHAT[name]


def _share_of_liar(attacks: tuple[Attack, ...], hit: SiegeOutcome, calm: SiegeOutcome) -> float:
    """Return how much of a processor a seat took to attack, beyond what the game took it."""
    if all(one.aim is not Aim.TABLE for one in attacks) or not (calm.entries and hit.seconds):
        return 0.0
    for_game = calm.seat_cpu[LIAR] / calm.entries * hit.entries
    return max(0.0, hit.seat_cpu[LIAR] - for_game) / hit.seconds


def _speed(outcome: SiegeOutcome) -> dict[str, Json]:
    return {
        "entries": outcome.entries,
        "entries_per_second": round(outcome.entries_per_second, 2),
        "peak_mb": None if outcome.peak_mb is None else round(outcome.peak_mb),
    }


COLUMNS: Final[Mapping[str, str]] = {
    "entries_per_second": "entries/s",
    "control_entries_per_second": "control",
    "ratio": "ratio",
    "ratio_to_reach": "to reach",
    "memory_over_calm": "memory",
    "memory_to_reach": "at most",
    "back_seconds": "back",
    "guest_seconds": "guest",
    "spectator_seconds": "watcher",
    "sixth_seconds": "relayed",
}
"""What people are shown of each attack; times in seconds, and a dash for never."""


def _show(found: Mapping[str, Mapping[str, Json]]) -> None:
    rows = [("", *COLUMNS.values(), "held", "evicted")]
    for name, figures in found.items():
        cells = [_cell(name, column, figures) for column in COLUMNS]
        evicted = figures["evicted"]
        gone = " ".join(map(str, evicted)) if isinstance(evicted, list) else ""
        rows.append((name, *cells, _held(figures), gone or "nobody"))
    emit_table(rows)


def _cell(name: str, column: str, figures: Mapping[str, Json]) -> str:
    value = figures[column]
    if value is None:
        is_asked = column != "sixth_seconds" or name in ("places", ALL)
        return "-" if is_asked else ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _held(figures: Mapping[str, Json]) -> str:
    """Return the most connections or places that attackers have held at once."""
    attackers = figures["attackers"]
    assert isinstance(attackers, dict), "it was made as one"
    return str(sum(one["held_most"] for one in attackers.values()))
