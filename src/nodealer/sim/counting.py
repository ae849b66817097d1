"""What has happened in simulated games, by name, so that a run can show that nothing was missed.

Counts are taken from what happened and not from what was planned: a fault counts when it strikes,
a lie when it is told, evidence when the judge finds it. Names have two words, the group first:

    fault …     what the network, the clocks and the machines did
    lie …       behaviours that struck, once for each liar
    evidence …  codes that the judge finds in the witness's transcript
    verdict …   what the judge says of the witness's transcript
    table …     evictions, entries that a round kept, reshuffles of the whole stock, second games

`expected_names` says which of them a long run has to reach; the summary of a run lists all of those
even if they stayed at zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodealer.games.effects import Reshuffle
from nodealer.ledger import AuthoredStep, EvictStep, Keep, Ledger, Link
from nodealer.sim.faults import ALL, BYZANTINE, CRASH, LOSSY, NONE, PARTITION
from nodealer.sim.lies import behaviours_at
from nodealer.sim.world import World
from nodealer.table import Again, Joint, position_of, read_action
from nodealer.verify import Report

EVICTION: Final = "table eviction"
KEEP: Final = "table keep"
RESHUFFLE: Final = "table reshuffle"
AGAIN: Final = "table again"
COMPLETE: Final = "verdict complete"
UNFINISHED: Final = "verdict unfinished"

FEW: Final = 4
"""At a table of so many, half of the seats are soon gone."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        NONE: (),
        LOSSY: ("fault lost", "fault doubled", "fault late", "fault fast clock", KEEP),
        PARTITION: ("fault parting", "fault parted", EVICTION, KEEP),
        CRASH: (
            "fault stopped",
            "fault came back",
            "fault restored",
            "fault gone",
            "fault unheard",
            EVICTION,
        ),
        BYZANTINE: (EVICTION,),
    }
)
"""What each kind of fault leads to, sooner or later; lies and evidence follow from behaviours."""


def expected_names(faults: str, seats: int) -> tuple[str, ...]:
    """Return the names of all that a long run with these faults has to reach."""
    kinds = tuple(NAMES) if faults == ALL else (faults,)
    names = dict.fromkeys(name for kind in kinds for name in NAMES[kind])
    names[RESHUFFLE] = names[AGAIN] = names[COMPLETE] = None
    if BYZANTINE in kinds:
        for one in behaviours_at(seats):
            names[f"lie {one.name}"] = None
            if one.codes:
                names[f"evidence {one.codes[0]}"] = None
    if seats <= FEW and {CRASH, BYZANTINE} & set(kinds):
        names[UNFINISHED] = None
    return tuple(names)


def counted(world: World, ledger: Ledger, report: Report) -> Counter[str]:
    """Return what has happened in a world, in the history of its witness, and the verdict on it."""
    counts = Counter({f"fault {name}": n for name, n in world.network.counts.items()})
    counts.update({f"fault {name}": n for name, n in world.counts.items()})
    counts["fault fast clock"] += len(world.plan.hasty)
    for liar in world.liars.values():
        if liar.strikes:
            counts[f"lie {liar.behaviour.name}"] += 1
    counts.update({f"evidence {cheat.evidence.code}" for cheat in report.cheats})
    counts[f"verdict {report.verdict.value}"] += 1
    for link in ledger.tip.downwards():
        counts.update(_counted_at(link))
    return +counts


def _counted_at(link: Link) -> Counter[str]:
    counts: Counter[str] = Counter()
    program = position_of(link).program
    match None if link.content is None else link.content.step:
        case EvictStep():
            counts[EVICTION] += 1
        case AuthoredStep(action=action) if isinstance(read_action(action), Again):
            counts[AGAIN] += 1
        case _:
            pass
    if any(isinstance(vote.choice, Keep) for vote in link.certificate.votes):
        counts[KEEP] += 1
    if isinstance(program.head, Reshuffle) and program.step is Joint.SHUFFLE:
        counts[RESHUFFLE] += 1
    return counts
