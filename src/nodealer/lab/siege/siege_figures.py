"""The figures of a siege: what strangers cost a table, and whom they keep out.

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

from dataclasses import asdict
from typing import Final

from nodealer.games import JsonValue
from nodealer.lab.siege.attacks import Aim, Attack
from nodealer.lab.siege.field import LIAR, SiegeOutcome

ALL: Final = "all"

RATIO_TO_REACH: Final = 0.7
RATIO_TO_REACH_OF_ALL: Final = 0.4
MEMORY_TO_REACH: Final = 1.5
"""Of the memory of a table that is left alone."""


def figures_of_siege(
    name: str, hit: SiegeOutcome, control: SiegeOutcome, calm: SiegeOutcome
) -> dict[str, JsonValue]:
    """Return all that is told of one attack."""
    speed, free = hit.entries_per_second, control.entries_per_second
    memory = None
    if hit.peak_mb is not None and calm.peak_mb:
        memory = round(hit.peak_mb / calm.peak_mb, 2)
    return {
        **speed_of(hit),
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


def share_of_liar(attacks: tuple[Attack, ...], hit: SiegeOutcome, calm: SiegeOutcome) -> float:
    """Return how much of a processor a seat took to attack, beyond what the game took it."""
    if all(one.aim is not Aim.TABLE for one in attacks) or not (calm.entries and hit.seconds):
        return 0.0
    for_game = calm.seat_cpu[LIAR] / calm.entries * hit.entries
    return max(0.0, hit.seat_cpu[LIAR] - for_game) / hit.seconds


def speed_of(outcome: SiegeOutcome) -> dict[str, JsonValue]:
    """Return how fast a table was, and how much memory it took."""
    return {
        "entries": outcome.entries,
        "entries_per_second": round(outcome.entries_per_second, 2),
        "peak_mb": None if outcome.peak_mb is None else round(outcome.peak_mb),
    }
