"""`nodealer bench siege`: what strangers cost a table, as a table or as JSON."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nodealer.cli.bench import ATTACKS as WHAT
from nodealer.cli.output import Json, complain, emit_json, emit_table
from nodealer.cli.running import run_trio
from nodealer.lab.siege.attacks import ATTACKS, BY_NAME
from nodealer.lab.siege.field import SiegeOutcome, SiegePlan, besieged
from nodealer.lab.siege.siege_figures import ALL, figures_of_siege, share_of_liar, speed_of


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
        share = share_of_liar(attacks, hit, calm)
        control = _played(
            SiegePlan(
                loads=tuple(hit.loads), liar_share=share, seconds=plan.seconds, newcomers=False
            )
        )
        found[name] = figures_of_siege(name, hit, control, calm)
        complain(f"{name}: {found[name]['ratio']} of the speed")
    if args.json:
        emit_json({"schema": 1, "calm": speed_of(calm), "attacks": found})
    else:
        _show(found)
    return 0


def _played(plan: SiegePlan) -> SiegeOutcome:
    with tempfile.TemporaryDirectory(prefix="nodealer-", ignore_cleanup_errors=True) as home:
        return run_trio(besieged, plan, Path(home))


def _what(name: str) -> str:
    return "everything at once" if name == ALL else WHAT[name]


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
